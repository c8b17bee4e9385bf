// A whole service over real sockets.
#include <gtest/gtest.h>

#include "serve/live_server.h"

namespace flyball::serve {
namespace {

Json json_of(const RawAnswer& answer) {
  return Json::parse(answer.body, nullptr, false);
}

TEST(Live, OnlyHealthPageSessionAndSetupAreOpen) {
  const LiveServer live;
  EXPECT_EQ(live.ask("GET", "/healthz").status, 200);
  EXPECT_EQ(live.ask("GET", "/").status, 200);
  EXPECT_EQ(live.ask("GET", "/api/v1/setup").status, 200);
  for (const char* target :
       {"/readyz", "/metrics", "/api/v1/openapi.json", "/api/v1/events", "/api/v1/session"})
    EXPECT_EQ(live.ask("GET", target).status, 401) << target;
  EXPECT_EQ(live.ask("GET", "/mcp").status, 405) << "no stream of its own";
  EXPECT_EQ(live.ask("POST", "/mcp", "Content-Type: application/json\r\n",
                     R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})")
                .status,
            401);
  for (const app::Operation& o : app::operations()) {
    std::string path = "/api/v1" + std::string(o.path);
    for (auto open = path.find('{'); open != std::string::npos; open = path.find('{'))
      path.replace(open, path.find('}') - open + 1, "x");
    const RawAnswer answer = live.ask(std::string(o.method), path);
    EXPECT_EQ(answer.status, 401) << o.name;
    EXPECT_EQ(answer.field("Content-Type"), "application/problem+json") << o.name;
  }
}

TEST(Live, TheFirstStartMakesOneAdministrator) {
  LiveServer live;
  const std::string link = live.server().link();
  const auto at = link.find("#setup=");
  ASSERT_NE(at, std::string::npos) << link;
  const std::string token = link.substr(at + 7);
  EXPECT_TRUE(json_of(live.ask("GET", "/api/v1/setup"))["needed"].get<bool>());
  const auto claim = [&](const std::string& with) {
    return live.ask(
        "POST", "/api/v1/setup", "",
        canonical({{"token", with}, {"user", "ada"}, {"password", "correct horse battery"}}));
  };
  EXPECT_EQ(claim("wrong").status, 403);
  const RawAnswer made = claim(token);
  ASSERT_EQ(made.status, 200) << made.body;
  EXPECT_NE(claim(token).status, 200);
  EXPECT_FALSE(json_of(live.ask("GET", "/api/v1/setup"))["needed"].get<bool>());

  const std::string set = made.field("Set-Cookie");
  for (const char* word : {"HttpOnly", "SameSite=Strict", "Path=/"})
    EXPECT_NE(set.find(word), std::string::npos) << set;
  const std::string cookie = "Cookie: " + set.substr(0, set.find(';')) + "\r\n";
  const RawAnswer who = live.ask("GET", "/api/v1/session", cookie);
  EXPECT_EQ(json_of(who)["user"], "ada");
  const std::string csrf = json_of(who)["csrf"].get<std::string>();
  EXPECT_EQ(csrf, json_of(made)["csrf"]);

  const std::string line = R"({"id":"L1"})";
  EXPECT_EQ(live.ask("POST", "/api/v1/lines", cookie, line).status, 403) << "without its token";
  EXPECT_EQ(live.ask("POST", "/api/v1/lines", cookie + "X-CSRF-Token: x\r\n", line).status, 403);
  EXPECT_EQ(
      live.ask("POST", "/api/v1/lines", cookie + "X-CSRF-Token: " + csrf + "\r\n", line).status,
      200);
  EXPECT_EQ(live.ask("DELETE", "/api/v1/session", cookie + "X-CSRF-Token: " + csrf + "\r\n").status,
            204);
  EXPECT_EQ(live.ask("GET", "/api/v1/session", cookie).status, 401);
}

TEST(Live, PasswordsThatAreWrongAreCountedAndTheAnswerTellsNothing) {
  LiveServer live;
  (void)live.token("ann", {govern::Right::view});
  const auto sign_in = [&](const std::string& user, const std::string& password) {
    return live.ask("POST", "/api/v1/session", "",
                    canonical({{"user", user}, {"password", password}}));
  };
  const RawAnswer wrong = sign_in("ann", "wrong password"),
                  unknown = sign_in("eve", "wrong password");
  EXPECT_EQ(wrong.status, unknown.status);
  EXPECT_EQ(json_of(wrong)["detail"], json_of(unknown)["detail"]);
  EXPECT_EQ(sign_in("ann", LiveServer::kPassword).status, 200);
  int last = 0;
  for (int i = 0; i < 8 && last != 429; ++i) last = sign_in("ann", "wrong password").status;
  EXPECT_EQ(last, 429);
}

TEST(Live, KeepsAConnectionForManyRequestsAlsoSentAtOnce) {
  const LiveServer live;
  RawClient client(live.port());
  EXPECT_EQ(client.ask(live.request("GET", "/healthz")).status, 200);
  EXPECT_EQ(client.ask(live.request("GET", "/nothing.here")).status, 404);
  EXPECT_EQ(client.ask(live.request("HEAD", "/healthz")).field("Content-Length"), "15");
  client.send(live.request("GET", "/healthz") + live.request("GET", "/healthz"));
  EXPECT_EQ(client.answer().status, 200);
  EXPECT_EQ(client.answer().status, 200);
  EXPECT_EQ(client.ask(live.request("GET", "/healthz", "Connection: close\r\n")).status, 200);
  EXPECT_TRUE(client.closed());
}

TEST(Live, RefusesSmugglingAndCloses) {
  const LiveServer live;
  const std::string host = "Host: localhost:" + std::to_string(live.port()) + "\r\n";
  const std::string post =
      "POST /api/v1/session HTTP/1.1\r\n" + host + "Content-Type: application/json\r\n";
  const std::string chunked = post + "Transfer-Encoding: chunked\r\n\r\n";
  const std::string hidden = "GET /healthz HTTP/1.1\r\n" + host + "\r\n";
  const std::pair<const char*, std::string> corpus[]{
      {"length and chunks",
       post + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden},
      {"two lengths", post + "Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}" + hidden},
      {"a bare LF", "GET / HTTP/1.1\n" + host + "\n"},
      {"a folded field", "GET / HTTP/1.1\r\n" + host + "X: a\r\n b\r\n\r\n"},
      {"a chunk extension", chunked + "2;x=y\r\n{}\r\n0\r\n\r\n" + hidden},
      {"a size that is no number", chunked + "zz\r\n{}\r\n0\r\n\r\n" + hidden},
      {"a negative size", chunked + "-2\r\n{}\r\n0\r\n\r\n" + hidden},
      {"a size beyond all numbers", chunked + "ffffffffffffffffff\r\n{}\r\n0\r\n\r\n" + hidden},
      {"a size with 0x", chunked + "0x2\r\n{}\r\n0\r\n\r\n" + hidden},
      {"a chunk longer than its size", chunked + "1\r\n{}\r\n0\r\n\r\n" + hidden},
      {"a bare LF behind a size", chunked + "2\n{}\n0\n\n" + hidden},
      {"another host's address", "GET http://evil.example/ HTTP/1.1\r\n" + host + "\r\n"},
      {"NUL", "GET /\0 HTTP/1.1\r\n" + host + "\r\n"},
      {"an escaped NUL", "GET /%00 HTTP/1.1\r\n" + host + "\r\n"},
      {"an escaped slash", "GET /api%2fv1/models HTTP/1.1\r\n" + host + "\r\n"},
      {"dot segments", "GET /api/../healthz HTTP/1.1\r\n" + host + "\r\n"},
      {"TLS on a plain port", std::string("\x16\x03\x01\x02\x00\x01\x00\n", 8)},
  };
  for (const auto& [what, bytes] : corpus) {
    RawClient client(live.port());
    client.send(bytes);
    const RawAnswer answer = client.answer();
    EXPECT_EQ(answer.status, 400) << what;
    EXPECT_TRUE(client.closed()) << what << ": nothing that follows is read";
  }
}

TEST(Live, OtherNamesAndOtherSitesAreRefused) {
  LiveServer live;
  const std::string token = live.admin("ann");
  RawClient client(live.port());
  EXPECT_EQ(
      client.ask("GET /api/v1/models HTTP/1.1\r\nHost: evil.example\r\n" + token + "\r\n").status,
      421);
  for (const char* method : {"GET", "POST", "PATCH", "DELETE"})
    EXPECT_EQ(live.ask(method, "/api/v1/models", token + "Origin: http://evil.example\r\n").status,
              403)
        << method;
  EXPECT_EQ(live.ask("GET", "/api/v1/models", token).status, 200);
}

TEST(Live, AnswersCarryTheHeadersThatBrowsersObey) {
  LiveServer live;
  const std::string token = live.admin("ann");
  for (const RawAnswer& answer :
       {live.ask("GET", "/"), live.ask("GET", "/api/v1/models", token), live.ask("GET", "/healthz"),
        live.ask("GET", "/api/v1/nothing", token), live.ask("GET", "/a%00")}) {
    EXPECT_EQ(answer.field("X-Content-Type-Options"), "nosniff") << answer.head;
    EXPECT_EQ(answer.field("Referrer-Policy"), "no-referrer");
    const std::string csp = answer.field("Content-Security-Policy");
    EXPECT_NE(csp.find("default-src 'self'"), std::string::npos);
    EXPECT_NE(csp.find("frame-ancestors 'none'"), std::string::npos);
    EXPECT_EQ(csp.find("unsafe"), std::string::npos);
  }
}

TEST(Live, SaysWhatIsWrongWithARequest) {
  LiveServer live;
  const std::string token = live.admin("ann");
  const auto status = [&](const char* method, const char* target, const std::string& fields = "",
                          const std::string& body = "") {
    return live.ask(method, target, token + fields, body).status;
  };
  EXPECT_EQ(status("GET", "/api/v1/no-such"), 404);
  const RawAnswer method = live.ask("PUT", "/api/v1/models", token);
  EXPECT_EQ(method.status, 405);
  EXPECT_EQ(method.field("Allow"), "GET");
  EXPECT_EQ(status("GET", "/api/v1/models", "Accept: text/html\r\n"), 406);
  EXPECT_EQ(status("GET", "/api/v1/models", "Accept: application/*\r\n"), 200);
  EXPECT_EQ(status("POST", "/api/v1/lines", "Content-Type: text/xml\r\n", "<a/>"), 415);
  EXPECT_EQ(status("POST", "/api/v1/lines", "", "{"), 422);
  EXPECT_EQ(status("POST", "/api/v1/lines", "", std::string(100, '[')), 422);
  EXPECT_EQ(status("POST", "/api/v1/lines", "", "{\"id\":1e999}"), 422);
  EXPECT_EQ(status("POST", "/api/v1/lines", "", "{\"id\":\"\xff\"}"), 422);
  EXPECT_EQ(status("GET", "/api/v1/models", "Origin: \xff\xfe\r\n"), 403) << "bytes that are no text";
  EXPECT_EQ(status("GET", "/api/v1/models", "", "{}"), 400);
  EXPECT_EQ(status("GET", "/api/v1/models/mdl-none"), 404);
  const RawAnswer fields = live.ask("POST", "/api/v1/lines", token, R"({"idd":"L","x":1})");
  EXPECT_EQ(fields.status, 422);
  EXPECT_EQ(json_of(fields)["code"], "SPEC_INVALID");
  EXPECT_EQ(json_of(fields)["errors"].size(), 3u) << fields.body;
}

TEST(Live, ABodyBeyondItsLimitIsRefusedBeforeItIsSent) {
  ServeRequest request;
  request.body_limit = 1;
  LiveServer live(request);
  const std::string token = live.admin("ann");
  RawClient client(live.port());
  client.send("POST /api/v1/lines HTTP/1.1\r\nHost: localhost:" + std::to_string(live.port()) +
              "\r\n" + token + "Content-Type: application/json\r\nContent-Length: 1000001\r\n\r\n");
  EXPECT_EQ(client.answer().status, 413);
  EXPECT_EQ(live.ask("POST", "/api/v1/lines",
                     "Content-Type: application/json\r\n"
                     "Content-Length: 900000\r\n")
                .status,
            401)
      << "nobody uploads before he is known";
}

TEST(Live, EtagsSaveAnswersAndGuardChanges) {
  LiveServer live;
  const std::string token = live.admin("ann");
  ASSERT_EQ(live.ask("POST", "/api/v1/plants", token,
                     R"({"file":{"schemaVersion":1,"line":{"id":"L"},"products":[{"id":"P"}],)"
                     R"("recipes":[{"id":"R","productId":"P"}]}})")
                .status,
            200);
  const std::string target = "/api/v1/recipes/R?line=L&product=P";
  const RawAnswer first = live.ask("GET", target, token);
  ASSERT_EQ(first.status, 200) << first.body;
  const std::string tag = first.field("ETag");
  EXPECT_EQ(live.ask("GET", target, token + "If-None-Match: " + tag + "\r\n").status, 304);
  const std::string del = "/api/v1/recipes/R?line=L&product=P";
  EXPECT_EQ(live.ask("DELETE", del, token).status, 428);
  EXPECT_EQ(live.ask("DELETE", del, token + "If-Match: \"0000\"\r\n").status, 412);
  EXPECT_EQ(live.ask("DELETE", del, token + "If-Match: " + tag + "\r\n").status, 200);
  EXPECT_EQ(live.ask("GET", target, token).status, 404);
}

TEST(Live, AnIdempotencyKeyMakesOneLine) {
  LiveServer live;
  const std::string token = live.admin("ann");
  const std::string key = token + "Idempotency-Key: k1\r\n";
  const RawAnswer first = live.ask("POST", "/api/v1/lines", key, R"({"id":"L"})");
  ASSERT_EQ(first.status, 200) << first.body;
  const RawAnswer again = live.ask("POST", "/api/v1/lines", key, R"({"id":"L"})");
  EXPECT_EQ(again.status, 200);
  EXPECT_EQ(again.body, first.body);
  EXPECT_EQ(again.field("Idempotency-Replayed"), "true");
  EXPECT_EQ(live.ask("POST", "/api/v1/lines", key, R"({"id":"M"})").status, 422);
  EXPECT_EQ(live.ask("POST", "/api/v1/lines", token, R"({"id":"L"})").status, 409)
      << "without a key it is done again";
}

TEST(Live, EventsComeAsTheyHappenAndGoOnAfterABreak) {
  LiveServer live;
  const std::string token = live.admin("ann");
  ASSERT_EQ(live.ask("POST", "/api/v1/lines", token, R"({"id":"L"})").status, 200);
  const auto add = [&](const char* id) {
    return live.ask("POST", "/api/v1/products", token,
                    R"({"line":"L","id":")" + std::string(id) + "\"}").status;
  };
  RawClient listener(live.port());
  listener.send(live.request("GET", "/api/v1/events", token));
  listener.until("retry:");
  ASSERT_EQ(add("P1"), 200);
  EXPECT_NE(listener.until("\"P1\"").find("event: change"), std::string::npos);
  ASSERT_EQ(add("P2"), 200);
  RawClient later(live.port());
  later.send(live.request("GET", "/api/v1/events", token + "Last-Event-ID: 2\r\n"));
  const std::string got = later.until("\"P2\"");
  EXPECT_NE(got.find("id: 3"), std::string::npos);
  EXPECT_EQ(got.find("\"P1\""), std::string::npos);
  live.stop();
  EXPECT_NE(later.until("closing").find("event: closing"), std::string::npos);
  EXPECT_TRUE(later.closed());
}

