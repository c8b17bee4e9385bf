#pragma once
// Commands that run the service instead of one operation.
#include <span>

#include "cli/command_line.h"

namespace flyball::cli {

/// Rows as in the table of operations, but without a route: `invoke` is null.
std::span<const app::Operation> service_commands();

/// Those of the table, then these.
std::vector<const app::Operation*> all_commands();

/// The exit code.
int run_service_command(const Parsed& parsed);

}  // namespace flyball::cli
