#pragma once
// Scores of finished models on the folds of the order search, by the code that serves predictions.
#include <vector>

#include "identify/order_search.h"
#include "model/simulate.h"

namespace flyball::identify {

/// Sums over the windows of one fold, of errors over train std.
struct FoldErrors {
  double rollout = 0;   ///< squared errors of the steps 1..F
  double one_step = 0;  ///< squared errors of the first step
  double windows = 0;
  double free = 0;  ///< squared errors of one simulation through each run of targets
  double free_rows = 0;
};

/// √(Σ rollout / (F Σ windows)); NaN without a window.
double rollout_score(const std::vector<FoldErrors>& folds, Index horizon);
double one_step_score(const std::vector<FoldErrors>& folds);
/// √(Σ free / Σ rows).
double free_run_score(const std::vector<FoldErrors>& folds);

/// What counts of the folds: a level's free run is not bounded and has no say.
struct Judged {
  Index horizon = 1;  ///< F
  bool free_run = true;
};

/// Geometric mean over the folds, and in each fold of the F-step and the free-run error, over train
/// std: exp(mean over folds of ½ (ln F-step + ln free-run)); it ranks. The F-step error is what a
/// controller uses; the free run sees what stays of the model where no measurement corrects it. By
/// ratios a fold with a disturbance that is hard for every model weighs as much as a quiet one.
/// Errors below 1e-6 of the std are equal. NaN without a window.
double combined_loss(const std::vector<FoldErrors>& folds, const Judged& judged);

/// ln loss of `b` is larger than that of `a` by this many of its own standard errors (paired over
/// the folds); ±∞ when the folds agree exactly on a difference, 0 when there is none or one fold.
double difference_in_errors(const std::vector<FoldErrors>& a, const std::vector<FoldErrors>& b,
                            const Judged& judged);

/// The predictor runs over at most H rows before each run of targets of a fold, then through the
/// run; the error k steps after any row of it follows from the innovations, d = Σ C A^{i−1} K
/// e(t+k−i), so the F-step errors of all windows cost rows·F per pair of CVs that are coupled.
class FoldScorer {
 public:
  /// Of models whose outputs are `cvs`, in model units.
  FoldScorer(const TrainingData& data, std::vector<Index> cvs, Index history, Index horizon);

  /// One entry per CV of the scorer. `max_lag` as in make_folds.
  [[nodiscard]] std::vector<FoldErrors> errors(const model::LinearStateSpace& m,
                                               const Regression& r, Index max_lag,
                                               const std::vector<Interval>& fold) const;

 private:
  void add_free(const Regression& r, Index t0, const Matrix& e,
                std::vector<FoldErrors>& sums) const;
  void add_run(const Matrix& e, const std::vector<Matrix>& answers, Index first, Index rows,
               std::vector<FoldErrors>& sums) const;

  model::Record record_;
  Vector std_;
  Index history_, horizon_;
};

/// What is known of one CV alone: its scale and that of the inputs, without rows.
TrainingData scale_of(const TrainingData& data, Index cv);

}  // namespace flyball::identify
