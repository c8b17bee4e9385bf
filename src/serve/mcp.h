#pragma once
// Tools for agents: the Model Context Protocol over the table of operations.
//
// One JSON-RPC 2.0 message in, one out; no state is kept. Revision 2026-07-28 names its version in
// every request (params._meta) and finds out by server/discover; 2025-11-25 and 2025-06-18 begin
// with initialize. A tool is an operation under the name and in the snake_case of the agents'
// vocabulary; what it may do is what its caller may do. None accepts advice, signs, or changes a
// role, a limit or a gate.
//
// Refusals of an operation are results with isError: code, text, retryable, what to do. Errors of
// the protocol: −32700 no JSON, −32600 no request, −32601 no such method, −32602 no such tool or
// its arguments are no object, −32020 headers differ from the body, −32022 revision not spoken.
// Source: the protocol's specification, revisions 2025-11-25 and 2026-07-28.
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "app/operations.h"

namespace flyball::serve {

struct Tool {
  std::string_view name;       ///< "optimizer_solve"
  std::string_view operation;  ///< name of the row: "bindings.solve"
};

std::span<const Tool> optimizer_tools();

/// Most bytes of a result, about 8 000 tokens; what is larger is refused with the address where it
/// can be read.
inline constexpr std::size_t kMostResult = 30'000;

/// How the transport carries out what a tool asks, and which tools its caller sees.
struct McpCaller {
  std::function<Json(const app::Operation&, const Json& request)> run;  ///< throws Error
  std::function<bool(const app::Operation&)> may;
};

/// Headers that mirror the body over HTTP, where 2026-07-28 wants all that have something to say.
struct McpHeaders {
  bool over_http = false;
  const std::string* version = nullptr;
  const std::string* method = nullptr;
  const std::string* name = nullptr;
};

/// The answer; nullopt to a notification.
std::optional<Json> answer_mcp(std::string_view message, const McpCaller& caller,
                               const McpHeaders& headers = {});

/// The operation that a message calls; nullptr where it calls none.
const app::Operation* operation_of_mcp(std::string_view message);

}  // namespace flyball::serve
