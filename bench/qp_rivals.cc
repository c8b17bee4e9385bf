#include "qp_rivals.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace flyball::bench {

namespace fs = std::filesystem;

void run_rivals(const std::string& folder, const std::map<std::string, double>& ours) {
  const std::filesystem::path python =
      std::filesystem::path(FLYBALL_SOURCE_DIR) / "build/oracles/bin/python";
  if (!fs::exists(python)) {
    fmt::print(stderr, "no Python in build/oracles (scripts/bench.sh): no rivals\n");
    return;
  }
  std::fflush(stdout);
  const fs::path file = fs::path(FLYBALL_BINARY_DIR) / "qp_bench_ours.txt";
  {
    std::ofstream out(file);
    for (const auto& [name, us] : ours) out << name << " " << us << "\n";
  }
  const std::string command =
      fmt::format("'{}' '{}/bench/oracles/quadratic_programs.py' '{}' '{}'", python.string(),
                  FLYBALL_SOURCE_DIR, folder, file.string());
  if (std::system(command.c_str()) != 0) fmt::print(stderr, "the rivals failed on {}\n", folder);
}

}  // namespace flyball::bench
