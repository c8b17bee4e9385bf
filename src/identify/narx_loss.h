#pragma once
// How the NARX of a CV are ranked, among themselves and beside the linear model: by mean squares
// over all folds. A polynomial can fail outright where it was not fitted, and a fold on which it
// does has to weigh by how far it is off, not by a ratio as among linear models (refine_score.h).
#include <vector>

#include "identify/refine_score.h"

namespace flyball::identify {

/// Mean squares that losses are shares of: the least of any model, floored at (1e-6 std)².
struct LossUnits {
  double rollout = 0, free = 0;
};
LossUnits least_of(const std::vector<std::vector<FoldErrors>>& models, Index horizon);

/// ½ (F-step mean square / its unit + free-run mean square / its unit): 1 when a model is the best
/// in both. NaN without a window.
double pooled_loss(const std::vector<FoldErrors>& folds, const LossUnits& units, Index horizon);

/// The loss of `b` is larger than that of `a` by this many of its own standard errors (paired over
/// the folds); ±∞ when the folds agree exactly on a difference, 0 when there is none or one fold.
double pooled_difference(const std::vector<FoldErrors>& a, const std::vector<FoldErrors>& b,
                         const LossUnits& units, Index horizon);

}  // namespace flyball::identify
