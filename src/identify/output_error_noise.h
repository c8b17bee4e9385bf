#pragma once
// The noise that a simulation leaves: a stable autoregression of its residuals.
#include <vector>

#include "identify/regression.h"

namespace flyball::identify {

inline constexpr Index kNoiseOrderMax = 10;

/// w(t) = Σ dᵢ w(t−i) + e(t), var e = variance.
struct Autoregression {
  Vector d;
  double variance = 0;
};

/// Levinson's recursion on the biased autocovariance about zero, pooled over the runs (pairs inside
/// one run only, NaN left out), which is stable by construction; order 0..10 and at most a
/// twentieth of the rows, by the least N log σ² + 2 q. The residual is not centred.
Autoregression fit_autoregression(const Vector& residual, const std::vector<Interval>& runs);

}  // namespace flyball::identify
