#pragma once
// Jobs of a data folder: the queue in flyball.db, the runner, and the body of each kind. One exists
// while work is done: in `flyball serve`, or for the length of a command.
#include <filesystem>
#include <memory>

#include "app/app.h"
#include "app/train_requests.h"
#include "jobs/runner.h"
#include "jobs/sqlite_queue.h"
#include "jobs/worker_pool.h"
#include "registry/training_plans.h"

namespace flyball::app {

/// This program, which the child processes run.
std::filesystem::path own_program();

class JobService {
 public:
  /// Takes the lock of nobody: who makes one owns the data folder. `program` runs the children.
  JobService(
      const DataFolder& data, const Clock& clock, std::filesystem::path program,
      jobs::Runner::Watch watch = {},
      std::function<void(const std::string&)> trouble = [](const std::string&) {});
  ~JobService();
  JobService(const JobService&) = delete;
  JobService& operator=(const JobService&) = delete;

  /// Ends what a dead process left, then takes jobs.
  void start();
  /// Submits retention every retention.everyHours, and follows the training plans, as long as this
  /// exists; for a service.
  void keep_house();

  /// Throws DATASET_MISSING, DATASET_LEGACY, BUDGET_EXHAUSTED, QUEUE_FULL, and what a wrong request
  /// throws.
  jobs::Job train(const TrainRequest& request, const std::string& by);
  /// `spec`: of the file that the request names, when it names one.
  jobs::Job build(const DatasetBuildRequest& request, const std::string& by,
                  const dataset::Spec* spec = nullptr);
  /// Throws MODEL_MISSING, DATASET_MISSING, QUEUE_FULL.
  jobs::Job evaluate(const EvaluateRequest& request, const std::string& by);
  /// Throws EXPERIMENT_MISSING, QUEUE_FULL.
  jobs::Job rebuild_report(const IdRequest& request, const std::string& by);
  jobs::Job retain(const std::string& by);
  jobs::Job reconcile(const ReconcileRequest& request, const std::string& by);
  /// See PlanKeeper.
  registry::TrainingPlan start_plan(const registry::PlanClaim& claim);
  std::vector<registry::TrainingPlan> settle_plans();
  jobs::Job cancel(const std::string& id, const std::string& by, const std::string& reason);
  jobs::Job retry(const std::string& id);
  /// Throws JOB_ACTIVE, JOB_HAS_MODEL.
  void remove(const std::string& id);

  [[nodiscard]] jobs::Queue& queue();
  /// Processes that compute advice; the first is started by the first question.
  [[nodiscard]] jobs::WorkerPool& solvers();

 private:
  struct Parts;  ///< the connection and what stands on it
  std::unique_ptr<Parts> parts_;
};

/// jobs/<id>/ of a data folder: order.json, result.json, run.log, out/.
std::filesystem::path job_folder(const std::filesystem::path& data, const std::string& id);

}  // namespace flyball::app
