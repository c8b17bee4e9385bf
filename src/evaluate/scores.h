#pragma once
// One-step, rollout and persistence errors of a part, all on the same windows.
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/record.h"
#include "evaluate/predictor.h"

namespace flyball::evaluate {

/// Errors of one CV, pooled over windows and horizon steps, in model units.
struct CvScore {
  std::string cv;
  std::optional<double> rmse, mae, bias, nrmse;
  std::vector<double> rmse_by_step;  ///< at k = 1..F; empty unless every step has one
  static constexpr auto fields() {
    using S = CvScore;
    return FieldList{
        field("cv", &S::cv, "controlled variable"),
        field("rmse", &S::rmse, "root mean square error, model units").nullable(),
        field("mae", &S::mae, "mean absolute error, model units").nullable(),
        field("bias", &S::bias, "mean of predicted minus actual, model units").nullable(),
        field("nrmse", &S::nrmse, "rmse / train standard deviation").nullable(),
        field("rmseByStep", &S::rmse_by_step, "rmse at each horizon step, model units")};
  }
};

struct RunScore {
  std::string run;
  std::int64_t windows = 0;
  std::optional<double> nrmse;
  std::vector<double> nrmse_per_cv;
  static constexpr auto fields() {
    using S = RunScore;
    return FieldList{field("run", &S::run, "run"),
                      field("windows", &S::windows, "windows of this run"),
                      field("nrmse", &S::nrmse, "mean over CVs").nullable(),
                      field("nrmsePerCv", &S::nrmse_per_cv, "in the order of the CVs")};
  }
};

/// A predictor's errors on the windows of one part.
struct Score {
  std::int64_t windows = 0;
  std::int64_t horizon = 0;
  std::optional<double> nrmse;
  std::vector<CvScore> per_target;
  std::vector<RunScore> per_run;
  static constexpr auto fields() {
    using S = Score;
    return FieldList{
        field("windows", &S::windows, "windows counted"),
        field("horizon", &S::horizon, "steps predicted in each").unit("steps"),
        field("nrmse", &S::nrmse, "plain mean over CVs; null: no windows or not finite").nullable(),
        field("perTarget", &S::per_target, "per CV"), field("perRun", &S::per_run, "per run")};
  }
};

/// One-step residuals ŷ − y of one block: rows × ny, NaN where no window starts or y was not observed.
struct BlockResiduals {
  std::string run_id;
  Index first_step = 0;
  Matrix errors;
};

struct PartScores {
  Score one_step;                                 ///< ŷ(t|t−1), inputs of row t known
  Score rollout;                                  ///< F steps, MVs known, DVs held at row t−1
  Score persistence;                              ///< ŷ(k) = y(t−1), F steps
  Score persistence_one_step;                     ///< ŷ(1) = y(t−1)
  std::vector<std::optional<double>> change_fit;  ///< per CV: fit % of y(t+F−1) − y(t−1)
  std::vector<BlockResiduals> residuals;
};

/// Every window of the part. Throws CANCELLED on a stop. Cost: windows × (H + F) model steps.
PartScores score_part(const dataset::Dataset& data, dataset::Part part, const Predict& predict,
                      WindowShape shape, const std::stop_token& stop = {});

}  // namespace flyball::evaluate
