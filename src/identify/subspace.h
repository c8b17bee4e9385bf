#pragma once
// Subspace identification from lag covariances (CVA and N4SID), all orders from one factorisation.
//
// A long vector autoregression z → y of p lags gives the predictions of the next p outputs from
// the past with no future input, ŷ(t+i) = ψᵢ z⁻(t). Their weighted covariance is decomposed once;
// its n leading directions are the state of order n,
//   x(t) = W z⁻(t),   z⁻(t) = channels and outputs of t−1 … t−p,
// and x(t+1), y(t) are regressed on x(t), v(t), e(t). Everything is a sub-matrix of one exact Gram
// matrix, so the cost is linear in the rows (m²·L·N) and no row spans two stretches. Future inputs
// do not enter the regression, which keeps it consistent in feedback.
// (Larimore 1990; Jansson 2003; Chiuso and Picci 2005; stable refit: Van Gestel et al. 2001.)
#include <vector>

#include "identify/arx.h"
#include "model/linear_state_space.h"

namespace flyball::identify {

enum class SubspaceWeight {
  cva,   ///< predictions weighted with the inverse covariance of their errors
  n4sid  ///< unweighted
};

/// Columns of a Regression. Channel c is inputs[c] delayed by max(first_lag − 1, 0); first_lag 0 is
/// direct feed-through.
struct SubspaceSpec {
  std::vector<Structure::Input> inputs;
  std::vector<Index> outputs;
  Index past = 10;  ///< p
  Index max_order = 10;
  SubspaceWeight weight = SubspaceWeight::cva;
  double radius = 1 - 1e-4;  ///< of the stable refit

  /// Lags that the Gram matrix must hold.
  [[nodiscard]] Index max_lag() const;
};

/// x⁺ = A x + B v + K e + f, y = C x + D v + g + e in normalised signals.
struct InnovationForm {
  Matrix A, B, C, D, K, S;
  Vector f, g;
  bool refitted = false;  ///< A came out unstable and was fitted again inside the radius
};

struct SubspaceFit {
  Vector singular_values;              ///< of the weighted predictions, descending
  std::vector<InnovationForm> models;  ///< order 1, 2, …; fewer when the data carry fewer
};

/// Empty when there are not more rows than regressors. An unstable A is fitted again with the least
/// ridge on the states that brings ρ(A) to the radius; an unstable predictor A − K C gets the
/// stabilising gain of the same noise (Riccati).
SubspaceFit fit_subspace(const Normal& normal, const SubspaceSpec& spec);

/// Order p of the autoregression with the least Akaike criterion, 1 … max_past.
Index choose_past(const Normal& normal, SubspaceSpec spec, Index max_past);

/// Stabilising gain of x⁺ = A x + K e, y = C x + e, cov e = S: the fixed point P of
/// P = A P Aᵀ + K S Kᵀ − G V⁻¹ Gᵀ, G = A P Cᵀ + K S, V = C P Cᵀ + S; K ← G V⁻¹, S ← V.
void make_predictor_stable(InnovationForm& m);

/// The joint regression of several CVs: columns inputs, then every CV; a row is a target when all
/// of them were measured.
Regression joint_regression(const TrainingData& data, const std::vector<bool>& used);

/// In model units, with channels and delays. `inputs` as in the spec.
model::LinearStateSpace to_model_units(const InnovationForm& m, const SubspaceSpec& spec,
                                       const TrainingData& data);

}  // namespace flyball::identify
