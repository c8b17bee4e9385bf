#include "serve/router.h"

#include <gtest/gtest.h>

#include <set>

#include "support/expect_error.h"

namespace flyball::serve {
namespace {

const Router& router() {
  static const Router all(app::operations());
  return all;
}

Match match(std::string_view method, const std::vector<std::string>& path) {
  return router().match(method, path);
}

Request request(std::string method, std::vector<std::pair<std::string, std::string>> query,
                std::string body = "") {
  Request out;
  out.method = std::move(method);
  out.query = std::move(query);
  if (!body.empty()) out.headers.push_back({"content-type", "application/json"});
  out.body = std::move(body);
  return out;
}

TEST(Router, FindsEveryOperationByItsOwnPath) {
  for (const app::Operation& o : app::operations()) {
    std::vector<std::string> path;
    std::string rest(o.path.substr(1));
    for (std::size_t at = 0; at <= rest.size();) {
      const auto slash = std::min(rest.find('/', at), rest.size());
      const std::string word = rest.substr(at, slash - at);
      path.push_back(word.front() == '{' ? "x" + std::to_string(at) : word);
      at = slash + 1;
    }
    EXPECT_EQ(match(o.method, path).route->operation->name, o.name) << o.path;
  }
}

TEST(Router, WordsWinOverParameters) {
  EXPECT_EQ(match("GET", {"tags", "survey"}).route->operation->name, "tags.survey");
  const Match m = match("GET", {"tags", "T1"});
  EXPECT_EQ(m.route->operation->name, "tags.show");
  EXPECT_EQ(m.parameters, (std::vector<std::string>{"T1"}));
}

TEST(Router, HeadIsAGet) {
  EXPECT_EQ(match("HEAD", {"models"}).route->operation->name, "models.list");
}

TEST(Router, SaysWhatIsMissing) {
  try {
    (void)match("PUT", {"models"});
    FAIL();
  } catch (const Refused& e) {
    EXPECT_EQ(e.status, 405);
    EXPECT_EQ(router().allowed(std::vector<std::string>{"models"}), "GET");
  }
  try {
    (void)match("GET", {"no-such"});
    FAIL();
  } catch (const Refused& e) {
    EXPECT_EQ(e.status, 404);
  }
}

TEST(Router, DoesNotStartWithARouteThatNeedsNoRight) {
  app::Operation open = app::operations().front();
  open.scope = static_cast<app::Scope>(99);
  EXPECT_ERROR(Router(std::span(&open, 1)), "ROUTE_WITHOUT_POLICY");
  app::Operation writer = app::operations().front();
  writer.method = "GET";
  writer.writes = true;
  EXPECT_ERROR(Router(std::span(&writer, 1)), "ROUTE_WITHOUT_POLICY");
}

TEST(RequestJson, TakesParametersQueryAndBody) {
  const Json list = request_json(match("GET", {"models"}), request("GET", {{"limit", "5"}}));
  EXPECT_EQ(list, (Json{{"limit", 5}}));
  const Json set = request_json(match("PATCH", {"config", "gates.nrmse"}),
                                request("PATCH", {}, R"({"value":"0.2","reason":"noise"})"));
  EXPECT_EQ(set, (Json{{"key", "gates.nrmse"}, {"value", "0.2"}, {"reason", "noise"}}));
}

TEST(RequestJson, RepeatsMakeListsAndTimesAreTexts) {
  const Json survey =
      request_json(match("GET", {"tags", "survey"}), request("GET", {{"tag", "A"}, {"tag", "B"}}));
  EXPECT_EQ(survey["tag"], (Json{"A", "B"}));
  const Json samples = request_json(match("GET", {"samples", "T1"}),
                                    request("GET", {{"from", "1970-01-01T00:00:01Z"}}));
  EXPECT_EQ(samples["from"], 1'000'000);
}

TEST(RequestJson, ReportsEveryProblemAtItsPlace) {
  try {
    (void)request_json(
        match("GET", {"models"}),
        request("GET", {{"limit", "five"}, {"limitt", "5"}, {"cursor", "a"}, {"cursor", "b"}}));
    FAIL();
  } catch (const Error& e) {
    std::set<std::string> at;
    for (const Problem& p : e.problems()) at.insert(p.pointer + " " + p.message.code);
    EXPECT_EQ(at, (std::set<std::string>{"/limit QUERY_VALUE", "/limitt FIELD_UNKNOWN",
                                         "/cursor FIELD_TWICE"}));
  }
}

TEST(RequestJson, AFieldIsGivenOnce) {
  EXPECT_ERROR((void)request_json(match("PATCH", {"config", "gates.nrmse"}),
                                  request("PATCH", {}, R"({"key":"gates.rolloutNrmse"})")),
               "SPEC_INVALID");
}

/// Whatever names a file of the server is refused in a query, and an output everywhere; an input
/// stands for its content.
TEST(RequestJson, NoRequestNamesAFileOfTheServer) {
  for (const Route& route : router().routes()) {
    for (const app::Flag& flag : route.flags) {
      if (flag.local == app::Local::no) continue;
      Match m{&route, std::vector<std::string>(route.parts.size(), "x")};
      EXPECT_ERROR((void)request_json(m, request("POST", {{flag.name, "/etc/passwd"}})),
                   "SPEC_INVALID")
      if (flag.local == app::Local::output) {
        EXPECT_ERROR(
            (void)request_json(m, request("POST", {}, "{\"" + flag.name + "\":\"/etc/passwd\"}")),
            "SPEC_INVALID")
      }
    }
  }
}

TEST(RequestJson, FieldsThatSpeakOfFilesAreMarkedAsSuch) {
  for (const Route& route : router().routes()) {
    for (const app::Flag& flag : route.flags) {
      for (const char* name : {"file", "out", "rejects", "folder", "path", "spec"}) {
        if (flag.name == name) {
          EXPECT_NE(flag.local, app::Local::no) << route.operation->name << " " << name;
        }
      }
    }
  }
}

TEST(Content, IsTheBodyOrAFieldOfIt) {
  const Match m = match("POST", {"imports"});
  Request upload = request("POST", {{"line", "L"}});
  upload.headers.push_back({"content-type", "text/csv"});
  upload.body = "t,a\n1,2\n";
  Json json = request_json(m, upload);
  const auto content = take_content(*m.route, upload, json, "june.csv");
  ASSERT_TRUE(content);
  EXPECT_EQ(content->bytes, "t,a\n1,2\n");
  EXPECT_EQ(json["file"], "june.csv");

  const Request inside = request("POST", {}, R"({"line":"L","file":"t,a\n1,2\n"})");
  json = request_json(m, inside);
  const auto text = take_content(*m.route, inside, json, "upload");
  ASSERT_TRUE(text);
  EXPECT_EQ(text->bytes, "t,a\n1,2\n");
  EXPECT_EQ(json["file"], "upload");
}

TEST(Content, OfASpecMayBeAnObject) {
  const Match m = match("POST", {"datasets"});
  const Request r = request("POST", {}, R"({"spec":{"lineId":"L"}})");
  Json json = request_json(m, r);
  const auto content = take_content(*m.route, r, json, "upload");
  ASSERT_TRUE(content);
  EXPECT_EQ(content->bytes, R"({"lineId":"L"})");
}

}  // namespace
}  // namespace flyball::serve
