#pragma once
// The answer of an import as people read it: the account, the plan of a dry run, notes.
#include "cli/print.h"

namespace flyball::cli {

std::string print_import(const Json& response, const Style& style);

}  // namespace flyball::cli
