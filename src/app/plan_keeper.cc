#include "app/plan_keeper.h"

#include <nlohmann/json.hpp>
#include <set>

#include "app/quota.h"
#include "app/settings.h"
#include "store/savepoint.h"

namespace flyball::app {

using registry::PlanOutcome;
using registry::TrainingPlan;

namespace {

constexpr std::int64_t kMostTrainings = 10'000;  // that a quota looks at

/// Who submits what nobody asked for.
std::string submitter(const TrainingPlan& plan) {
  return "plan " + plan.name;
}

PlanOutcome outcome_of(const jobs::Job& job) {
  const jobs::Outcome ended = job.attempt.outcome.value_or(jobs::Outcome{});
  PlanOutcome out;
  out.dataset_id = ended.dataset_id;
  out.model_id = ended.model_id;
  out.failed_gates = ended.failed_gates;
  out.code = ended.code;
  out.error = ended.reason;
  out.judged = job.attempt.state != jobs::State::interrupted;
  return out;
}

}  // namespace

bool PlanKeeper::any() {
  const std::lock_guard lock(needs_.guard);
  return !plans_.list("").empty();
}

void PlanKeeper::check_room(const TrainingPlan& plan) {
  const auto limit = [&](const char* key) {
    return resolve(setting_spec(key), &needs_.settings, plan.line_id).value;
  };
  const auto most = static_cast<std::int64_t>(limit("plan.perDay"));
  if (plans_.count_since(plan.line_id, needs_.clock.now() - kDay) >= most)
    throw Error("PLAN_RATE", {{"line", plan.line_id}, {"limit", most}});
  const double megabytes = limit("plan.quotaMb");
  if (megabytes <= 0) return;
  std::set<std::filesystem::path> made;
  for (const registry::PlanTraining& t : plans_.trainings(plan.id, kMostTrainings).rows) {
    if (t.dataset_id) made.insert(needs_.data / "datasets" / *t.dataset_id);
    if (t.model_id) made.insert(needs_.data / "models" / *t.model_id);
  }
  std::int64_t used = 0;
  for (const auto& folder : made) used += folder_bytes(folder);
  if (static_cast<double>(used) >= megabytes * 1e6)
    throw Error("PLAN_QUOTA", {{"name", plan.name},
                               {"used", static_cast<double>(used) / 1e6, "MB"},
                               {"limit", megabytes, "MB"}});
}

TrainingPlan PlanKeeper::start(registry::PlanClaim claim) {
  const std::lock_guard lock(needs_.guard);
  const TrainingPlan plan = plans_.get(claim.plan_id);
  if (!plan.enabled) throw Error("PLAN_DISABLED", {{"id", plan.id}});
  if (plan.last_status == registry::PlanStatus::training)
    throw Error("PLAN_TRAINING", {{"id", plan.id}, {"job", plan.last_job_id.value_or("")}});
  check_room(plan);
  const auto build = parse_record<DatasetBuildRequest>(plan.dataset_spec);
  store::Savepoint all(needs_.db);
  claim.at = needs_.clock.now();
  claim.job_id = needs_.service.build(build, submitter(plan)).id;
  if (!plans_.claim(claim))
    throw Error("PLAN_TRAINING",
                {{"id", plan.id}, {"job", plans_.get(plan.id).last_job_id.value_or("")}});
  all.commit();
  return plans_.get(plan.id);
}

void PlanKeeper::train_on(const TrainingPlan& plan, const std::string& dataset) {
  Json asked = plan.training_spec;
  asked["dataset"] = dataset;
  store::Savepoint all(needs_.db);
  const jobs::Job next = needs_.service.train(parse_record<TrainRequest>(asked), submitter(plan));
  if (plans_.go_on(plan.id, *plan.last_job_id, dataset, next.id)) all.commit();
}

/// True when it waits no longer.
bool PlanKeeper::settle_one(const TrainingPlan& plan) {
  const std::string job_id = plan.last_job_id.value_or("");
  PlanOutcome outcome;
  try {
    const jobs::Job job = needs_.service.queue().job(job_id);
    if (!jobs::terminal(job.attempt.state)) return false;
    outcome = outcome_of(job);
    const bool built = job.asked.kind == jobs::Kind::dataset_build;
    if (built && job.attempt.state == jobs::State::done && outcome.dataset_id) {
      train_on(plan, *outcome.dataset_id);
      return false;
    }
  } catch (const Error& e) {
    if (e.code() == "QUEUE_FULL" || e.code() == "DATABASE_BUSY") return false;  // later
    Message why = e.message();
    outcome.judged = e.code() != "JOB_MISSING";
    if (!outcome.judged) why = {"PLAN_JOB_GONE", {{"job", job_id}}};
    outcome.model_id.reset();
    outcome.code = why.code;
    outcome.error = why.text();
  }
  return plans_.settle(plan.id, job_id, outcome, needs_.clock.now());
}

std::vector<TrainingPlan> PlanKeeper::settle() {
  const std::lock_guard lock(needs_.guard);
  std::vector<TrainingPlan> out;
  for (const TrainingPlan& plan : plans_.in_training()) {
    if (settle_one(plan)) out.push_back(plans_.get(plan.id));
  }
  return out;
}

}  // namespace flyball::app
