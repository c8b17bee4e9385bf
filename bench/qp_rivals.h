#pragma once
#include <string>

namespace flyball::bench {

/// Runs bench/oracles/quadratic_programs.py on the folder, if build/oracles has Python; its lines
/// go to stdout.
void run_rivals(const std::string& folder);

}  // namespace flyball::bench
