#pragma once
// What the iterations of the refinements share: Levenberg and Marquardt on normal equations, and
// the covariance of least-squares estimates whose residuals are an autoregression.
#include <algorithm>
#include <optional>

#include "identify/output_error_noise.h"
#include "math/types.h"

namespace flyball::identify {

/// Σ ψ ψᵀ and Σ ψ e, ψ = ∂e/∂θ, after taking out what the initial states explain.
struct NormalStep {
  Matrix h;
  Vector g;
};

/// (H + μ diag H)⁻¹ g; empty when that is not positive definite.
std::optional<Vector> damped(const NormalStep& step, double damping);

/// H⁻¹ σ² (Σ ζ ζᵀ) H⁻¹ with ζ(t) = ψ(t) + Σ dᵢ ζ(t+i): exact for noise that is the autoregression.
class Sandwich {
 public:
  explicit Sandwich(const Autoregression& noise, Index parameters);
  /// ψ of one piece (parameters × rows), zero where nothing was measured; overwritten.
  void add(Matrix& slope);
  /// `rows` over `left` degrees of freedom scales σ². Directions that the data do not determine (a
  /// pole on a zero) count as known: what is said of the answer does not depend on them, and the
  /// rounding of their inverse would drown it.
  [[nodiscard]] Matrix covariance(const Matrix& h, Index rows, Index left) const;

 private:
  const Autoregression& noise_;
  Matrix q_;
};

struct IterationLimits {
  int max_iterations = 40;
  double tolerance = 1e-7;  ///< relative fall of the criterion that ends the iteration
};

/// Problem: evaluate(p) with a member `sum`, step(p, evaluation), feasible(p), and project(p) where
/// parameters have bounds. Never to a larger
/// sum.
template <class Problem, class Evaluation>
int iterate(const Problem& problem, const IterationLimits& limits, Vector& p, Evaluation& at) {
  constexpr double kLeast = 1e-12, kMost = 1e6;
  double damping = 1e-3;
  int iteration = 0;
  while (iteration < limits.max_iterations) {
    const NormalStep step = problem.step(p, at);
    const double before = at.sum;
    for (; damping < kMost; damping *= 10) {
      const auto move = damped(step, damping);
      if (!move) continue;
      Vector candidate = p - *move;
      if constexpr (requires { problem.project(candidate); }) problem.project(candidate);
      if (!problem.feasible(candidate)) continue;
      Evaluation there = problem.evaluate(candidate);
      if (!(there.sum < before)) continue;
      p = candidate;
      at = std::move(there);
      break;
    }
    ++iteration;
    if (!(before - at.sum > limits.tolerance * before)) break;
    damping = std::max(damping / 30, kLeast);
  }
  return iteration;
}

}  // namespace flyball::identify
