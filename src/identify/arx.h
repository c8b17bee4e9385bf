#pragma once
// ARX of one CV: y(t) = c + Σᵢ aᵢ y(t−i) + Σₘ Σᵢ bₘᵢ uₘ(t − nkₘ − i) + e(t), in normalised signals.
#include <vector>

#include "identify/regression.h"

namespace flyball::identify {

/// i = 1..na for y, i = 0..nb−1 for every input listed.
struct Structure {
  struct Input {
    Index input = 0;
    Index first_lag = 0;  ///< nk
  };
  Index na = 1;
  Index nb = 1;
  std::vector<Input> inputs;

  [[nodiscard]] Index parameters() const { return na + nb * static_cast<Index>(inputs.size()); }
  [[nodiscard]] Index max_lag() const;
  /// Inputs first (input by input, lags rising), then y: a smaller na is a leading part.
  [[nodiscard]] std::vector<Term> terms(Index y_signal) const;
};

struct Arx {
  Structure structure;
  Vector theta;  ///< in the order of terms()
  double constant = 0;
  bool integrating = false, differenced = false;

  [[nodiscard]] Vector a() const { return theta.tail(structure.na); }
  [[nodiscard]] Vector b(Index i) const { return theta.segment(i * structure.nb, structure.nb); }
};

/// Constant that goes with θ: ȳ − θᵀ φ̄.
double constant_of(const Normal& normal, const std::vector<Term>& terms, Index y_signal,
                   const Eigen::Ref<const Vector>& theta);

/// All roots of zⁿ − a₁ zⁿ⁻¹ − … − aₙ inside |z| < radius, by the Schur-Cohn recursion: n².
bool roots_inside(const Eigen::Ref<const Vector>& a, double radius);

/// h(0..steps−1) of 1/A(q), with `unit_roots` factors 1/(1 − q⁻¹) more.
Vector disturbance_response(const Eigen::Ref<const Vector>& a, int unit_roots, Index steps);

/// Answer of the CV at k = 0..steps−1 to a unit step of the i-th input of the structure.
Vector step_response(const Arx& arx, Index i, Index steps);

/// Derivative of step_response with respect to θ: steps × parameters.
Matrix step_sensitivity(const Arx& arx, Index i, Index steps);

/// Steady-state gain of the i-th input; NaN for an integrating CV.
double gain(const Arx& arx, Index i);

/// Steps until the answer stays within (1 − share) of its steady state; −1: not within max_steps.
Index steps_to_share(const Arx& arx, Index i, double share, Index max_steps);

/// e(t) for the targets t0 ≤ t < t1 into out. Cost (t1 − t0)·p.
void residuals(const Regression& r, const Structure& s, const Eigen::Ref<const Vector>& theta,
               double constant, Index t0, Index t1, double* out);

}  // namespace flyball::identify
