#include "serve/mcp.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "core/version.h"
#include "serve/http.h"

namespace flyball::serve {
namespace {

constexpr std::string_view kModern = "2026-07-28",
                           kVersionKey = "io.modelcontextprotocol/protocolVersion";
constexpr std::array<std::string_view, 2> kWithHandshake{"2025-11-25", "2025-06-18"};
constexpr int kNoJson = -32700, kNoRequest = -32600, kNoMethod = -32601, kBadParams = -32602;
constexpr int kHeadersDiffer = -32020, kRevisionUnknown = -32022;
constexpr std::int64_t kListHoldsMs = 3'600'000;  ///< tools change with the program only

constexpr std::array kOptimizerTools{
    Tool{"optimizer_capabilities", "optimizer.capabilities"},
    Tool{"optimizer_profile_list", "profiles.list"},
    Tool{"optimizer_profile_get", "profiles.show"},
    Tool{"optimizer_binding_list", "bindings.list"},
    Tool{"optimizer_solve", "bindings.solve"},
    Tool{"optimizer_recommendation_list", "advice.list"},
    Tool{"optimizer_recommendation_get", "advice.show"},
    Tool{"optimizer_outcome_record", "advice.outcome"},
};

/// Refused by the protocol, not by an operation.
struct ProtocolError {
  int code;
  std::string text;
  Json data = nullptr;
};

const app::Operation& operation_named(std::string_view name) {
  return *std::ranges::find(app::operations(), name, &app::Operation::name);
}

/// A text of an object; "" where there is none.
std::string text_at(const Json& object, std::string_view key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_string() ? at->get<std::string>() : "";
}

std::string snake(std::string_view camel) {
  std::string out;
  for (const char c : camel) {
    if (c >= 'A' && c <= 'Z') {
      out += '_';
      out += static_cast<char>(c - 'A' + 'a');
    } else {
      out += c;
    }
  }
  return out;
}

/// Fields of the request whose names the agents see; files of the machine are not among them.
std::vector<std::pair<std::string, std::string>> arguments_of(const app::Operation& o) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const app::Flag& f : o.flags()) {
    if (f.local == app::Local::no) out.emplace_back(snake(f.name), f.name);
  }
  return out;
}

Json input_schema(const app::Operation& o) {
  const Json schema = o.request_schema();
  Json out = {{"type", "object"}, {"additionalProperties", false}, {"properties", Json::object()}};
  Json required = Json::array();
  const Json listed = schema.value("required", Json::array());
  for (const auto& [name, field] : arguments_of(o)) {
    if (!schema["properties"].contains(field)) continue;
    out["properties"][name] = schema["properties"][field];
    if (std::ranges::find(listed, Json(field)) != listed.end()) required.push_back(name);
  }
  if (!required.empty()) out["required"] = required;
  return out;
}

/// The fields of the answer, one level deep: what an agent needs to know what to look for.
Json output_schema(const app::Operation& o) {
  Json out = {{"type", "object"}, {"properties", Json::object()}};
  const Json schema = o.response_schema();
  for (const auto& [name, field] : schema["properties"].items()) {
    Json told = Json::object();
    if (field.contains("description")) told["description"] = field["description"];
    if (field.contains("type")) told["type"] = field["type"];
    out["properties"][name] = told;
  }
  return out;
}

Json describe(const Tool& tool) {
  const app::Operation& o = operation_named(tool.operation);
  return {{"name", tool.name},
          {"description", o.summary},
          {"inputSchema", input_schema(o)},
          {"outputSchema", output_schema(o)},
          {"annotations", {{"readOnlyHint", !o.writes}, {"openWorldHint", false}}}};
}

const Tool* find_tool(const Json& params) {
  const std::string name = text_at(params, "name");
  const auto tool = std::ranges::find(kOptimizerTools, name, &Tool::name);
  return tool == kOptimizerTools.end() ? nullptr : &*tool;
}

Json text_content(const std::string& text) {
  return Json::array({{{"type", "text"}, {"text", text}}});
}

Json refusal(const Error& e) {
  Json told = Json::parse(problem(e).body);
  for (const char* of_http : {"type", "title", "status"}) told.erase(of_http);
  return {{"isError", true}, {"content", text_content(canonical(told))}};
}

Json call_tool(const Json& params, const McpCaller& caller) {
  const Tool* tool = find_tool(params);
  if (tool == nullptr)
    throw ProtocolError{
        kBadParams, "there is no tool \"" + text_at(params, "name") + "\"; tools/list names them"};
  const Json given = params.value("arguments", Json::object());
  if (!given.is_object()) throw ProtocolError{kBadParams, "arguments are an object"};
  const app::Operation& o = operation_named(tool->operation);
  const auto known = arguments_of(o);
  Json request = Json::object();
  for (const auto& [name, value] : given.items()) {
    const auto field = std::ranges::find(known, name, [](const auto& a) { return a.first; });
    request[field == known.end() ? name : field->second] = value;
  }
  try {
    const Json body = caller.run(o, request);
    const std::string text = canonical(body);
    if (text.size() > kMostResult) {
      throw Error("MCP_RESULT_LARGE", {{"bytes", text.size(), "bytes"},
                                       {"limit", kMostResult, "bytes"},
                                       {"path", "/api/v1" + std::string(o.path)}});
    }
    return {{"content", text_content(text)}, {"structuredContent", body}};
  } catch (const Error& e) {
    return refusal(e);
  }
}

Json list_tools(const McpCaller& caller, bool modern) {
  Json out = {{"tools", Json::array()}};
  for (const Tool& tool : kOptimizerTools) {
    if (caller.may(operation_named(tool.operation))) out["tools"].push_back(describe(tool));
  }
  if (modern) {
    out["ttlMs"] = kListHoldsMs;
    out["cacheScope"] = "private";
  }
  return out;
}

