#pragma once
// The child process that studies a dataset, as who started it sees it.
#include <filesystem>

#include "jobs/child.h"
#include "jobs/runner.h"

namespace flyball::app {

struct TrainProcess {
  jobs::ChildEnd end;
  std::string code, text;  ///< of the error that it said; empty: none
};

/// Runs `program` on order.json of the folder, to its end; what it says becomes states and words of
/// the attempt. Throws JOB_PROCESS_START.
TrainProcess run_train_process(jobs::Work& work, const std::filesystem::path& folder,
                               const std::filesystem::path& program,
                               const jobs::ChildLimits& limits);

}  // namespace flyball::app
