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

/// v(t) = s(t) + w(t), w as above, s(t+1) = s(t) + κ e(t): a level that wanders and keeps its value
/// in a simulation. For each κ of 0.05, 0.1, 0.2, 0.3 the autoregression is fitted to what
/// exponential smoothing leaves; the κ with the least F-step error is taken. Every run starts from
/// its first value.
struct WanderingNoise {
  Vector d;
  double kappa = 0;
};
WanderingNoise fit_wandering(const Vector& residual, const std::vector<Interval>& runs,
                             Index horizon);

}  // namespace flyball::identify
