#pragma once
// The quasidefinite system of interior point and polish,
//   [H + D  Aᵀ] [p]   [r]
//   [A     −E ] [q] = [s]     D, E ≥ 0 diagonal, regularised by `shift` on both diagonals,
// by sparse LDLᵀ with a fill-reducing order found once, and iterative refinement on the system
// without the shift. Cost: of one sparse factorisation of order n + m, and of two products per
// refinement. Source: Vanderbei, SIAM J. Optim. 5 (1995).
#include <memory>

#include "solver/program.h"

namespace flyball::solver {

class Kkt {
 public:
  Kkt(const SparseMatrix& h, const SparseMatrix& a);
  ~Kkt();

  /// False when the factorisation broke down.
  bool factor(const Vector& d, const Vector& e, double shift);
  /// Solves for (p, q); returns the residual of the system without the shift relative to (r, s), in
  /// the 2-norm with rows of A divided by √(1 + E).
  double solve(const Vector& r, const Vector& s, Vector& p, Vector& q) const;

 private:
  struct Factor;
  [[nodiscard]] Vector apply(const Vector& v) const;
  const SparseMatrix &h_, &a_;
  SparseMatrix at_;
  std::unique_ptr<Factor> factor_;
  Vector d_, e_;
  double shift_ = 0;
};

}  // namespace flyball::solver