Json server_info() {
  return {{"name", "flyball"}, {"version", flyball::version()}};
}
constexpr std::string_view kInstructions =
    "Advice for set-points from gated models. optimizer_solve asks; a person accepts or rejects. "
    "Nothing is ever written to a plant. No advice is an answer, and it names its cause.";

Json discover() {
  Json versions = Json::array({kModern});
  for (const std::string_view v : kWithHandshake) versions.push_back(v);
  return {{"supportedVersions", versions},
          {"capabilities", {{"tools", Json::object()}}},
          {"serverInfo", server_info()},
          {"_meta", {{"io.modelcontextprotocol/serverInfo", server_info()}}},
          {"instructions", kInstructions},
          {"ttlMs", kListHoldsMs},
          {"cacheScope", "public"}};
}

/// The revision asked for, else the newest that begins this way: the client decides.
Json initialize(const Json& params) {
  const std::string asked = text_at(params, "protocolVersion");
  const bool spoken = std::ranges::count(kWithHandshake, asked) > 0;
  return {{"protocolVersion", spoken ? asked : std::string(kWithHandshake.front())},
          {"capabilities", {{"tools", Json::object()}}},
          {"serverInfo", server_info()},
          {"instructions", kInstructions}};
}

/// The revision that a request names in itself; "" with a handshake.
std::string revision_of(const Json& params) {
  const Json meta = params.value("_meta", Json::object());
  return meta.is_object() ? text_at(meta, kVersionKey) : "";
}

void check_headers(const Json& message, const std::string& revision, const McpHeaders& headers) {
  const auto unknown = [&](const std::string& v) {
    return v != kModern && std::ranges::count(kWithHandshake, v) == 0;
  };
  const std::string named = !revision.empty()            ? revision
                            : headers.version != nullptr ? *headers.version
                                                         : std::string(kWithHandshake.front());
  if (unknown(named)) {
    throw ProtocolError{kRevisionUnknown,
                        "revision " + named + " is not spoken here",
                        {{"supported", discover()["supportedVersions"]}, {"requested", named}}};
  }
  if (named != kModern) return;
  const Json params = message.value("params", Json::object());
  const auto differs = [&](const std::string* header, const std::string& body) {
    return header == nullptr ? headers.over_http && !body.empty() : *header != body;
  };
  if (revision != kModern || differs(headers.version, revision) ||
      differs(headers.method, text_at(message, "method")) ||
      differs(headers.name, text_at(params, "name")))
    throw ProtocolError{kHeadersDiffer,
                        "MCP-Protocol-Version, Mcp-Method and Mcp-Name say what the body says"};
}

Json result_of(const Json& message, const McpCaller& caller, const McpHeaders& headers) {
  const Json params = message.value("params", Json::object());
  if (!params.is_object()) throw ProtocolError{kBadParams, "params are an object"};
  const std::string revision = revision_of(params);
  check_headers(message, revision, headers);
  const bool modern = revision == kModern;
  const std::string method = text_at(message, "method");
  Json out;
  if (method == "server/discover") {
    out = discover();
  } else if (method == "initialize" && !modern) {
    out = initialize(params);
  } else if (method == "ping" && !modern) {
    out = Json::object();
  } else if (method == "tools/list") {
    out = list_tools(caller, modern);
  } else if (method == "tools/call") {
    out = call_tool(params, caller);
  } else {
    throw ProtocolError{kNoMethod, "there is no method \"" + method +
                                       "\": server/discover, tools/list, tools/call"};
  }
  if (modern) out["resultType"] = "complete";
  return out;
}

Json failure(const Json& id, const ProtocolError& e) {
  Json error = {{"code", e.code}, {"message", e.text}};
  if (!e.data.is_null()) error["data"] = e.data;
  return {{"jsonrpc", "2.0"}, {"id", id}, {"error", error}};
}

bool is_request(const Json& m) {
  return m.is_object() && m.value("jsonrpc", Json()) == "2.0" && m.contains("method") &&
         m["method"].is_string();
}

}  // namespace

std::span<const Tool> optimizer_tools() {
  return kOptimizerTools;
}

std::optional<Json> answer_mcp(std::string_view text, const McpCaller& caller,
                               const McpHeaders& headers) {
  Json message;
  try {
    message = parse_json(text, "message");
  } catch (const Error& e) {
    return failure(nullptr, {kNoJson, e.what()});
  }
  if (!is_request(message))
    return failure(nullptr, {kNoRequest, "one JSON-RPC 2.0 request at a time"});
  if (!message.contains("id")) return std::nullopt;
  const Json& id = message["id"];
  if (!id.is_string() && !id.is_number_integer())
    return failure(nullptr, {kNoRequest, "an id is a string or an integer"});
  try {
    return Json{{"jsonrpc", "2.0"}, {"id", id}, {"result", result_of(message, caller, headers)}};
  } catch (const ProtocolError& e) {
    return failure(id, e);
  }
}

const app::Operation* operation_of_mcp(std::string_view text) {
  try {
    const Json message = parse_json(text, "message");
    if (!is_request(message) || message["method"] != "tools/call") return nullptr;
    const Json params = message.value("params", Json::object());
    const Tool* tool = params.is_object() ? find_tool(params) : nullptr;
    return tool == nullptr ? nullptr : &operation_named(tool->operation);
  } catch (const Error&) {
    return nullptr;  // answer_mcp says what is wrong with it
  }
}

}  // namespace flyball::serve
