#pragma once
// Work in a child process of its own process group: it cannot hurt who started it, and it never
// outlives it (PR_SET_PDEATHSIG).
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/process.h"

namespace flyball::jobs {

struct ChildOptions {
  std::vector<std::string> command;      ///< program (an absolute path) and arguments
  std::filesystem::path folder;          ///< where it works
  std::vector<std::string> environment;  ///< "NAME=value", and nothing else is inherited
  std::filesystem::path log;             ///< what it writes is appended here
  ChildLimits limits = {};
  std::function<void(std::string_view)> on_line;  ///< each line of its stdout, cut at 64 KiB
};

/// Runs it to its end. A stop ends the whole group at once. Throws JOB_PROCESS_START.
ChildEnd run_child(const ChildOptions& options, std::stop_token stop);

/// Names and values of this process's environment that a child may see: PATH, TMPDIR, LANG, LC_ALL.
std::vector<std::string> safe_environment();

}  // namespace flyball::jobs
