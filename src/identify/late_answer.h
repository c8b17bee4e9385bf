#pragma once
// Does a CV answer an input later than the range of lags looked at?
//
//   v(t) = y(t) − Σ_i a_i y(t−i) − Σ_m Σ_k b_mk u_m(t−k)      y's lags and the range's lags of
//   every
//                                                             input, least squares
//   r(k) = Σ v(t) u(t−k) / √(Σv² Σu²)                         k beyond the range
//
// y's own lags carry on what earlier moves began, so that a resonance that rings on far beyond the
// range is no late answer; a move that first acts at lag k is news at lag k.
// Under a model that misses nothing of the input, r(k) has variance Σ_j r_v(j) r_u(j) / N whatever
// the colour of v (Ljung, System Identification, §16.6). The largest |r(k)| of the lags asked for
// is significant at 0.1 % after Bonferroni over lags and inputs.
#include <utility>
#include <vector>

#include "identify/dead_time.h"
#include "identify/regression.h"

namespace flyball::identify {

/// Inputs with their lag of the largest |r|, where it is significant. `lags`: one interval per
/// pair, empty: not asked. Cost N·lags per input. Needs a regression in levels.
std::vector<std::pair<Index, Index>> late_answers(const Regression& r,
                                                  const std::vector<DeadTimeEstimate>& pairs,
                                                  const std::vector<Interval>& lags, Index y_lags);

}  // namespace flyball::identify
