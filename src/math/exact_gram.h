#pragma once
// Least squares on lagged signals that keeps its digits where normal equations lose them: the Gram
// matrix of LagGram in twice the working precision, and its Cholesky solution.
#include <optional>
#include <vector>

#include "math/double_double.h"
#include "math/types.h"

namespace flyball::math {

/// A lagged column: x_signal(t − lag).
struct LaggedColumn {
  Index signal = 0, lag = 0;
};

/// Minimiser of Σ_t (y(t) − c − θᵀφ(t))² + λ θᵀ diag(C) θ, C = ΦᵀΦ after projecting on the
/// constant.
struct ExactFit {
  Vector theta;
  double constant = 0;
  double rss = 0;        ///< of θ, without the ridge's term; ≥ 0
  double condition = 0;  ///< max/min pivot of the Cholesky factor: a lower bound of cond(Φ)
  Index rank = 0;        ///< pivots above 1e-13 of the column they belong to
};

/// G = Σ φφᵀ as in LagGram, of relative error about (N_chunk·2⁻⁵³)², 1e-27, before rounding: a fit
/// from it has an error near cond(Φ)²·1e-27, against cond(Φ)·1e-16 of Householder QR and
/// cond(Φ)²·1e-16 of normal equations. No lagged matrix is built: the cost is m² (L+1) N products
/// of ten operations each, four side by side where the machine has fused multiply-add, and the bits
/// are the same where it has not. (docs/decisions/0011)
class ExactGram {
 public:
  /// Of the columns `signals` of x, lags 0..max_lag.
  ExactGram(std::vector<Index> signals, Index max_lag);

  /// As LagGram::add: rows t0 ≤ t < t1, rows t0−L .. t1−1 exist and are finite.
  void add(const ConstMatrixRef& x, Index t0, Index t1);
  void remove_row(const ConstMatrixRef& x, Index t);

  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Double2 gram(LaggedColumn a, LaggedColumn b) const;

  /// Fits `target` on `terms`; their signals must be among those of the Gram matrix. Columns that
  /// are zero get θ = 0. Empty when the matrix is not positive definite even so, cond(Φ) above
  /// about 1e13.
  [[nodiscard]] std::optional<ExactFit> fit(const std::vector<LaggedColumn>& terms,
                                            LaggedColumn target, bool constant,
                                            double lambda) const;

 private:
  [[nodiscard]] Index index(LaggedColumn c) const;
  [[nodiscard]] Double2 entry(Index i, Index j) const { return {hi_(i, j), lo_(i, j)}; }
  void add_to(Index i, Index j, Double2 v);

  std::vector<Index> signals_;
  Index max_lag_, rows_ = 0;
  Matrix hi_, lo_;
  std::vector<Double2> sums_;
};

}  // namespace flyball::math
