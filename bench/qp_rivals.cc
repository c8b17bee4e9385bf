#include "qp_rivals.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace flyball::bench {

void run_rivals(const std::string& folder) {
  const std::filesystem::path python =
      std::filesystem::path(FLYBALL_SOURCE_DIR) / "build/oracles/bin/python";
  if (!std::filesystem::exists(python)) {
    fmt::print(stderr, "no Python in build/oracles (scripts/bench.sh): no rivals\n");
    return;
  }
  std::fflush(stdout);
  const std::string command = fmt::format("'{}' '{}/bench/oracles/quadratic_programs.py' '{}'",
                                          python.string(), FLYBALL_SOURCE_DIR, folder);
  if (std::system(command.c_str()) != 0) fmt::print(stderr, "the rivals failed on {}\n", folder);
}

}  // namespace flyball::bench
