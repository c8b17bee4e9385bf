#pragma once
// Decompositions behind plain functions, so that only math/*.cc pays for compiling them.
#include <optional>

#include "math/types.h"

namespace flyball::math {

/// Cholesky factor of a symmetric positive definite matrix (n×n, lower triangle read), A = L Lᵀ.
/// Cost n³/3.
class Cholesky {
 public:
  /// Empty when A is not numerically positive definite.
  static std::optional<Cholesky> of(const ConstMatrixRef& a);

  [[nodiscard]] Vector solve(const ConstVectorRef& b) const;
  [[nodiscard]] Matrix inverse() const;
  [[nodiscard]] const Matrix& lower() const { return l_; }
  /// (max Lᵢᵢ / min Lᵢᵢ)²: a lower bound of the condition number of A.
  [[nodiscard]] double condition_bound() const;

 private:
  explicit Cholesky(Matrix l) : l_(std::move(l)) {}
  Matrix l_;
};

/// Solves A X = B by LU with partial pivoting; empty when A (n×n) is singular to working precision.
std::optional<Matrix> solve(const ConstMatrixRef& a, const ConstMatrixRef& b);

/// Minimiser of ‖A x − b‖₂ by column-pivoted Householder QR: the oracle of the faster paths.
/// A N×p; a rank-deficient A gives the basic solution.
Vector least_squares(const ConstMatrixRef& a, const ConstVectorRef& b);

/// Moduli of the eigenvalues of A (n×n), descending.
Vector eigenvalue_moduli(const ConstMatrixRef& a);

/// Eigenvalues of a symmetric matrix, ascending, and orthonormal eigenvectors in columns.
struct SymmetricEigen {
  Vector values;
  Matrix vectors;
};
SymmetricEigen symmetric_eigen(const ConstMatrixRef& a);

}  // namespace flyball::math
