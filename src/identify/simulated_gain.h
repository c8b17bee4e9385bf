#pragma once
// Are the gains of an equation-error fit those of the plant?
//
// Least squares on A(q) y = B(q) u + e is biased towards 0 when the noise is not A(q)⁻¹ e, above
// all when it is white at the output. A fit of the free simulation, y = B/A u + v, is not, whatever
// the colour of v, as long as u does not answer v. Both are compared here, gain by gain.
#include <vector>

#include "identify/describe.h"
#include "identify/regression.h"

namespace flyball::identify {

/// A gain that the noise has biased, normalised units.
struct GainBias {
  Index input = 0;
  double gain = 0;       ///< of the fit
  double simulated = 0;  ///< of the simulation
};

/// Refines the fit by output error, and fits lags with dead times to every pair; the likelier of
/// the two (N ln mean square + parameters·ln N) becomes fit.largest, which widens every range by
/// the difference, when one of its gains differs by more than 3 standard errors and by more than
/// the structures' own difference does. The draws, which share the bias, are then dropped. Not for
/// integrating or differenced fits, nor for MVs in a loop, whose simulation is biased too. Empty
/// when no gain differs. Cost: that of a refinement and a lag fit.
std::vector<GainBias> take_simulated_gains(const Regression& r, FinalFit& fit);

/// The same unless an MV is in a loop, with a warning ARX_GAIN_BIASED per gain.
void judge_gain_bias(const TrainingData& data, Index cv, const Regression& r, FinalFit& fit,
                     Findings& findings);

}  // namespace flyball::identify
