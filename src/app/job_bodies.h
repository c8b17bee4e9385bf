#pragma once
// Jobs whose work is done on a thread of the runner, each by an App of its own. Training and
// reports run in a child process: training_body.h.
#include <functional>

#include "app/app.h"
#include "jobs/runner.h"

namespace flyball::app {

struct Bodies {
  const DataFolder& data;
  const Clock& clock;

  jobs::Ending build_dataset(jobs::Work& work) const;
  /// `keep` stores the row; it is called in the transaction of the end.
  jobs::Ending evaluate(jobs::Work& work,
                        std::function<void(const registry::EvaluationRow&)> keep) const;
  jobs::Ending reconcile(jobs::Work& work) const;
  jobs::Ending retain(jobs::Work& work) const;
  /// Throws DISK_LOW.
  void check_disk() const;
};

/// "exp-<digits of the job>-<attempt>": the same attempt gives the same ids.
std::string attempt_id(const char* prefix, const jobs::Job& job);

}  // namespace flyball::app
