#pragma once
// Training plans: a recipe of a dataset and of a training, done again when enough new data are
// stored. A plan makes candidates only; it never moves a model between stages.
//
// Every change of lastStatus is compare-and-set: idle, done, failed → training by a claim, training
// → done, failed by the outcome of the job that the plan waits for. Each claim is a row of the
// plan's trainings.
#include <optional>
#include <string>
#include <vector>

#include "core/record.h"
#include "core/time.h"
#include "store/row_page.h"
#include "store/sqlite.h"

namespace flyball::registry {

enum class PlanStrategy { automatic, manual };
constexpr auto enum_names(PlanStrategy) {
  return std::array<std::string_view, 2>{"auto", "manual"};
}

enum class PlanStatus { idle, training, done, failed };
constexpr auto enum_names(PlanStatus) {
  return std::array<std::string_view, 4>{"idle", "training", "done", "failed"};
}

struct TrainingPlan {
  std::string id, name, line_id, product_id, recipe_id;
  PlanStrategy strategy = PlanStrategy::automatic;
  Json dataset_spec = Json::object(), training_spec = Json::object();
  std::int64_t seed = 7, min_interval_sec = 3600, min_new_rows = 500;
  bool enabled = true;
  std::string created_by;
  TimeUs created_at = 0;
  PlanStatus last_status = PlanStatus::idle;
  std::int64_t last_run_count = 0;
  DurationUs last_span = 0;
  std::optional<std::string> last_job_id, last_dataset_id, last_model_id;
  std::string last_reason;
  std::vector<std::string> last_failed_gates;
  std::string last_code, last_error;
  std::optional<TimeUs> last_trained_at;
  static constexpr auto fields() {
    using P = TrainingPlan;
    return FieldList{
        field("id", &P::id, "plan-…"),
        field("name", &P::name, "as a person calls it"),
        field("lineId", &P::line_id, "line"),
        field("productId", &P::product_id, "product"),
        field("recipeId", &P::recipe_id, "recipe"),
        field("strategy", &P::strategy,
              "auto: by itself when there are new data; manual: when asked"),
        field("datasetSpec", &P::dataset_spec, "how its datasets are built, without runs"),
        field("trainingSpec", &P::training_spec, "how its models are trained"),
        field("seed", &P::seed, "seed of every random choice"),
        field("minIntervalSec", &P::min_interval_sec, "shortest time between two trainings")
            .unit("s"),
        field("minNewRows", &P::min_new_rows,
              "new steps of finished runs that count like a new run")
            .unit("steps"),
        field("enabled", &P::enabled, "false: it does nothing"),
        field("createdBy", &P::created_by, "who made it"),
        field("createdAt", &P::created_at, "when").unit("us"),
        field("lastStatus", &P::last_status, "idle, training, done or failed"),
        field("lastRunCount", &P::last_run_count, "finished runs at the last training"),
        field("lastSpan", &P::last_span, "plant time of these runs").unit("us"),
        field("lastJobId", &P::last_job_id, "job it waits or waited for"),
        field("lastDatasetId", &P::last_dataset_id, "dataset that it built last"),
        field("lastModelId", &P::last_model_id, "newest model that it made"),
        field("lastReason", &P::last_reason, "why it trained"),
        field("lastFailedGates", &P::last_failed_gates, "gates that refused"),
        field("lastCode", &P::last_code, "code of what went wrong; empty after success"),
        field("lastError", &P::last_error, "in words"),
        field("lastTrainedAt", &P::last_trained_at, "when it began").unit("us")};
  }
};

/// What a plan saw when it began.
struct PlanClaim {
  std::string plan_id, reason, by, job_id;
  std::int64_t run_count = 0;
  DurationUs span = 0;
  TimeUs at = 0;
};

/// How the job ended that the plan waited for.
struct PlanOutcome {
  std::optional<std::string> dataset_id, model_id;
  std::vector<std::string> failed_gates;
  std::string code, error;  ///< empty after success
  bool judged = true;       ///< false: nothing was learnt of the data; they count as new again
};

/// One claim of a plan and what became of it.
struct PlanTraining {
  std::string plan_id, reason, by, build_job_id, status;
  std::optional<std::string> training_job_id, dataset_id, model_id;
  std::string code, error;
  TimeUs started_at = 0;
  std::optional<TimeUs> ended_at;
  static constexpr auto fields() {
    using T = PlanTraining;
    return FieldList{field("planId", &T::plan_id, "plan-…"),
                     field("reason", &T::reason, "why"),
                     field("by", &T::by, "who asked; flyball: nobody"),
                     field("buildJobId", &T::build_job_id, "job that built the dataset"),
                     field("status", &T::status, "training, done or failed"),
                     field("trainingJobId", &T::training_job_id, "job that trained on it"),
                     field("datasetId", &T::dataset_id, "dataset"),
                     field("modelId", &T::model_id, "model, when the gates passed"),
                     field("code", &T::code, "code of what went wrong"),
                     field("error", &T::error, "in words"),
                     field("startedAt", &T::started_at, "when").unit("us"),
                     field("endedAt", &T::ended_at, "when").unit("us")};
  }
};

class TrainingPlans {
 public:
  explicit TrainingPlans(store::Database& db) : db_(db) {}

  /// Throws NAME_EXISTS: a line has a name once.
  void add(const TrainingPlan& plan);
  [[nodiscard]] TrainingPlan get(const std::string& id);  ///< throws PLAN_MISSING
  /// By line and name; of one line, or all when empty.
  [[nodiscard]] std::vector<TrainingPlan> list(const std::string& line);
  /// Those that wait for a job.
  [[nodiscard]] std::vector<TrainingPlan> in_training();
  /// Throws PLAN_MISSING.
  void enable(const std::string& id, bool enabled);
  /// Its trainings go with it; datasets, experiments and models stay. Throws PLAN_MISSING,
  /// PLAN_TRAINING.
  void remove(const std::string& id);

  /// False when it is training already or is not enabled; nothing is changed then.
  [[nodiscard]] bool claim(const PlanClaim& claim);
  /// From the job that built the dataset to the one that trains on it; false when the plan waits
  /// for another.
  [[nodiscard]] bool go_on(const std::string& id, const std::string& from_job,
                           const std::string& dataset, const std::string& to_job);
  /// False when the plan does not wait for this job.
  [[nodiscard]] bool settle(const std::string& id, const std::string& job,
                            const PlanOutcome& outcome, TimeUs now);
  /// Why it did not begin, until it does; true when that is news.
  bool note(const std::string& id, const std::string& code, const std::string& error);

  /// Newest first. Throws CURSOR_INVALID.
  [[nodiscard]] store::RowPage<PlanTraining> trainings(
      const std::string& id, std::int64_t limit, const std::optional<std::string>& cursor = {});
  /// Begun by plans of a line at or after a time.
  [[nodiscard]] std::int64_t count_since(const std::string& line, TimeUs at);
  /// Names of the plans whose newest model it is.
  [[nodiscard]] std::vector<std::string> holding(const std::string& model);

 private:
  store::Database& db_;
};

}  // namespace flyball::registry
