#include "math/linear_algebra.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>

namespace flyball::math {

std::optional<Cholesky> Cholesky::of(const ConstMatrixRef& a) {
  Matrix l = a;
  const Eigen::LLT<Eigen::Ref<Matrix>> factor(l);
  if (factor.info() != Eigen::Success) return std::nullopt;
  l.triangularView<Eigen::StrictlyUpper>().setZero();
  if (!l.allFinite()) return std::nullopt;
  return Cholesky(std::move(l));
}

Vector Cholesky::solve(const ConstVectorRef& b) const {
  Vector x = b;
  l_.triangularView<Eigen::Lower>().solveInPlace(x);
  l_.triangularView<Eigen::Lower>().adjoint().solveInPlace(x);
  return x;
}

Matrix Cholesky::inverse() const {
  Matrix x = Matrix::Identity(l_.rows(), l_.rows());
  l_.triangularView<Eigen::Lower>().solveInPlace(x);
  return x.transpose() * x;
}

double Cholesky::condition_bound() const {
  if (l_.rows() == 0) return 1;
  const double ratio = l_.diagonal().maxCoeff() / l_.diagonal().minCoeff();
  return ratio * ratio;
}

std::optional<Matrix> solve(const ConstMatrixRef& a, const ConstMatrixRef& b) {
  if (a.rows() == 0) return Matrix(b);
  const Eigen::PartialPivLU<Matrix> lu(a);
  if (!(lu.rcond() > 1e-15)) return std::nullopt;
  Matrix x = lu.solve(b);
  if (!x.allFinite()) return std::nullopt;
  return x;
}

Vector least_squares(const ConstMatrixRef& a, const ConstVectorRef& b) {
  return Eigen::ColPivHouseholderQR<Matrix>(a).solve(b);
}

}  // namespace flyball::math
