#pragma once
// Everything the product can do, one row each. Loops over this table make the command line, its
// help and completions, the reference docs, and later the HTTP routes and MCP tools.
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.h"
#include "core/progress.h"
#include "govern/authorise.h"

namespace flyball::app {

class App;

/// The right a caller needs (product.md §6).
using Scope = govern::Right;
std::string_view scope_name(Scope scope);

/// What stands in place of the file that an operation reads: it came with the request.
struct Content {
  std::string_view bytes;
  std::string name;                          ///< for records and messages; no path
  std::shared_ptr<const std::string> owned;  ///< keeps `bytes` where nobody else does
};

/// What an operation did, for the audit trail: the object where the request does not name it, and
/// how it was before and became.
struct Change {
  std::string target = {}, line = {};
  Json before = {}, after = {};
};

/// What accompanies a call: how to report progress and how to stop, and who calls.
struct Call {
  ProgressFn progress;
  std::stop_token stop;
  std::optional<govern::Principal> principal =
      std::nullopt;                               ///< absent: the local user, or nobody if remote
  Change* change = nullptr;                       ///< set by run(); may be null
  std::optional<Content> content = std::nullopt;  ///< instead of the input file
  bool remote = false;     ///< came over a wire: no file of this machine is read or written by name
  bool owns_data = false;  ///< the caller holds the lock of the data folder
};

struct Reply {
  Json body;
  int exit_code = 0;  ///< 6 when the answer is "no": gates refused
};

/// Whether a field names a file of this machine. Over a wire an input is content, an output
/// refused.
enum class Local { no, input, output };

/// What an operation is beside reading or writing. noted: it takes no lock, so that it works beside
/// the owner of the data folder, and is yet a row of the audit trail. makes_room: it goes on when
/// the disk is nearly full, as everything that only reads does. asks: it waits for a process that
/// computes advice; tries: it simulates for a while. Both write in short transactions, and the
/// service gives them threads beside the one that writes.
enum class Special { none, noted, makes_room, asks, tries };

/// One field of a request as the command line shows it.
struct Flag {
  std::string name;  ///< JSON name, camelCase
  std::string flag;  ///< kebab-case, without dashes
  std::string doc, unit;
  std::string type;  ///< "text", "number", "integer", "boolean"
  std::string default_text;
  std::vector<std::string> choices;
  bool repeatable = false, required = false, positional = false;
  bool secret = false;  ///< asked for or read from standard input, never an argument
  Local local = Local::no;
};

struct Operation {
  std::string_view name;          ///< stable: "study.run"
  std::string_view verb;          ///< on the command line: "study", "models list"
  std::string_view method, path;  ///< under /api/v1
  Scope scope;
  bool writes;  ///< takes the lock of the data folder, and is a row of the audit trail
  std::string_view summary;
  std::vector<Flag> (*flags)();
  Json (*request_schema)();
  Json (*response_schema)();
  Reply (*invoke)(App& app, const Json& request, const Call& call);
  Special special = Special::none;
};

std::span<const Operation> operations();

/// nullptr when there is none.
const Operation* find_operation(std::string_view verb);

/// The door of every caller. Authorises (throws what govern::authorise() refuses), takes the lock
/// when it writes (unless the caller holds it), and then adds a row to the audit trail however it
/// ended (audited.h). Validates nothing itself: the record of the operation does.
Reply run(const Operation& operation, App& app, const Json& request, const Call& call);

}  // namespace flyball::app
