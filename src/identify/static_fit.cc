#include "identify/static_fit.h"

#include <cmath>

#include "math/linear_algebra.h"

namespace flyball::identify {

TermRegression::TermRegression(const PointTable& points, std::vector<model::Term> terms)
    : points_(points), terms_(std::move(terms)), phi_(model::regressors(points.z, terms_)) {
  normal_ = phi_.transpose() * phi_;
  penalty_ = (phi_.rowwise() - phi_.colwise().mean()).colwise().squaredNorm().transpose();
}

/// Scaled to a unit diagonal first, so that the verdict on the rank has no units.
std::optional<Matrix> TermRegression::inverse(Matrix normal) const {
  constexpr double kSingular = 1e12;
  const Vector d = normal.diagonal().cwiseMax(0).cwiseSqrt();
  if (!(d.minCoeff() > 0)) return std::nullopt;
  for (Index j = 0; j < normal.cols(); ++j) normal.col(j).array() /= d.array() * d(j);
  const auto factor = math::Cholesky::of(normal);
  if (!factor || factor->condition_bound() > kSingular) return std::nullopt;
  Matrix out = factor->inverse();
  for (Index j = 0; j < out.cols(); ++j) out.col(j).array() /= d.array() * d(j);
  return out;
}

std::optional<LeftOut> TermRegression::leave_out(const ConstVectorRef& y, double lambda) const {
  const Index p = parameters(), n = phi_.rows();
  std::vector<Matrix> normals(static_cast<std::size_t>(points_.groups), Matrix::Zero(p, p));
  std::vector<Vector> right(normals.size(), Vector::Zero(p));
  for (Index i = 0; i < n; ++i) {
    const auto g = static_cast<std::size_t>(points_.group[static_cast<std::size_t>(i)]);
    normals[g].noalias() += phi_.row(i).transpose() * phi_.row(i);
    right[g] += y(i) * phi_.row(i).transpose();
  }
  const Vector all = phi_.transpose() * y;
  std::vector<Vector> b;
  for (std::size_t g = 0; g < normals.size(); ++g) {
    Matrix normal = normal_ - normals[g];
    normal.diagonal() += lambda * penalty_;
    const auto inv = inverse(std::move(normal));
    if (!inv) return std::nullopt;
    b.emplace_back(*inv * (all - right[g]));
  }
  LeftOut out{Vector::Zero(points_.groups), 0};
  for (Index i = 0; i < n; ++i) {
    const Index g = points_.group[static_cast<std::size_t>(i)];
    const double e = y(i) - phi_.row(i).dot(b[static_cast<std::size_t>(g)]);
    out.squares(g) += e * e;
  }
  out.mean = out.squares.sum() / static_cast<double>(n);
  return out;
}

std::optional<TermRegression::Fit> TermRegression::fit(const ConstVectorRef& y,
                                                       double lambda) const {
  Matrix normal = normal_;
  normal.diagonal() += lambda * penalty_;
  auto inv = inverse(std::move(normal));
  if (!inv) return std::nullopt;
  Fit f;
  f.information = std::move(*inv);
  f.coefficients = f.information * (phi_.transpose() * y);
  f.residuals = y - phi_ * f.coefficients;
  f.leverages = (phi_ * f.information).cwiseProduct(phi_).rowwise().sum();
  f.squares = f.residuals.squaredNorm();
  f.dof = static_cast<double>(phi_.rows()) - f.leverages.sum();
  f.variance = f.dof > 0 ? f.squares / f.dof : 0;
  f.covariance = f.variance * (f.information * normal_ * f.information);
  return f;
}

std::optional<TermRegression::Without> TermRegression::without(const ConstVectorRef& y,
                                                               double lambda, Index input) const {
  std::vector<model::Term> rest;
  for (const model::Term& t : terms_) {
    if (t.first != input && t.second != input) rest.push_back(t);
  }
  const auto f = TermRegression(points_, rest).fit(y, lambda);
  if (!f) return std::nullopt;
  return Without{f->squares, parameters() - static_cast<Index>(rest.size())};
}

}  // namespace flyball::identify
