#pragma once
// Training plans and their jobs. A plan is claimed and the job that builds its dataset submitted in
// one transaction; so are the step from that job to the training, and the settling by its outcome.
// A process that is killed leaves a plan that waits for a job that is there, and the next one
// settles it by how that job ended.
#include <filesystem>
#include <mutex>

#include "app/job_service.h"
#include "registry/settings_store.h"
#include "registry/training_plans.h"

namespace flyball::app {

class PlanKeeper {
 public:
  struct Needs {
    JobService& service;
    std::filesystem::path data;
    const Clock& clock;
    store::Database& db;
    std::recursive_mutex& guard;  ///< of the connection
    registry::SettingsStore& settings;
  };
  explicit PlanKeeper(Needs needs) : needs_(std::move(needs)), plans_(needs_.db) {}

  /// `claim` without its job. Throws PLAN_MISSING, PLAN_DISABLED, PLAN_TRAINING, PLAN_RATE (the
  /// line's plans trained plan.perDay times within a day), PLAN_QUOTA (what it made takes
  /// plan.quotaMb), QUEUE_FULL.
  registry::TrainingPlan start(registry::PlanClaim claim);
  /// Takes every plan whose job has ended one step on; those that are settled.
  std::vector<registry::TrainingPlan> settle();
  /// Whether there is a plan at all.
  bool any();

 private:
  void check_room(const registry::TrainingPlan& plan);
  bool settle_one(const registry::TrainingPlan& plan);
  void train_on(const registry::TrainingPlan& plan, const std::string& dataset);

  Needs needs_;
  registry::TrainingPlans plans_;
};

}  // namespace flyball::app
