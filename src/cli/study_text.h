#pragma once
// The verdict of a study in a terminal.
#include <string>

#include "cli/print.h"

namespace flyball::cli {

/// `report` is a StudyReport as JSON.
std::string print_study(const Json& report, const Style& style);

}  // namespace flyball::cli
