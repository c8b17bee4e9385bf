// `flyball serve` as a process: its link, its signals, its lock, and kill -9.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "e2e/program.h"
#include "serve/raw_client.h"

namespace flyball::testing {
namespace {

using serve::RawAnswer;
using serve::RawClient;

class Service {
 public:
  explicit Service(const TempFolder& folder)
      : program_({"serve", "--data", (folder / "data").string(), "--listen", "127.0.0.1:0"}) {
    for (int i = 0; i < 2000 && link_.find('\n') == std::string::npos; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      link_ = program_.out_so_far();
    }
    const auto colon = link_.find(':', 7);
    port_ = static_cast<std::uint16_t>(std::atoi(link_.c_str() + colon + 1));
  }

  [[nodiscard]] const std::string& link() const { return link_; }
  Running& program() { return program_; }

  /// Status 0: it is gone.
  [[nodiscard]] RawAnswer ask(const std::string& method, const std::string& place,
                              const std::string& fields, const std::string& body = "") const try {
    std::string text = method + " " + place +
                       " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port_) + "\r\n" + fields;
    if (!body.empty())
      text += "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
              "\r\n";
    return RawClient(port_).ask(text + "\r\n" + body);
  } catch (const std::exception&) {
    return {};
  }

  /// Fields of a signed-in administrator: the first one, or the one that is there.
  [[nodiscard]] std::string sign_in() const {
    nlohmann::json body = {{"user", "ada"}, {"password", "correct horse battery"}};
    const auto hash = link_.find("#setup=");
    std::string place = "/api/v1/session";
    if (hash != std::string::npos) {
      place = "/api/v1/setup";
      body["token"] = link_.substr(hash + 7, 64);
    }
    const RawAnswer made = ask("POST", place, "", body.dump());
    if (made.status != 200) return {};
    const std::string set = made.field("Set-Cookie");
    return "Cookie: " + set.substr(0, set.find(';')) +
           "\r\nX-CSRF-Token: " + nlohmann::json::parse(made.body)["csrf"].get<std::string>() +
           "\r\n";
  }

 private:
  Running program_;
  std::string link_;
  std::uint16_t port_ = 0;
};

std::set<std::string> lines(const Service& service, const std::string& who) {
  std::set<std::string> out;
  const RawAnswer answer = service.ask("GET", "/api/v1/lines?limit=1000", who);
  const auto body = nlohmann::json::parse(answer.body, nullptr, false);
  if (!body.is_object()) return out;
  for (const auto& item : body["items"]) out.insert(item["id"].get<std::string>());
  return out;
}

TEST(Serve, PrintsOneLinkAndEndsWithZeroOnASignal) {
  const TempFolder folder;
  for (const int number : {SIGINT, SIGTERM}) {
    Service service(folder);
    EXPECT_EQ(service.link().find("http://127.0.0.1:"), 0u) << service.link();
    EXPECT_EQ(std::ranges::count(service.link(), '\n'), 1);
    EXPECT_EQ(service.ask("GET", "/healthz", "").status, 200);
    service.program().signal(number);
    const Outcome outcome = service.program().wait();
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_FALSE(outcome.killed);
  }
}

TEST(Serve, OwnsItsFolder) {
  const TempFolder folder;
  Service service(folder);
  const std::string data = (folder / "data").string();
  const Outcome writes = run({"lines", "add", "L", "--data", data});
  EXPECT_EQ(writes.code, 5) << writes.err;
  EXPECT_NE(writes.err.find("serve"), std::string::npos) << writes.err;
  EXPECT_EQ(run({"models", "list", "--data", data}).code, 0);
  service.program().signal(SIGTERM);
  service.program().wait();
  EXPECT_EQ(run({"lines", "add", "L", "--data", data}).code, 0);
}

TEST(Serve, RefusesAnAddressThatOthersReach) {
  const TempFolder folder;
  for (const char* address : {"0.0.0.0:0", "192.0.2.1:0", "[::]:0"}) {
    const Outcome outcome =
        run({"serve", "--data", (folder / "data").string(), "--listen", address});
    EXPECT_EQ(outcome.code, 5) << outcome.err;
    EXPECT_NE(outcome.err.find("LISTEN_UNSAFE"), std::string::npos) << outcome.err;
  }
  EXPECT_EQ(run({"serve", "--listen", "nonsense"}).code, 2);
}

TEST(Serve, KilledAtAnyMomentItLosesNothingThatItAcknowledged) {
  const TempFolder folder;
  std::set<std::string> acknowledged;
  std::mt19937 random(1);
  for (int round = 0; round < 8; ++round) {
    Service service(folder);
    const std::string who = service.sign_in();
    ASSERT_FALSE(who.empty()) << round;
    const std::set<std::string> found = lines(service, who);
    for (const std::string& line : acknowledged) EXPECT_TRUE(found.contains(line)) << line;
    std::thread killer([&, ms = 20 + random() % 200] {
      std::this_thread::sleep_for(std::chrono::milliseconds(ms));
      service.program().signal(SIGKILL);
    });
    for (int i = 0; i < 1000; ++i) {
      const std::string id = "L" + std::to_string(round) + "-" + std::to_string(i);
      const RawAnswer answer =
          service.ask("POST", "/api/v1/lines", who + "Idempotency-Key: " + id + "\r\n",
                      "{\"id\":\"" + id + "\"}");
      if (answer.status != 200) break;
      acknowledged.insert(id);
    }
    killer.join();
    service.program().wait();
  }
  EXPECT_GT(acknowledged.size(), 8u);
}

}  // namespace
}  // namespace flyball::testing
