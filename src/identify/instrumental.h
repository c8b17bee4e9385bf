#pragma once
// Refined instrumental variables of one CV (Young's RIV; with set-points its closed-loop form).
//
//   y(t) = B(q)/A(q) u(t) + k' + w(t),   D(q) w(t) = e(t),   normalised signals
//
// Each iteration simulates x̂ = B̂/Â û, filters y, u, x̂ and û by F = D̂/Â and solves
//   Σ ẑ(t) φᵀ(t) θ = Σ ẑ(t) y_f(t),  φ = [u_f lags, y_f lags, 1],  ẑ = [û_f lags, x̂_f lags, 1].
// û is the part of the inputs that no disturbance of the CV reaches: in open loop u itself; in a
// loop what a simulation of u from the moves of its set-point gives (the first of the two stages).
// So θ is consistent whatever the disturbance is, where least squares on past y is biased by output
// noise and a simulation fit by feedback. With the right D it is also efficient in open loop.
//
// Covariance: σ² M⁻¹ (Σ ẑ ẑᵀ) M⁻ᵀ, M = Σ ẑ φᵀ, σ² the variance of D(q)(A y − B u − k)/A.
// Rows are the targets after max_lag rows of their stretch; a simulation starts at the values
// measured there and never runs across two stretches. Cost per iteration rows·p².
//
// Sources: Young 1976, Söderström and Stoica 1983, Gilson and Van den Hof 2005.
#include <optional>
#include <vector>

#include "identify/arx.h"
#include "identify/realise.h"

namespace flyball::identify {

struct InstrumentalFit {
  Arx arx;
  Noise noise;        ///< output error with the autoregression D
  Matrix covariance;  ///< of arx.theta, then the constant
  Vector residual;    ///< e at the table's rows, NaN where there is none
  Index rows = 0;
  bool converged = false;
  int iterations = 0;
};

struct InstrumentalOptions {
  int max_iterations = 30;
  double tolerance = 1e-5;   ///< relative change of θ that ends the iteration
  double radius = 1 - 1e-6;  ///< roots of A stay inside
};

/// `noise_free`: û, table rows × nu, finite wherever the regression's inputs are. The structure
/// needs no start: the first iteration simulates the least-squares ARX. Empty when there are fewer
/// than two rows per parameter or the instruments say nothing about an input (M singular).
std::optional<InstrumentalFit> fit_instrumental(const Regression& r, const Structure& structure,
                                                const std::vector<Interval>& within,
                                                const Matrix& noise_free,
                                                const InstrumentalOptions& options = {});

/// û of every input for the table: the input itself, or, for those of `set_point_of[m]` ≥ 0, the
/// simulation of u_m from that column (ARX of 10 lags with the set-point's lags 0..10, least
/// squares, roots moved inside). NaN where it cannot be simulated. The second member says which
/// share of the variance of u_m the simulation explains (1 for the input itself).
struct NoiseFreeInputs {
  Matrix values;
  std::vector<double> share;
};
NoiseFreeInputs noise_free_inputs(const TrainingData& data, const std::vector<Index>& set_point_of);

}  // namespace flyball::identify
