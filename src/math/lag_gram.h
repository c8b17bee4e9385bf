#pragma once
// Exact Gram matrix of lagged signals without building the lagged matrix: every ARX structure
// within the maximal lag is a sub-matrix of it.
#include "math/types.h"

namespace flyball::math {

/// G = Σ_t φ(t) φ(t)ᵀ with φ(t) = [x_0(t) x_0(t−1) … x_0(t−L)  x_1(t) … x_{m−1}(t−L)], and Σ_t
/// φ(t). The first entries of each diagonal are dot products, the others follow it:
/// G[(i,k+1),(j,l+1)] = G[(i,k),(j,l)] + x_i(t0−1−k) x_j(t0−1−l) − x_i(t1−1−k) x_j(t1−1−l).
/// Cost m² (L+1) N multiplications, plus (m (L+1))² per stretch; memory (m (L+1))².
class LagGram {
 public:
  LagGram(Index signals, Index max_lag);

  /// Adds the rows t0 ≤ t < t1 of x (rows × m, column-major). Rows t0−L .. t1−1 must exist and be
  /// finite. An empty stretch adds nothing.
  void add(const ConstMatrixRef& x, Index t0, Index t1);
  void subtract(const LagGram& other);
  /// Takes a single row t out again.
  void remove_row(const ConstMatrixRef& x, Index t);

  [[nodiscard]] Index index(Index signal, Index lag) const { return signal * (max_lag_ + 1) + lag; }
  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index max_lag() const { return max_lag_; }
  [[nodiscard]] const Matrix& gram() const { return gram_; }  ///< m(L+1) square, symmetric
  [[nodiscard]] const Vector& sums() const { return sums_; }
  /// G − s sᵀ / N: the Gram matrix after projecting on a constant. N ≥ 1.
  [[nodiscard]] Matrix centred() const;

 private:
  Index signals_, max_lag_, rows_ = 0;
  Matrix gram_;
  Vector sums_;
};

}  // namespace flyball::math
