// Tools for agents: what the protocol says of each message.
#include "serve/mcp.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace flyball::serve {
namespace {

struct Asked {
  std::string operation;
  Json request;
};

class McpTest : public ::testing::Test {
 protected:
  Json ask(const Json& message, const McpHeaders& headers = {}) {
    const auto answer = answer_mcp(message.dump(), caller(), headers);
    return answer ? *answer : Json();
  }
  McpCaller caller() {
    return {[this](const app::Operation& o, const Json& request) {
              asked.push_back({std::string(o.name), request});
              return result;
            },
            [this](const app::Operation& o) { return !o.writes || may_write; }};
  }
  static Json request(const std::string& method, Json params = Json::object(),
                      bool modern = false) {
    if (modern) params["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2026-07-28";
    return {{"jsonrpc", "2.0"}, {"id", 1}, {"method", method}, {"params", params}};
  }
  static int code_of(const Json& answer) {
    return answer.contains("error") ? answer["error"]["code"].get<int>() : 0;
  }

  std::vector<Asked> asked;
  Json result = {{"items", Json::array()}};
  bool may_write = true;
};

TEST_F(McpTest, BothWaysToBegin) {
  const Json old = ask(request("initialize", {{"protocolVersion", "2025-06-18"}}))["result"];
  EXPECT_EQ(old["protocolVersion"], "2025-06-18");
  EXPECT_FALSE(old.contains("resultType"));
  const Json other = ask(request("initialize", {{"protocolVersion", "1999-01-01"}}))["result"];
  EXPECT_EQ(other["protocolVersion"], "2025-11-25");
  const Json found = ask(request("server/discover", {}, true))["result"];
  EXPECT_EQ(found["supportedVersions"][0], "2026-07-28");
  EXPECT_EQ(found["resultType"], "complete");
  EXPECT_EQ(code_of(ask(request("initialize", {}, true))), -32601) << "no handshake any more";
}

TEST_F(McpTest, ToolsAreWhatTheCallerMay) {
  const Json all = ask(request("tools/list"))["result"]["tools"];
  EXPECT_EQ(all.size(), optimizer_tools().size());
  may_write = false;
  const Json fewer = ask(request("tools/list", {}, true))["result"];
  EXPECT_LT(fewer["tools"].size(), all.size());
  EXPECT_TRUE(fewer.contains("ttlMs"));
}

TEST_F(McpTest, NoToolAcceptsSignsOrSets) {
  for (const Tool& tool : optimizer_tools()) {
    const auto o = std::ranges::find(app::operations(), tool.operation, &app::Operation::name);
    ASSERT_NE(o, app::operations().end()) << tool.operation;
    EXPECT_NE(o->scope, app::Scope::approve) << tool.name;
    EXPECT_NE(o->scope, app::Scope::admin) << tool.name;
    EXPECT_NE(o->scope, app::Scope::operate) << tool.name;
  }
}

TEST_F(McpTest, SchemasAreSmallAndSpeakSnakeCase) {
  const Json tools = ask(request("tools/list"))["result"]["tools"];
  EXPECT_LE(tools.size(), 20u);
  EXPECT_LE(tools.dump().size(), 12u * 1024);
  for (const Json& tool : tools) {
    for (const auto& [name, schema] : tool["inputSchema"]["properties"].items())
      EXPECT_EQ(name.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), std::string::npos) << name;
  }
}

TEST_F(McpTest, ACallReachesItsOperation) {
  const Json answer = ask(
      request("tools/call", {{"name", "optimizer_profile_list"}, {"arguments", {{"limit", 3}}}}));
  ASSERT_EQ(asked.size(), 1u);
  EXPECT_EQ(asked[0].operation, "profiles.list");
  EXPECT_EQ(asked[0].request, (Json{{"limit", 3}}));
  EXPECT_EQ(answer["result"]["structuredContent"], result);
  EXPECT_EQ(Json::parse(answer["result"]["content"][0]["text"].get<std::string>()), result);
}

TEST_F(McpTest, ARefusalIsAResultWithItsNextStep) {
  const McpCaller refusing{[](const app::Operation&, const Json&) -> Json {
                             throw Error("TOO_MANY_REQUESTS", {{"limit", 3}});
                           },
                           [](const app::Operation&) { return true; }};
  const auto answer =
      answer_mcp(request("tools/call", {{"name", "optimizer_capabilities"}}).dump(), refusing);
  EXPECT_EQ((*answer)["result"]["isError"], true);
  const Json told = Json::parse((*answer)["result"]["content"][0]["text"].get<std::string>());
  EXPECT_EQ(told["code"], "TOO_MANY_REQUESTS");
  EXPECT_EQ(told["retryable"], true);
}

TEST_F(McpTest, AResultThatIsTooLargeIsRefusedWithItsAddress) {
  result = {{"items", std::string(kMostResult, 'x')}};
  const Json answer = ask(request("tools/call", {{"name", "optimizer_profile_list"}}))["result"];
  EXPECT_EQ(answer["isError"], true);
  EXPECT_NE(answer["content"][0]["text"].get<std::string>().find("/api/v1/optimizer/profiles"),
            std::string::npos);
}

TEST_F(McpTest, WhatIsNoRequestIsSaidSo) {
  EXPECT_EQ(code_of(*answer_mcp("{", caller())), -32700);
  EXPECT_EQ(code_of(*answer_mcp("[]", caller())), -32600);
  EXPECT_EQ(code_of(ask({{"jsonrpc", "2.0"}, {"id", {1}}, {"method", "ping"}})), -32600);
  EXPECT_EQ(code_of(ask({{"jsonrpc", "2.0"}, {"id", 1}, {"method", 7}})), -32600);
  EXPECT_EQ(code_of(ask(request("tools/none"))), -32601);
  EXPECT_EQ(code_of(ask(request("tools/call", {{"name", "optimize accept"}}))), -32602);
  EXPECT_EQ(code_of(ask(request("tools/call", {{"name", 7}}))), -32602);
  EXPECT_EQ(code_of(ask({{"jsonrpc", "2.0"}, {"id", 1}, {"method", "ping"}, {"params", {1}}})),
            -32602);
  EXPECT_EQ(code_of(ask(request("tools/call", {{"name", "optimizer_solve"}, {"arguments", {1}}}))),
            -32602);
  EXPECT_TRUE(asked.empty());
  EXPECT_EQ(answer_mcp(R"({"jsonrpc":"2.0","method":"notifications/initialized"})", caller()),
            std::nullopt);
}

TEST_F(McpTest, HeadersSayWhatTheBodySays) {
  const std::string now = "2026-07-28", method = "tools/list", other = "tools/call";
  EXPECT_EQ(code_of(ask(request("tools/list", {}, true), {true, &now, &method, nullptr})), 0);
  EXPECT_EQ(code_of(ask(request("tools/list", {}, true), {true, &now, &other, nullptr})), -32020);
  EXPECT_EQ(code_of(ask(request("tools/list", {}, true), {true, &now, nullptr, nullptr})), -32020);
  EXPECT_EQ(code_of(ask(request("tools/list"), {true, &now, &method, nullptr})), -32020);
  const std::string unknown = "2030-01-01";
  const Json refused = ask(request("tools/list"), {true, &unknown, nullptr, nullptr});
  EXPECT_EQ(code_of(refused), -32022);
  EXPECT_EQ(refused["error"]["data"]["requested"], unknown);
}

TEST_F(McpTest, TheLaneIsThatOfTheOperation) {
  EXPECT_EQ(operation_of_mcp(request("tools/call", {{"name", "optimizer_solve"}}).dump())->name,
            "bindings.solve");
  EXPECT_EQ(operation_of_mcp(request("tools/list").dump()), nullptr);
  EXPECT_EQ(operation_of_mcp("{"), nullptr);
}

}  // namespace
}  // namespace flyball::serve
