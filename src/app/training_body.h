#pragma once
// A training job: an order for a child process of our own program, and what is kept of its answer.
#include <filesystem>
#include <mutex>

#include "app/train_process.h"
#include "app/train_requests.h"
#include "jobs/runner.h"
#include "registry/registry.h"
#include "registry/settings_store.h"

namespace flyball::app {

class TrainingBody {
 public:
  struct Needs {
    std::filesystem::path data, program;
    const Clock& clock;
    registry::Registry& registry;
    registry::SettingsStore& settings;
    std::recursive_mutex& guard;  ///< of the connection
  };
  explicit TrainingBody(Needs needs) : needs_(std::move(needs)) {}

  /// Success means that a model id exists; whatever the outcome an experiment is kept.
  jobs::Ending run(jobs::Work& work);
  /// The report of an experiment made again: the same study in a child process, which must give the
  /// same model; its pages replace those in reports/<experiment>/.
  jobs::Ending rebuild(jobs::Work& work);
  /// An attempt that did not end by itself is an experiment too. One whose child had finished is
  /// concluded as if nothing had happened.
  void abandon(const jobs::Job& job, jobs::Ending& ending);

 private:
  TrainOrder order_of(const jobs::Job& job);
  TrainOrder order_on(const TrainRequest& request);
  TrainOrder order_again(const registry::ExperimentRow& experiment);
  void prepare(const jobs::Job& job, const TrainOrder& order) const;
  TrainProcess process(jobs::Work& work, const std::filesystem::path& where);
  jobs::Ending compare(const registry::ExperimentRow& experiment, const jobs::Job& job) const;
  std::optional<TrainResult> result_of(const jobs::Job& job) const;
  jobs::Ending conclude(const jobs::Job& job, TrainResult result);
  jobs::Ending refused(const jobs::Job& job, const Message& why, jobs::State state);
  [[nodiscard]] std::filesystem::path folder(const jobs::Job& job) const;

  Needs needs_;
};

}  // namespace flyball::app
