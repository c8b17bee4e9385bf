#pragma once
// Advice as an operator reads it in a terminal.
#include "cli/print.h"

namespace flyball::cli {

/// The three lines first; then moves, effects, and what to keep in mind.
std::string print_card(const Json& answer, const Style& style);

}  // namespace flyball::cli
