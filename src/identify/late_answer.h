#pragma once
// Does a CV answer an input later than its model can know?
//
//   v(t) = y(t) − B(q)/A(q) u(t)      free run of the model over each stretch,
//                                     without what u at the lags of the range explains of it
//   r(k) = Σ v(t) u(t−k) / √(Σv² Σu²)
//
// Under a model that misses nothing of the input, r(k) has variance Σ_j r_v(j) r_u(j) / N whatever
// the colour of v (Ljung, System Identification, §16.6). The largest |r(k)| of the lags asked for
// is significant at 0.1 % after Bonferroni over lags and inputs.
#include <utility>
#include <vector>

#include "identify/arx.h"
#include "identify/dead_time.h"

namespace flyball::identify {

/// Inputs with their lag of the largest |r|, where it is significant. `lags`: one interval per
/// pair, empty: not asked. Cost N·lags per input. Needs a regression in levels.
std::vector<std::pair<Index, Index>> late_answers(const Regression& r, const Arx& arx,
                                                  const std::vector<DeadTimeEstimate>& pairs,
                                                  const std::vector<Interval>& lags);

}  // namespace flyball::identify
