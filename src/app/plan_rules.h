#pragma once
// When a training plan trains by itself.
#include <optional>

#include "core/error.h"
#include "registry/training_plans.h"

namespace flyball::app {

/// What is stored for a plan now.
struct PlanEvidence {
  std::int64_t runs = 0;          ///< finished
  DurationUs span = 0;            ///< plant time of them
  std::optional<double> beat_us;  ///< of the dataset that the plan built last
};

/// Steps of finished runs since the last training; none before the first, or when they got less.
std::optional<std::int64_t> new_rows(const registry::TrainingPlan& plan,
                                     const PlanEvidence& evidence);

/// Not before then; none: it does not train by itself.
std::optional<TimeUs> next_at(const registry::TrainingPlan& plan);

/// Why it trains now: enabled, auto, not training, the interval has passed, and there are more
/// finished runs than at the last training or minNewRows new steps. None: it waits.
std::optional<Message> why_now(const registry::TrainingPlan& plan, const PlanEvidence& evidence,
                               TimeUs now);

}  // namespace flyball::app