TEST(Live, ALineWithoutAGrantIsNotSeen) {
  LiveServer live;
  const std::string all = live.admin("ann");
  ASSERT_EQ(live.ask("POST", "/api/v1/lines", all, R"({"id":"open"})").status, 200);
  ASSERT_EQ(live.ask("POST", "/api/v1/lines", all, R"({"id":"secret"})").status, 200);
  const std::string bob =
      LiveServer::bearer(live.token("bob", {govern::Right::view, govern::Right::operate},
                                    {{"open", govern::Grant::read}}, govern::Grant::none));
  const Json lines = json_of(live.ask("GET", "/api/v1/lines", bob));
  ASSERT_EQ(lines["items"].size(), 1u) << lines;
  EXPECT_EQ(lines["items"][0]["id"], "open");
  EXPECT_EQ(live.ask("GET", "/api/v1/plants/open", bob).status, 200);
  EXPECT_EQ(live.ask("GET", "/api/v1/plants/secret", bob).status, 403);
  EXPECT_EQ(live.ask("GET", "/api/v1/tags?line=secret", bob).status, 403);
  EXPECT_EQ(live.ask("POST", "/api/v1/products", bob, R"({"line":"open","id":"P"})").status, 403)
      << "may look, not touch";
  EXPECT_EQ(live.ask("POST", "/api/v1/plants", bob,
                     R"({"file":{"schemaVersion":1,"line":{"id":"secret"}}})")
                .status,
            403);
}

