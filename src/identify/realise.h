#pragma once
// From the ARX of each CV to one linear_state_space@1.
#include <vector>

#include "identify/arx.h"
#include "model/linear_state_space.h"

namespace flyball::identify {

/// Noise of a CV beyond the equation error of its ARX; both empty: none.
struct Noise {
  Vector c;   ///< the equation error is e(t) − Σ cᵢ e(t−i); as long as a or shorter
  Vector ar;  ///< added to the output: w(t) = Σ dᵢ w(t−i) + e(t), when c = a (output error)
};

/// Observer-canonical innovation form per CV (n = max(na, nb − [feed-through]) states):
///   x₁⁺ = a₁ y + x₂ + β₁ v + c, …, xₙ⁺ = aₙ y + βₙ v,  y = x₁ + d v + e,  K = a,
/// v(t) = u(t − max(nk − 1, 0)) a channel, so dead time costs no state. A declared integrator adds
/// p⁺ = y with y = p + x₁ + d v + e; the differenced form adds s⁺ = s + e to the output, a unit
/// root that no input reaches; where the levels of runs differ, s⁺ = s + e·run_tracking. The step
/// response equals the ARX equation to rounding. `mean` and `std` are of the columns inputs, then
/// CVs; `covariance` is S in normalised units. With `noise`, one per CV, K = a − c, and an
/// autoregression adds states of its own that no input reaches.
model::LinearStateSpace realise(const std::vector<Arx>& cvs, const TrainingData& data,
                                const Matrix& covariance, const std::vector<Noise>& noise = {});

}  // namespace flyball::identify
