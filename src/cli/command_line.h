#pragma once
// Arguments to a request, by the operations table.
#include <functional>
#include <string>
#include <vector>

#include "app/operations.h"

namespace flyball::cli {

struct Globals {
  std::string data;
  bool json = false;
  bool quiet = false;
  bool no_input = false;
};

/// What the arguments ask for: an operation with its request, or a command of the command line
/// itself (completions, docs, schema), or a text to print (help).
struct Parsed {
  const app::Operation* operation = nullptr;
  Json request;
  std::vector<std::string> secrets;  ///< fields of the request still to be asked for
  std::string own_command;
  std::vector<std::string> own_arguments;
  std::string help;
  Globals globals;
};

/// Throws USAGE, FLAG_VALUE, COMMAND_UNKNOWN, each with the nearest right word.
Parsed parse_arguments(const std::vector<std::string>& arguments);

/// A flag's text as JSON of its type; throws FLAG_VALUE.
Json flag_value(const app::Flag& flag, const std::string& text);

/// Commands beside the operations: name, arguments, what they do.
struct OwnCommand {
  std::string_view name, arguments, summary;
};
std::span<const OwnCommand> own_commands();

/// Flags that every command takes: name, argument ("" = none), what it does.
std::span<const OwnCommand> global_flags();

}  // namespace flyball::cli
