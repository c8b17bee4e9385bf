#pragma once
// A service on a folder and port of its own, with people in it.
#include <thread>

#include "govern/govern.h"
#include "serve/gate.h"
#include "serve/raw_client.h"
#include "serve/server.h"
#include "support/temp_folder.h"

namespace flyball::serve {

class LiveServer {
 public:
  explicit LiveServer(ServeRequest request = {}) {
    request.listen = "127.0.0.1:0";
    server_ = std::make_unique<Server>(request, app::DataFolder{folder_.path(), "test"}, clock_);
    thread_ = std::thread([this] { server_->run(); });
  }
  ~LiveServer() { stop(); }
  LiveServer(const LiveServer&) = delete;
  LiveServer& operator=(const LiveServer&) = delete;

  void stop() {
    if (!thread_.joinable()) return;
    server_->stop();
    thread_.join();
    server_.reset();
  }

  Server& server() { return *server_; }
  [[nodiscard]] std::uint16_t port() const { return server_->port(); }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_.path(); }

  /// A user with these rights on these lines and a token of his that may do all that tokens may.
  std::string token(const std::string& user, std::vector<govern::Right> rights,
                    std::map<std::string, govern::Grant> lines = {},
                    govern::Grant all_lines = govern::Grant::operate,
                    std::string* session = nullptr) {
    store::Database db(folder_ / "flyball.db");
    govern::Governance g(db, {}, govern::kLeastCost);
    govern::User person;
    person.id = user;
    person.display_name = user;
    person.rights = rights;
    person.lines = std::move(lines);
    person.all_lines = all_lines;
    g.users.add(person, kPassword, clock_.now());
    if (session != nullptr) {
      const govern::NewSession made = g.sessions.create(user, clock_.now());
      *session = "Cookie: " + Gate::cookie_name(false) + "=" + made.secret +
                 "\r\nX-CSRF-Token: " + made.csrf + "\r\n";
    }
    govern::Token token;
    token.name = "test";
    token.user_id = user;
    for (const govern::Right r : rights) {
      if (!govern::is_personal(r)) token.scopes.push_back(r);
    }
    token.expires_at = clock_.now() + kDay;
    return g.tokens.create(token, clock_.now()).text;
  }

  /// Fields of a signed-in person who may do everything everywhere.
  std::string admin(const std::string& user) {
    std::string fields;
    (void)token(user, govern::all_rights(), {}, govern::Grant::operate, &fields);
    return fields;
  }

  /// The bytes of a request of this server.
  [[nodiscard]] std::string request(const std::string& method, const std::string& target,
                                    const std::string& fields = "",
                                    const std::string& body = "") const {
    std::string out = method + " " + target +
                      " HTTP/1.1\r\nHost: localhost:" + std::to_string(port()) + "\r\n" + fields;
    if (!body.empty()) {
      if (fields.find("Content-Type") == std::string::npos)
        out += "Content-Type: application/json\r\n";
      out += "Content-Length: " + std::to_string(body.size()) + "\r\n";
    }
    return out + "\r\n" + body;
  }

  RawAnswer ask(const std::string& method, const std::string& target,
                const std::string& fields = "", const std::string& body = "") const {
    return RawClient(port()).ask(request(method, target, fields, body));
  }

  static std::string bearer(const std::string& token) {
    return "Authorization: Bearer " + token + "\r\n";
  }

  static constexpr const char* kPassword = "correct horse battery";

 private:
  SystemClock clock_;
  testing::TempFolder folder_;
  std::unique_ptr<Server> server_;
  std::thread thread_;
};

}  // namespace flyball::serve
