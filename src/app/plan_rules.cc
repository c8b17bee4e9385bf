#include "app/plan_rules.h"

namespace flyball::app {

using registry::PlanStatus;
using registry::PlanStrategy;
using registry::TrainingPlan;

std::optional<std::int64_t> new_rows(const TrainingPlan& plan, const PlanEvidence& evidence) {
  if (!evidence.beat_us || plan.last_span <= 0 || evidence.span < plan.last_span)
    return std::nullopt;
  return static_cast<std::int64_t>(static_cast<double>(evidence.span - plan.last_span) /
                                   *evidence.beat_us);
}

std::optional<TimeUs> next_at(const TrainingPlan& plan) {
  if (!plan.enabled || plan.strategy != PlanStrategy::automatic ||
      plan.last_status == PlanStatus::training)
    return std::nullopt;
  if (!plan.last_trained_at) return plan.created_at;
  return *plan.last_trained_at + plan.min_interval_sec * kSecond;
}

std::optional<Message> why_now(const TrainingPlan& plan, const PlanEvidence& evidence, TimeUs now) {
  const std::optional<TimeUs> not_before = next_at(plan);
  if (!not_before || now < *not_before) return std::nullopt;
  if (evidence.runs > plan.last_run_count)
    return Message{"PLAN_NEW_RUNS", {{"count", evidence.runs}, {"before", plan.last_run_count}}};
  const std::optional<std::int64_t> rows = new_rows(plan, evidence);
  if (rows && *rows >= plan.min_new_rows)
    return Message{"PLAN_NEW_ROWS", {{"count", *rows}, {"limit", plan.min_new_rows}}};
  return std::nullopt;
}

}  // namespace flyball::app
