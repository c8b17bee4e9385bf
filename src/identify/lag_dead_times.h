#pragma once
// Dead times from first- and second-order lags: with three or four numbers per pair the dead time
// is known far better than from the many coefficients of an ARX, which output noise biases.
#include <vector>

#include "identify/findings.h"
#include "identify/refine.h"
#include "identify/refine_lags.h"

namespace flyball::identify {

/// First lag that answers of every pair of a fit: the latest that is not refused. Pair by pair the
/// next whole dead time ⌊θ⌋ + 1 is held, the rest fitted again; it stands when θ is within 3.09
/// standard errors of it (one in 1 000), or N ln of the ratio of the mean squares is below 3.09².
/// (A dead time that is whole in truth would else be taken a step early in half of the records, and
/// the criterion has kinks there.)
std::vector<Index> first_lags(const Regression& r, const LagFit& fit,
                              const std::vector<Interval>& within);

struct Sharpened {
  bool changed = false;  ///< a first lag is another: the trials have to be made again
  bool stand = false;    ///< no output-error trial refutes the lags
  LagFit lags;           ///< when they stand
};

/// The lags stand, as another estimate of the answers, unless an output-error trial refutes them:
/// N ln of the ratio of the mean squares is above 2 per parameter that the trial has more, by 4,
/// and above ln N per parameter.
///
/// Replaces the dead times of the context's pairs in `found` by those of lags fitted to every row,
/// where the lags explain the CV as well as the best output-error trial does (least
/// N ln(mean square) + 2·parameters), and where the standard error of θ is below a fifth of a step.
/// Nothing is done for a CV with more than 12 inputs or that integrates, that an input reaches at
/// once, or without an output-error trial.
Sharpened sharpen_dead_times(const CvContext& context, const std::vector<Trial>& trials,
                             std::vector<DeadTime>& found);

}  // namespace flyball::identify
