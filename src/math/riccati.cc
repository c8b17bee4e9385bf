#include "math/riccati.h"

#include "math/linear_algebra.h"

namespace flyball::math {
namespace {

constexpr int kRounds = 60;
constexpr double kConverged = 1e-13;

}  // namespace

std::optional<Matrix> filter_riccati(const ConstMatrixRef& a, const ConstMatrixRef& c,
                                     const ConstMatrixRef& q, const ConstMatrixRef& r,
                                     const ConstMatrixRef& n) {
  const auto factor = Cholesky::of(r);
  if (!factor) return {};
  const Matrix weight = factor->inverse();
  const Matrix identity = Matrix::Identity(a.rows(), a.rows());
  // Without the correlation: w − N R⁻¹ v is what y does not tell of w.
  Matrix f = (a - n * weight * c).transpose();
  Matrix g = c.transpose() * weight * c;
  Matrix h = q - n * weight * n.transpose();
  for (int round = 0; round < kRounds; ++round) {
    const auto inverse = solve(identity + g * h, identity);
    if (!inverse || !inverse->allFinite()) return {};
    const Matrix left = f * *inverse;
    const Matrix step = f.transpose() * h * (*inverse) * f;
    g += left * g * f.transpose();
    f = left * f;
    h += step;
    h = 0.5 * (h + h.transpose()).eval();
    g = 0.5 * (g + g.transpose()).eval();
    if (!h.allFinite() || !g.allFinite()) return {};
    if (step.cwiseAbs().maxCoeff() <= kConverged * (1e-300 + h.cwiseAbs().maxCoeff())) return h;
  }
  return {};
}

Matrix filter_gain(const ConstMatrixRef& a, const ConstMatrixRef& c, const ConstMatrixRef& p,
                   const ConstMatrixRef& r, const ConstMatrixRef& n) {
  const Matrix innovation = c * p * c.transpose() + r;
  const Matrix cross = a * p * c.transpose() + n;
  return solve(innovation, cross.transpose())->transpose();
}

}  // namespace flyball::math
