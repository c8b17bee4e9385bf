// `flyball serve` as a process: its link, its signals, its lock, and kill -9.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "e2e/program.h"
#include "e2e/service.h"

namespace flyball::testing {
namespace {

using serve::RawAnswer;

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
  Service service(folder);
  const std::string who = service.sign_in();
  ASSERT_EQ(service.ask("POST", "/api/v1/lines", who, R"({"id":"last"})").status, 200);
  std::set<std::string> written;
  std::string cursor;
  do {
    const auto page = nlohmann::json::parse(
        service.ask("GET", "/api/v1/audit?action=lines.add&limit=1000" + cursor, who).body);
    for (const auto& row : page["items"]) written.insert(row["targetId"].get<std::string>());
    cursor = page.contains("nextCursor") ? "&cursor=" + page["nextCursor"].get<std::string>() : "";
  } while (!cursor.empty());
  for (const std::string& line : lines(service, who))
    EXPECT_TRUE(written.contains(line)) << line << " stands in no row of the trail";
}

}  // namespace
}  // namespace flyball::testing
