// Pieces of the service that need no socket.
#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "serve/etag.h"
#include "serve/events.h"
#include "serve/idempotency.h"
#include "serve/metrics.h"
#include "serve/openapi.h"
#include "serve/operation_call.h"
#include "serve/page.h"
#include "serve/safety.h"
#include "serve/server.h"
#include "serve/wire.h"
#include "support/expect_error.h"
#include "support/temp_folder.h"

namespace flyball::serve {
namespace {

using testing::TempFolder;

Request with(std::vector<Header> headers, std::string method = "GET") {
  Request out;
  out.method = std::move(method);
  out.headers = std::move(headers);
  return out;
}

int status_of(const Safety& safety, const Request& request) {
  try {
    safety.check(request);
    return 200;
  } catch (const Refused& e) {
    return e.status;
  }
}

std::string all_of(Feed& feed) {
  bool ended = false;
  return feed.take(ended).value_or("");
}

TEST(Safety, KnowsItsNamesOnly) {
  std::vector<std::string> hosts = local_hosts(8080);
  hosts.emplace_back("plant.example");
  const Safety safety(hosts);
  for (const char* host : {"localhost:8080", "127.0.0.1:8080", "[::1]:8080", "LOCALHOST:8080",
                           "plant.example", "plant.example:9000"})
    EXPECT_EQ(status_of(safety, with({{"host", host}})), 200) << host;
  for (const char* host : {"evil.example", "evil.example:8080", "localhost", "localhost:8081",
                           "127.0.0.1.evil.example:8080", "localhost.:8080", "[::1]", ""})
    EXPECT_EQ(status_of(safety, with({{"host", host}})), 421) << host;
}

TEST(Safety, RefusesPagesOfOtherSites) {
  const Safety safety(local_hosts(8080));
  const auto from = [&](const char* origin, const char* method) {
    return status_of(safety, with({{"host", "localhost:8080"}, {"origin", origin}}, method));
  };
  for (const char* method : {"GET", "POST", "PATCH", "DELETE", "HEAD", "OPTIONS"}) {
    EXPECT_EQ(from("http://localhost:8080", method), 200);
    EXPECT_EQ(from("http://127.0.0.1:8080", method), 200);
    for (const char* origin : {"null", "http://evil.example", "http://localhost:8081",
                               "http://localhost:8080.evil.example", "file://localhost:8080", ""})
      EXPECT_EQ(from(origin, method), 403) << origin;
  }
}

TEST(Cookie, IsFoundByItsWholeName) {
  const Request r = with({{"cookie", "xflyball=1; flyball=secret; flyball2=3"}});
  EXPECT_EQ(r.cookie("flyball"), "secret");
  EXPECT_EQ(r.cookie("ball"), "");
}

TEST(Etag, ListsAndStars) {
  EXPECT_TRUE(holds("\"a\", \"b\"", "\"b\""));
  EXPECT_TRUE(holds("*", "\"b\""));
  EXPECT_FALSE(holds("\"a\"", "\"b\""));
  EXPECT_FALSE(holds("W/\"b\"", "\"b\"")) << "a weak one says nothing of bytes";
  EXPECT_NE(etag("a"), etag("b"));
}

TEST(Wire, NoHeaderValueBeginsALine) {
  Response r;
  r.with("X-Name", "a\r\nSet-Cookie: evil=1");
  EXPECT_EQ(response_head(r).find("\r\nSet-Cookie"), std::string::npos);
}

TEST(Wire, DateIsThatOfHttp) {
  EXPECT_EQ(http_date(784111777), "Sun, 06 Nov 1994 08:49:37 GMT");
}

TEST(Feed, AReaderThatIsTooSlowIsToldSo) {
  Feed feed(10);
  EXPECT_TRUE(feed.push("12345"));
  EXPECT_TRUE(feed.push("12345"));
  EXPECT_FALSE(feed.push("1"));
  feed.close("bye");
  bool ended = false;
  EXPECT_EQ(feed.take(ended), "1234512345bye");
  EXPECT_TRUE(ended);
  EXPECT_FALSE(feed.push("more"));
}

TEST(Hub, TellsWhatFollowsTheLastId) {
  Hub hub(3);
  for (int i = 1; i <= 5; ++i) hub.publish({"change", "", "{\"n\":" + std::to_string(i) + "}"});
  const auto all = [](const std::string&) { return true; };
  const std::string later = all_of(*hub.subscribe(all, 3));
  EXPECT_EQ(later.find("\"n\":3"), std::string::npos);
  EXPECT_NE(later.find("id: 4\nevent: change\ndata: {\"n\":4}\n\n"), std::string::npos);
  EXPECT_NE(later.find("\"n\":5"), std::string::npos);
  EXPECT_EQ(later.find("gap"), std::string::npos);
  EXPECT_NE(all_of(*hub.subscribe(all, 1)).find("event: gap"), std::string::npos);
  EXPECT_NE(all_of(*hub.subscribe(all, 99)).find("event: gap"), std::string::npos);
  EXPECT_EQ(all_of(*hub.subscribe(all)).find("event:"), std::string::npos);
}

TEST(Hub, EndsTheStreamOfWhoIsNoLongerWhoHeWas) {
  Hub hub;
  std::optional<bool> may = true;
  const auto feed = hub.subscribe([&](const std::string&) { return may; });
  hub.publish({"model", "L", "{\"n\":1}"});
  may = false;  // the grant is gone
  hub.publish({"model", "L", "{\"n\":2}"});
  hub.publish({"env", "", "{\"n\":3}"});
  may = std::nullopt;  // signed out
  hub.publish({"env", "", "{\"n\":4}"});
  EXPECT_TRUE(feed->closed());
  EXPECT_EQ(hub.readers(), 0);
  const std::string got = all_of(*feed);
  EXPECT_NE(got.find("\"n\":1"), std::string::npos);
  EXPECT_NE(got.find("\"n\":3"), std::string::npos);
  EXPECT_EQ(got.find("\"n\":2"), std::string::npos);
  EXPECT_EQ(got.find("\"n\":4"), std::string::npos);
  EXPECT_NE(got.find("sign in again"), std::string::npos);
}

TEST(Hub, TellsOnlyOfLinesThatMayBeRead) {
  Hub hub;
  hub.publish({"model", "secret", "{\"n\":1}"});
  const auto feed = hub.subscribe([](const std::string& line) { return line != "secret"; }, 0);
  hub.publish({"model", "secret", "{\"n\":2}"});
  hub.publish({"model", "open", "{\"n\":3}"});
  hub.publish({"env", "", "{\"n\":4}"});
  const std::string got = all_of(*feed);
  for (const char* hidden : {"\"n\":1", "\"n\":2"}) EXPECT_EQ(got.find(hidden), std::string::npos);
  for (const char* shown : {"\"n\":3", "\"n\":4"}) EXPECT_NE(got.find(shown), std::string::npos);
}

TEST(Hub, WhatConcernsOneIsToldToHimAlone) {
  Hub hub;
  const auto all = [](const std::string&) { return true; };
  hub.publish({"notice", "L", "{\"n\":1}", "ann"});
  const auto ann = hub.subscribe(all, 0, "ann"), bob = hub.subscribe(all, 0, "bob");
  const auto elsewhere = hub.subscribe([](const std::string&) { return false; }, 0, "ann");
  hub.publish({"notice", "L", "{\"n\":2}", "ann"});
  hub.publish({"change", "", "{\"n\":3}"});
  const std::string hers = all_of(*ann), his = all_of(*bob), far = all_of(*elsewhere);
  for (const char* n : {"\"n\":1", "\"n\":2", "\"n\":3"})
    EXPECT_NE(hers.find(n), std::string::npos) << n;
  EXPECT_EQ(his.find("event: notice"), std::string::npos);
  EXPECT_NE(his.find("\"n\":3"), std::string::npos);
  EXPECT_EQ(far.find("event: notice"), std::string::npos) << "of a line that she may not read";
}

TEST(Hub, DropsASlowReaderAndKeepsTheOthers) {
  Hub hub;
  const auto all = [](const std::string&) { return true; };
  const auto slow = hub.subscribe(all), quick = hub.subscribe(all);
  const std::string big(100'000, 'x');
  for (int i = 0; i < 5; ++i) {
    hub.publish({"change", "", big});
    EXPECT_NE(all_of(*quick).find(big), std::string::npos);
  }
  EXPECT_NE(all_of(*slow).find("event: dropped"), std::string::npos);
  EXPECT_TRUE(slow->closed());
  EXPECT_EQ(hub.readers(), 1u);
}

TEST(Idempotency, GivesTheStoredAnswerOnce) {
  const TempFolder folder;
  Response first = json_response({{"id", "x"}});
  {
    Idempotency answers(folder.path());
    EXPECT_FALSE(answers.begin("ann", "k", "d1", 0));
    answers.end("ann", "k", first);
  }
  Idempotency answers(folder.path());
  const auto again = answers.begin("ann", "k", "d1", kDay - 1);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->body, first.body);
  EXPECT_FALSE(answers.begin("bob", "k", "d1", 1)) << "another caller's key is another key";
  EXPECT_ERROR((void)answers.begin("ann", "k", "d2", 1), "IDEMPOTENCY_KEY_REUSED");
  EXPECT_FALSE(answers.begin("ann", "k", "d2", kDay + 1)) << "a day later it is forgotten";
}

TEST(Idempotency, DoesNotRepeatWhatMayBeDone) {
  const TempFolder folder;
  {
    Idempotency answers(folder.path());
    EXPECT_FALSE(answers.begin("ann", "k", "d", 0));
  }
  Idempotency answers(folder.path());
  EXPECT_ERROR((void)answers.begin("ann", "k", "d", 1), "IDEMPOTENCY_UNKNOWN");
}

TEST(Idempotency, ForgetsAnswersThatSayNotNow) {
  const TempFolder folder;
  Idempotency answers(folder.path());
  for (const int status : {429, 500, 503, 401, 403}) {
    EXPECT_FALSE(answers.begin("ann", "k", "d", 0));
    Response response;
    response.status = status;
    answers.end("ann", "k", response);
  }
  EXPECT_FALSE(answers.begin("ann", "k", "d", 0));
  EXPECT_ERROR((void)answers.begin("ann", "", "d", 0), "IDEMPOTENCY_KEY_INVALID");
  EXPECT_ERROR((void)answers.begin("ann", "a b", "d", 0), "IDEMPOTENCY_KEY_INVALID");
}

TEST(Metrics, CountWithoutNamesOfThings) {
  Metrics metrics;
  metrics.count("models.show", 200, 0.002);
  metrics.count("models.show", 404, 0.002);
  const std::string text = metrics.text({{"flyball_x", 2}});
  EXPECT_NE(text.find("flyball_http_requests_total{operation=\"models.show\",status=\"404\"} 1"),
            std::string::npos);
  EXPECT_NE(text.find("le=\"0.001\"} 0"), std::string::npos);
  EXPECT_NE(text.find("le=\"0.0025\"} 2"), std::string::npos);
  EXPECT_NE(text.find("flyball_x 2"), std::string::npos);
}

TEST(OpenApi, DescribesEveryOperationAndNoFileOfTheServer) {
  const Json doc = openapi(app::operations());
  EXPECT_EQ(doc["openapi"], "3.1.0");
  std::size_t found = 0;
  for (const auto& [path, methods] : doc["paths"].items()) found += methods.size();
  EXPECT_EQ(found, app::operations().size());
  const Json& body = doc["paths"]["/api/v1/imports"]["post"]["requestBody"]["content"];
  EXPECT_TRUE(body.contains("text/csv"));
  EXPECT_FALSE(body["application/json"]["schema"]["properties"].contains("rejects"));
}

TEST(Page, IsThereWithoutASession) {
  Request r = with({});
  const Response found = page(r);
  EXPECT_EQ(found.status, 200);
  EXPECT_NE(found.body.find("flyball"), std::string::npos);
  r.path = {"no-such.js"};
  EXPECT_ERROR(page(r), "ROUTE_MISSING");
  r.method = "POST";
  EXPECT_ERROR(page(r), "METHOD_NOT_ALLOWED");
}

TEST(Address, IsHostAndPort) {
  EXPECT_EQ(parse_address("127.0.0.1:8080").port, 8080);
  EXPECT_EQ(parse_address("[::1]:1").host, "::1");
  EXPECT_TRUE(parse_address("localhost:0").is_loopback());
  EXPECT_FALSE(parse_address("0.0.0.0:8080").is_loopback());
  for (const char* bad : {"", "8080", ":8080", "127.0.0.1:", "127.0.0.1:70000", "127.0.0.1:x"})
    EXPECT_ERROR((void)parse_address(bad), "LISTEN_INVALID");
}

TEST(Pool, WhoTriesAProfileOrAsksForAdviceHoldsNobodyUp) {
  EXPECT_EQ(lane_of(*app::find_operation("optimize profile activate")), Lane::attempt);
  EXPECT_EQ(lane_of(*app::find_operation("optimize solve")), Lane::ask);
  EXPECT_EQ(lane_of(*app::find_operation("optimize accept")), Lane::write);
  EXPECT_EQ(lane_of(*app::find_operation("optimize show")), Lane::read);
  const testing::TempFolder folder;
  const app::DataFolder data{folder.path(), "test"};
  const SystemClock clock;
  app::App(data, clock).create();
  app::JobService jobs(data, clock, "/bin/true");
  Pool pool(data, clock, jobs, 1, 8);
  std::promise<void> go;
  const std::shared_future<void> released(go.get_future());
  ASSERT_TRUE(pool.post(Lane::attempt, [released](Worker&) { released.wait(); }));
  ASSERT_TRUE(pool.post(Lane::ask, [released](Worker&) { released.wait(); }));
  for (const Lane lane : {Lane::write, Lane::read, Lane::ask}) {
    std::promise<void> done;
    ASSERT_TRUE(pool.post(lane, [&done](Worker& worker) {
      (void)worker.app.version({}, {});
      done.set_value();
    }));
    done.get_future().wait();  // for ever, were it behind them
  }
  go.set_value();
  pool.finish();
}

/// Three lanes write, and each may have requests under a key.
TEST(Idempotency, HoldsForThreadsAtTheSameTime) {
  const testing::TempFolder folder;
  Idempotency answers(folder.path());
  std::atomic<int> done = 0;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        const std::string own = std::to_string(t) + "-" + std::to_string(i);
        if (answers.begin("ann", own, "d", 1)) return;
        Response response;
        response.body = own;
        answers.end("ann", own, response);
        const auto again = answers.begin("ann", own, "d", 2);
        done += again && again->body == own ? 1 : 0;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(done, 150);
}

}  // namespace
}  // namespace flyball::serve
