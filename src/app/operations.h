#pragma once
// Everything the product can do, one row each. Loops over this table make the command line, its
// help and completions, the reference docs, and later the HTTP routes and MCP tools.
#include <nlohmann/json.hpp>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.h"
#include "core/progress.h"

namespace flyball::app {

class App;

/// The right a caller needs (product.md §6).
enum class Scope { view, train, evaluate, request, approve, operate, admin };
std::string_view scope_name(Scope scope);

/// What accompanies a call: how to report progress and how to stop.
struct Call {
  ProgressFn progress;
  std::stop_token stop;
};

struct Reply {
  Json body;
  int exit_code = 0;  ///< 6 when the answer is "no": gates refused
};

/// One field of a request as the command line shows it.
struct Flag {
  std::string name;  ///< JSON name, camelCase
  std::string flag;  ///< kebab-case, without dashes
  std::string doc, unit;
  std::string type;  ///< "text", "number", "integer", "boolean"
  std::string default_text;
  std::vector<std::string> choices;
  bool repeatable = false, required = false, positional = false;
};

struct Operation {
  std::string_view name;          ///< stable: "study.run"
  std::string_view verb;          ///< on the command line: "study", "models list"
  std::string_view method, path;  ///< under /api/v1
  Scope scope;
  bool writes;  ///< takes the lock of the data folder
  std::string_view summary;
  std::vector<Flag> (*flags)();
  Json (*request_schema)();
  Json (*response_schema)();
  Reply (*invoke)(App& app, const Json& request, const Call& call);
};

std::span<const Operation> operations();

/// nullptr when there is none.
const Operation* find_operation(std::string_view verb);

/// Validates nothing itself: the record of the operation does. Takes the lock when it writes.
Reply run(const Operation& operation, App& app, const Json& request, const Call& call);

}  // namespace flyball::app
