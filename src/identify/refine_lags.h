#pragma once
// First- and second-order-plus-dead-time models per (input, CV), for people who tune loops.
//
//   y(t) = y0 + Σₘ Kₘ gₘ(t) + e(t),   Gₘ(s) = e^{−θₘ s} / ((τ₁ₘ s + 1)(τ₂ₘ s + 1))
//
// of inputs held between samples, exact at the samples for every θ ≥ 0, fractions of a step too.
// Minimises Σ e², the error of the free simulation, over all pairs of a CV at once.
#include <vector>

#include "identify/output_error.h"

namespace flyball::identify {

/// One pair in steps of the beat and normalised signals.
struct LagPair {
  Index input = 0;
  double gain = 0;
  double tau1 = 1;
  double tau2 = 0;  ///< 0: first order; below tau1
  double theta = 0;
};

struct LagStart {
  std::vector<LagPair> pairs;
  double constant = 0;
  std::vector<bool> theta_held = {};  ///< per pair; empty: none
  Index behind =
      0;  ///< rows left out at the start of each stretch; 0: the latest dead time allowed
};

/// Standard errors from the sensitivities and the residuals' autocorrelation (see refine).
struct LagFit {
  std::vector<LagPair> pairs, standard_errors;
  double constant = 0;
  double mean_square = 0;
  Index rows = 0, parameters = 0, behind = 0;
  Index states = 0;  ///< of all stretches
  int iterations = 0;
  bool converged = false;
};

/// Levenberg and Marquardt over ln τ, θ and K; θ stays inside [first_lag − 1 − slack, first_lag +
/// slack] of its start's whole step. A pair whose start has τ₂ > 0 is of second order. Every
/// stretch has an initial state per pair (its own poles).
LagFit fit_lags(const Regression& r, const LagStart& start, const std::vector<Interval>& within);

/// First order, or second order for the pairs that need it: all of second order are fitted, pairs
/// whose second lag is within 3 standard errors of nothing go back, and the fit of
/// least schwarz() is taken.
LagFit fit_lags_of_order(const Regression& r, const LagStart& first_order,
                         const std::vector<Interval>& within);

/// The same answers as one ARX: A(q) the product of all poles, inputs in the order of the pairs.
Arx arx_of(const LagFit& fit);

/// N ln(N mean square/(N − states)) + parameters·ln N: states that are fitted piece by piece count
/// as degrees of freedom, or models of many states would win wherever a record has many holes.
double schwarz(double mean_square, Index parameters, Index states, Index rows);

/// First-order start of every pair of an ARX: its gain, its dead time nk − ½, and the average
/// residence time of its step response beyond that as τ.
LagStart lag_start(const Arx& arx);

/// ∂g/∂(τ₁, τ₂, θ) and g of one pair at unit gain: rows × (1 + 3), for the tests.
Matrix lag_response(const Eigen::Ref<const Vector>& u, const LagPair& pair);

}  // namespace flyball::identify
