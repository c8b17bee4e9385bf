#pragma once
// auto@1: ARX, subspace and refined models of every CV, chosen on the folds inside train.
#include <optional>
#include <string>
#include <vector>

#include "identify/identify.h"
#include "identify/refine.h"

namespace flyball::identify {

inline constexpr std::string_view kAutoVersion = "auto@1 1.0.0";
inline constexpr std::string_view kSubspaceVersion = "subspace@1 1.0.0";

/// One model that was tried for one CV.
struct LeaderboardRow {
  std::string cv, trainer, reason;
  std::int64_t order = 0, parameters = 0;
  bool differenced = false;
  std::optional<double> score, one_step, free_run, loss, singular_value;
  static constexpr auto fields() {
    using S = LeaderboardRow;
    return FieldList{
        field("cv", &S::cv, "controlled variable"),
        field("trainer", &S::trainer, "linear_arx, subspace, prediction_error or output_error"),
        field("order", &S::order, "states"),
        field("parameters", &S::parameters, "of model and noise, without the constant"),
        field("differenced", &S::differenced, "integrated disturbance"),
        field("score", &S::score, "F-step error over the folds / train std").nullable(),
        field("oneStep", &S::one_step, "one-step error over the folds / train std").nullable(),
        field("freeRun", &S::free_run, "free-run error over the folds / train std").nullable(),
        field("loss", &S::loss,
              "geometric mean over the folds of F-step and free-run errors / train std; ranks")
            .nullable(),
        field("singularValue", &S::singular_value,
              "of the predictions' covariance at this order, over the first")
            .nullable(),
        field("reason", &S::reason, "chosen, or why not")};
  }
};

/// The model of identify_arx with each CV replaced by the trial that was chosen for it. Findings
/// follow the chosen model: step responses and gains with their bands, parameters, radius, score.
/// The table of ARX orders stays.
struct AutoResult {
  IdentifyResult result;
  std::vector<LeaderboardRow> leaderboard;     ///< CV by CV, least loss first
  std::vector<std::vector<FoldErrors>> folds;  ///< of the trial chosen for each CV
};

/// What every trainer of a CV shares, from the findings of identify_arx on the same dataset.
CvContext context_of(const TrainingData& data, Index cv, const IdentifyResult& arx);

/// `families`: which may be chosen; subspace@1 is {.arx = false, .subspace = true, others false}.
/// The ARX of the search stands in for a CV whose other trials cannot be fitted. Errors of
/// identify_arx.
AutoResult identify_auto(const dataset::Dataset& data, const ArxOptions& options = {},
                         const Families& families = {}, const ProgressFn& progress = {},
                         std::stop_token stop = {});

}  // namespace flyball::identify
