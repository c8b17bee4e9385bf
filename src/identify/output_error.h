#pragma once
// Prediction-error and output-error fits of one CV by Levenberg and Marquardt.
//
//   A(q) y(t) = Σₘ Bₘ(q) uₘ(t) + k + C(q) e(t),   C(q) = 1 − Σ cᵢ q⁻ⁱ,  normalised signals
//
// prediction error: c is free (ARMAX); output error: C = A, so e = y − B/A u is the error of the
// free simulation. Both minimise Σ e(t)² over the rows measured. The n values of e before each
// piece are parameters of that piece: they hold its initial state, are found by linear least
// squares and eliminated from the step.
#include <vector>

#include "identify/realise.h"
#include "identify/regression.h"

namespace flyball::identify {

enum class Criterion { prediction_error, output_error };

/// A model of one CV: the equation above and, for output error, the noise added to it.
struct Rational {
  Arx arx;
  Noise noise;
};

struct RefineOptions {
  Criterion criterion = Criterion::output_error;
  int max_iterations = 40;
  double tolerance = 1e-7;   ///< relative fall of the criterion that ends the iteration
  double radius = 1 - 1e-6;  ///< roots of A and C stay inside, and inside 1 − 1/(longest piece):
                             ///< slower modes are not seen, yet a simulation blows them up
};

struct Refined {
  Rational model;
  double start = 0, end = 0;   ///< mean square of e before and after
  Index rows = 0, states = 0;  ///< states: values of e before the pieces
  int iterations = 0;
  Matrix covariance;  ///< of arx.theta, then c when free, then k when there is one
  Vector residual;    ///< table rows, NaN where there is none
};

/// From a start whose A and C have their roots inside the radius (an A or C outside is shrunk to
/// it), never to a larger criterion. Output error: the start's c is ignored, an autoregression of
/// the residual is fitted afterwards (noise.ar) and the covariance is H⁻¹ (σ² Σ ζ ζᵀ) H⁻¹ with ζ
/// the sensitivities filtered backwards by the noise model, which holds for coloured residuals.
/// Rows are the targets inside `within` after max_lag rows of their stretch. Cost per iteration
/// rows·p·(p + n).
Refined refine(const Regression& r, const Rational& start, const std::vector<Interval>& within,
               const RefineOptions& options);

/// Mean square of e of a model as it stands, its initial states fitted; +∞ when A or C is not
/// inside the radius.
double mean_square(const Regression& r, const Rational& model, const std::vector<Interval>& within,
                   const RefineOptions& options);

/// ∂e/∂θ at the rows of one piece by the same code as refine: rows × parameters, with the values of
/// e before the piece held at `before` (e(t0−1), e(t0−2), …). For the test against differences.
struct Sensitivity {
  Vector e;
  Matrix slope;
};
Sensitivity sensitivity(const Regression& r, const Rational& model, Criterion criterion, Index t0,
                        Index t1, const Vector& before);

}  // namespace flyball::identify