TEST(Live, AnImportOverHttpGivesTheAccountOfTheCommandLine) {
  LiveServer live;
  const std::string token = live.admin("ann");
  std::string table = "a,b\n";
  for (int i = 0; i < 200; ++i)
    table += std::to_string(i % 7) + "," + (i == 50 ? "oops" : "1.5") + "\n";
  const std::string as = token + "Content-Type: text/csv\r\nX-File-Name: ../../june.csv\r\n";
  const RawAnswer done = live.ask("POST", "/api/v1/imports?line=L&period=1s", as, table);
  ASSERT_EQ(done.status, 200) << done.body;
  const Json account = json_of(done)["account"];
  EXPECT_EQ(account["rowsIn"], 200);
  EXPECT_EQ(
      account["rowsIn"].get<int>(),
      account["stored"].get<int>() + account["rejected"].get<int>() + account["merged"].get<int>());
  const Json imports = json_of(live.ask("GET", "/api/v1/imports?line=L", token));
  ASSERT_EQ(imports["items"].size(), 1u) << imports;
  EXPECT_NE(canonical(imports).find("june.csv"), std::string::npos);
  EXPECT_EQ(canonical(imports).find(".."), std::string::npos);
  EXPECT_EQ(json_of(live.ask("GET", "/api/v1/samples/a?line=L&limit=3", token))["items"].size(),
            3u);
}

