#include "identify/refine_step.h"

#include <cmath>

#include "identify/hot_loops.h"
#include "math/linear_algebra.h"

namespace flyball::identify {
namespace {

constexpr double kDetermined = 1e-9;  ///< of the largest eigenvalue of the scaled H

Vector unit_scale(const Matrix& h) {
  return h.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
}

}  // namespace

std::optional<Vector> damped(const NormalStep& step, double damping) {
  const Vector scale = unit_scale(step.h);
  Matrix h = scale.asDiagonal() * step.h * scale.asDiagonal();
  h.diagonal().array() += damping;
  const auto factor = math::Cholesky::of(h);
  if (!factor) return std::nullopt;
  return scale.cwiseProduct(factor->solve(scale.cwiseProduct(step.g)));
}

Sandwich::Sandwich(const Autoregression& noise, Index parameters)
    : noise_(noise), q_(Matrix::Zero(parameters, parameters)) {}

void Sandwich::add(Matrix& slope) {
  const Index rows = slope.cols();
  for (Index t = rows - 2; t >= 0; --t) {
    const Index last = std::min(noise_.d.size(), rows - 1 - t);
    for (Index k = 1; k <= last; ++k) {
      add_scaled(slope.col(t).data(), slope.col(t + k).data(), noise_.d(k - 1), slope.rows());
    }
  }
  q_.selfadjointView<Eigen::Lower>().rankUpdate(slope);
}

Matrix Sandwich::covariance(const Matrix& h, Index rows, Index left) const {
  const Vector scale = unit_scale(h);
  const Matrix scaled = scale.asDiagonal() * h * scale.asDiagonal();
  if (!scaled.allFinite()) return Matrix::Constant(h.rows(), h.cols(), std::nan(""));
  const math::SymmetricEigen e = math::symmetric_eigen(scaled);
  const double least = kDetermined * e.values(e.values.size() - 1);
  const Vector inverted = (e.values.array() > least).select(e.values.cwiseInverse(), 0);
  const Matrix inverse = scale.asDiagonal() *
                         (e.vectors * inverted.asDiagonal() * e.vectors.transpose()).eval() *
                         scale.asDiagonal();
  const Matrix q = q_.selfadjointView<Eigen::Lower>();
  const double variance =
      noise_.variance * static_cast<double>(rows) / static_cast<double>(std::max<Index>(left, 1));
  return variance * (inverse * q * inverse);
}

}  // namespace flyball::identify
