#pragma once
#include <map>
#include <string>

namespace flyball::bench {

/// Runs bench/oracles/quadratic_programs.py on the folder, if build/oracles has Python; its lines
/// go to stdout. `ours`: microseconds by name, of this run.
void run_rivals(const std::string& folder, const std::map<std::string, double>& ours);

}  // namespace flyball::bench