TEST(Live, MetricsAndReadinessAreForThoseSignedIn) {
  LiveServer live;
  const std::string token = LiveServer::bearer(live.token("ann", {govern::Right::view}));
  const Json ready = json_of(live.ask("GET", "/readyz", token));
  EXPECT_TRUE(ready["ready"].get<bool>()) << ready;
  const std::string text = live.ask("GET", "/metrics", token).body;
  for (const char* name : {"flyball_open_connections", "flyball_resident_bytes",
                           "flyball_http_requests_total{operation=\"service\",status=\"200\"}"})
    EXPECT_NE(text.find(name), std::string::npos) << text;
}

TEST(Live, StoppingLetsWhatRunsEnd) {
  LiveServer live;
  const std::string token = live.admin("ann");
  RawClient idle(live.port()), half(live.port());
  (void)idle.ask(live.request("GET", "/healthz"));
  const std::string bytes = live.request("POST", "/api/v1/lines", token, R"({"id":"L"})");
  half.send(bytes.substr(0, bytes.size() - 3));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  std::thread stopping([&] { live.server().stop(); });
  EXPECT_TRUE(idle.closed());
  half.send(bytes.substr(bytes.size() - 3));
  const RawAnswer answer = half.answer();
  EXPECT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(answer.field("Connection"), "close");
  stopping.join();
  EXPECT_ANY_THROW(RawClient(live.port()).ask(live.request("GET", "/healthz")));
}

}  // namespace
}  // namespace flyball::serve
