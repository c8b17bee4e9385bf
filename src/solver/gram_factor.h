#pragma once
// Cholesky factor of the Gram matrix of a working set, K = RᵀR, that grows by a row and column at
// its end and loses any of them. R is kept by rows. Nothing allocates after the constructor. Cost:
// solve 2k², append k², remove 3(k−j)² at most (Givens rotations), for k entries.
#include <vector>

#include "math/types.h"

namespace flyball::solver {

class GramFactor {
 public:
  explicit GramFactor(Index capacity = 0);

  [[nodiscard]] Index size() const { return size_; }
  void clear() { size_ = 0; }

  /// Solves Rᵀ r = b in place.
  void forward(double* b) const noexcept;
  /// Solves R x = b in place.
  void backward(double* b) const noexcept;
  /// Solves K x = b in place.
  void solve(double* b) const noexcept { forward(b), backward(b); }

  /// Appends the column r of Rᵀ r = K(·, new) and the pivot √(K(new, new) − ‖r‖²) > 0.
  void append(const double* r, double pivot) noexcept;
  /// Removes entry j; those behind it move up.
  void remove(Index j) noexcept;

 private:
  [[nodiscard]] double* row(Index i) { return r_.data() + i * capacity_; }
  [[nodiscard]] const double* row(Index i) const { return r_.data() + i * capacity_; }

  Index capacity_;
  Index size_ = 0;
  std::vector<double> r_;
};

}  // namespace flyball::solver
