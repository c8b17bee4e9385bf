#pragma once
// Are the gains of an equation-error fit those of the plant?
//
// Least squares on A(q) y = B(q) u + e is biased towards 0 when the noise is not A(q)⁻¹ e, above
// all when it is white at the output. A fit of the free simulation, y = B/A u + v, is not, whatever
// the colour of v, as long as u does not answer v. Where it does, in a loop, the prediction error
// with a free model of the disturbance, A y = B u + C e, is right as far as C can follow it (Ljung
// 1999, 13.4). The fit is compared with either, gain by gain.
#include <vector>

#include "identify/describe.h"
#include "identify/regression.h"

namespace flyball::identify {

/// A gain that the noise has biased, normalised units.
struct GainBias {
  Index input = 0;
  double gain = 0;       ///< of the fit
  double simulated = 0;  ///< of the simulation, or with a model of the disturbance
};

/// forms: direct, differenced. Refines the fit by output error, and fits lags with dead times to
/// every pair, to the signals and to their changes (a disturbance that wanders is white there);
/// `in_loop`: refines it by prediction error instead. Those whose ln mean square + p ln N/N (by
/// row, since they leave out different rows) is within 2 ln N/N per input of the least are in
/// question. The farthest of them (steady_by()) becomes fit.largest, which widens every range by
/// the difference: where a gain differs by more than the fit's own standard error (by that of the
/// difference, where the other's is above half of its gain) and by more than the structures' own
/// difference does. Returns those that differ by more than 3 standard errors of the difference and
/// 2 %; the draws, which share the bias, are then dropped. Outside loops
/// the likeliest of them that tells every gain becomes fit.told. Not for integrating fits. Cost:
/// that of a refinement and two lag fits.
std::vector<GainBias> take_simulated_gains(const std::vector<Regression>& forms, FinalFit& fit,
                                           bool in_loop);

/// The same with a warning per gain: ARX_GAIN_BIASED, or LOOP_GAIN_BIASED where an MV is in a loop
/// whose set-point is not declared. With set-points the instruments judge (closed_loop.h).
void judge_gain_bias(const TrainingData& data, Index cv, const std::vector<Regression>& forms,
                     FinalFit& fit, Findings& findings);

}  // namespace flyball::identify
