#pragma once
// A square root of the inverse of a growing and shrinking positive definite matrix:
//
//   S⁻¹ = Mᵀ M      S w×w, the Schur matrix of a working set; M w×w, any orthogonal factor in front
//
//   append  ℓ = M s, r = Mᵀ ℓ = S⁻¹ s, δ = s_pp − ‖ℓ‖²;  M ← [M 0; −rᵀ/√δ 1/√δ]          3 w²
//   remove  a Householder reflection turns column i of M into a multiple of the last unit vector;
//   the
//           last row and column i leave                                                   2 w²
//
// Only orthogonal transformations and appended rows, so errors stay of the size of the condition of
// S; the order of the working set does not matter to it. Everything but the constructor is noexcept
// and allocates nothing.
#include "optimise/aligned.h"

namespace flyball::optimise {

class InverseRoot {
 public:
  explicit InverseRoot(Index capacity = 0);

  [[nodiscard]] Index size() const noexcept { return size_; }
  [[nodiscard]] Index capacity() const noexcept { return capacity_; }
  void clear() noexcept { size_ = 0; }

  /// x = S⁻¹ b (w); b has room for padded(w), zero beyond w.
  void solve(const double* b, double* x) noexcept;

  /// r = S⁻¹ s, returns ‖ℓ‖² = sᵀ S⁻¹ s. s as b of solve. What append(…) then uses.
  double project(const double* s, double* r) noexcept;

  /// Precondition: r of project, δ = s_pp − sᵀ S⁻¹ s > 0, size < capacity.
  void append(const double* r, double delta) noexcept;

  /// The last one takes place i. q (w, before): q_j = (S⁻¹)_ji / √(S⁻¹)_ii, in the old order, so
  /// that x = S⁻¹ b becomes x_j − q_j x_i/q_i. Returns q_i.
  double remove(Index i, double* q) noexcept;

 private:
  Index capacity_ = 0, stride_ = 0, size_ = 0;
  Doubles m_;  ///< rows of `stride_`, zero beyond size in a row
  Doubles l_, v_, t_;
};

}  // namespace flyball::optimise
