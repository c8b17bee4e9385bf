#include <Eigen/Eigenvalues>
#include <algorithm>
#include <functional>

#include "math/linear_algebra.h"

namespace flyball::math {

Vector eigenvalue_moduli(const ConstMatrixRef& a) {
  if (a.rows() == 0) return Vector(0);
  const Eigen::EigenSolver<Matrix> solver(a, false);
  Vector moduli = solver.eigenvalues().cwiseAbs();
  std::sort(moduli.data(), moduli.data() + moduli.size(), std::greater<>());
  return moduli;
}

SymmetricEigen symmetric_eigen(const ConstMatrixRef& a) {
  if (a.rows() == 0) return {Vector(0), Matrix(0, 0)};
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(a);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

}  // namespace flyball::math
