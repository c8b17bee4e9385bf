#include "serve/self_test.h"

#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "govern/govern.h"
#include "govern/secret.h"
#include "serve/server.h"

namespace flyball::serve {
namespace {

constexpr const char* kPassword = "self-test passphrase 7";

/// A service on a folder that is removed with it.
class OwnService {
 public:
  OwnService()
      : folder_(std::filesystem::temp_directory_path() / govern::random_id("flyball-self-test")) {
    ServeRequest request;
    request.listen = "127.0.0.1:0";
    request.body_limit = 2;
    request.upload_limit = 4;
    server_ = std::make_unique<Server>(request, app::DataFolder{folder_, "self-test"}, clock_);
    setup_ = server_->link();
    setup_.erase(0, setup_.find("#setup=") + 7);
    thread_ = std::thread([this] { server_->run(); });
  }
  ~OwnService() {
    server_->stop();
    thread_.join();
    server_.reset();
    store::remove_folder(folder_);
  }

  Target target() {
    Target out;
    out.port = server_->port();
    out.host = "127.0.0.1:" + std::to_string(out.port);
    out.data = folder_;
    const RawAnswer made =
        out.ask("POST", "/api/v1/setup", "",
                canonical({{"token", setup_}, {"user", "self-test"}, {"password", kPassword}}));
    if (made.status != 200) throw Error("SELF_TEST_FAILED", {{"count", 1}, {"names", "setup"}});
    const std::string set = made.field("Set-Cookie");
    out.cookie = "Cookie: " + set.substr(0, set.find(';')) + "\r\n";
    out.csrf = Json::parse(made.body)["csrf"].get<std::string>();
    out.token = token("all", {govern::Right::view, govern::Right::train, govern::Right::evaluate,
                              govern::Right::request, govern::Right::operate});
    out.narrow_token = token("narrow", {govern::Right::view});
    const std::string secret = set.substr(set.find('=') + 1, set.find(';') - set.find('=') - 1);
    out.secrets = {kPassword, setup_, secret, out.token, out.narrow_token};
    return out;
  }

 private:
  std::string token(const std::string& name, const std::vector<govern::Right>& scopes) {
    store::Database db(folder_ / "flyball.db");
    govern::Governance g(db, folder_ / "runtime" / "audit-head");
    govern::Token wanted;
    wanted.name = name;
    wanted.user_id = "self-test";
    wanted.scopes = scopes;
    wanted.expires_at = clock_.now() + kDay;
    return g.tokens.create(wanted, clock_.now()).text;
  }

  SystemClock clock_;
  std::filesystem::path folder_;
  std::unique_ptr<Server> server_;
  std::string setup_;
  std::thread thread_;
};

Target target_at(const std::string& url) {
  constexpr std::string_view kScheme = "http://";
  if (!url.starts_with(kScheme)) throw Error("LISTEN_INVALID", {{"address", url}});
  std::string place = url.substr(kScheme.size());
  place.resize(std::min(place.find('/'), place.size()));
  Target out;
  const Address address = parse_address(place);
  if (!address.is_loopback()) throw Error("LISTEN_INVALID", {{"address", url}});
  out.port = address.port;
  out.host = place;
  if (const char* token = std::getenv("FLYBALL_TOKEN")) out.token = token;
  return out;
}

}  // namespace

std::string Target::request(const std::string& method, const std::string& place,
                            const std::string& fields, const std::string& body) const {
  std::string out = method + " " + place + " HTTP/1.1\r\nHost: " + host + "\r\n" + fields;
  if (!body.empty()) {
    if (fields.find("Content-Type") == std::string::npos)
      out += "Content-Type: application/json\r\n";
    out += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  }
  return out + "\r\n" + body;
}

RawAnswer Target::ask(const std::string& method, const std::string& place,
                      const std::string& fields, const std::string& body) const {
  return RawClient(port).ask(request(method, place, fields, body));
}

std::vector<CheckResult> self_test(const SelfTestRequest& request) {
  std::optional<OwnService> own;
  if (!request.url) own.emplace();
  const Target target = own ? own->target() : target_at(*request.url);
  std::vector<CheckResult> out;
  for (const auto& table : {open_checks(), known_checks(), store_checks()}) {
    for (const Check& check : table) {
      CheckResult& result = out.emplace_back();
      result.name = check.name;
      result.what = check.what;
      result.skipped = (check.needs == Check::own_service && !target.is_own()) ||
                       (check.needs == Check::token && target.token.empty());
      if (result.skipped) continue;
      try {
        check.run(target, result.failures);
      } catch (const std::exception& e) {
        result.failures.emplace_back(e.what());
      }
    }
  }
  return out;
}

}  // namespace flyball::serve
