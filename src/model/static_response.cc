#include "model/static_response.h"

#include <cmath>
#include <limits>

namespace flyball::model {
namespace {

void need(bool holds, const char* name, const char* expected) {
  if (!holds)
    throw Error("SHAPE_MISMATCH", {{"name", name}, {"actual", "not so"}, {"expected", expected}});
}

double value(const Term& term, const ConstVectorRef& z) {
  return (term.first < 0 ? 1 : z(term.first)) * (term.second < 0 ? 1 : z(term.second));
}

}  // namespace

void check(const StaticResponse& m) {
  const Index n = m.inputs();
  need(m.scale.size() == n && m.low.size() == n && m.high.size() == n, "scale, low, high",
       "one per input");
  if (!m.mean.allFinite() || !m.scale.allFinite() || !m.low.allFinite() || !m.high.allFinite() ||
      (n > 0 && !(m.scale.minCoeff() > 0)))
    throw Error("NOT_FINITE", {{"name", "scaling or box"},
                               {"value", "not finite, or a scale that is not positive"}});
  for (const Surface& s : m.surfaces) {
    const auto p = static_cast<Index>(s.terms.size());
    need(p > 0 && s.coefficients.size() == p, "coefficients", "one per term");
    need(s.information.rows() == p && s.information.cols() == p, "information", "terms × terms");
    for (const Term& t : s.terms)
      need(t.first >= -1 && t.first < n && t.second >= -1 && t.second < n &&
               (t.first >= 0 || t.second < 0),
           "term", "inputs of the model");
    if (!s.coefficients.allFinite() || !s.information.allFinite() || !std::isfinite(s.h_max))
      throw Error("NOT_FINITE", {{"name", "surface"}, {"value", "not finite"}});
  }
}

Matrix regressors(const ConstMatrixRef& z, const std::vector<Term>& terms) {
  Matrix phi(z.rows(), static_cast<Index>(terms.size()));
  for (Index j = 0; j < phi.cols(); ++j) {
    const Term& t = terms[static_cast<std::size_t>(j)];
    phi.col(j).setOnes();
    if (t.first >= 0) phi.col(j).array() *= z.col(t.first).array();
    if (t.second >= 0) phi.col(j).array() *= z.col(t.second).array();
  }
  return phi;
}

Vector normalised(const StaticResponse& m, const ConstVectorRef& u) {
  return ((u - m.mean).array() / m.scale.array()).matrix();
}

Vector surface_values(const StaticResponse& m, const ConstVectorRef& u) {
  const Vector z = normalised(m, u);
  Vector y = Vector::Zero(m.outputs());
  for (Index j = 0; j < y.size(); ++j) {
    const Surface& s = m.surfaces[static_cast<std::size_t>(j)];
    for (std::size_t t = 0; t < s.terms.size(); ++t)
      y(j) += s.coefficients(static_cast<Index>(t)) * value(s.terms[t], z);
  }
  return y;
}

double leverage(const StaticResponse& m, const Surface& s, const ConstVectorRef& u) {
  const Vector z = normalised(m, u);
  Vector phi(static_cast<Index>(s.terms.size()));
  for (Index t = 0; t < phi.size(); ++t) phi(t) = value(s.terms[static_cast<std::size_t>(t)], z);
  return phi.dot(s.information * phi);
}

std::optional<Outside> outside(const StaticResponse& m, const ConstVectorRef& u) {
  // Rounding of a value that stands on the border.
  constexpr double kRounding = 1e-9;
  for (Index i = 0; i < m.inputs(); ++i) {
    const double slack = kRounding * std::max(std::abs(m.low(i)), std::abs(m.high(i)));
    if (!(u(i) >= m.low(i) - slack && u(i) <= m.high(i) + slack))
      return Outside{i, u(i), m.low(i), m.high(i), -1};
  }
  for (Index j = 0; j < m.outputs(); ++j) {
    const Surface& s = m.surfaces[static_cast<std::size_t>(j)];
    const double h = leverage(m, s, u);
    if (!(h <= s.h_max * (1 + kRounding))) return Outside{-1, h, 0, s.h_max, j};
  }
  return std::nullopt;
}

Vector predict(const StaticResponse& m, const ConstVectorRef& u) {
  if (outside(m, u)) return Vector::Constant(m.outputs(), std::numeric_limits<double>::quiet_NaN());
  return surface_values(m, u);
}

Vector gradient(const StaticResponse& m, const Surface& s, const ConstVectorRef& u) {
  const Vector z = normalised(m, u);
  Vector g = Vector::Zero(m.inputs());
  for (std::size_t t = 0; t < s.terms.size(); ++t) {
    const Term& term = s.terms[t];
    const double b = s.coefficients(static_cast<Index>(t));
    if (term.first >= 0) g(term.first) += b * (term.second < 0 ? 1 : z(term.second));
    if (term.second >= 0) g(term.second) += b * z(term.first);
  }
  return (g.array() / m.scale.array()).matrix();
}

Matrix hessian(const StaticResponse& m, const Surface& s) {
  Matrix h = Matrix::Zero(m.inputs(), m.inputs());
  for (std::size_t t = 0; t < s.terms.size(); ++t) {
    const Term& term = s.terms[t];
    if (term.first < 0 || term.second < 0) continue;
    const double b = s.coefficients(static_cast<Index>(t));
    h(term.first, term.second) += b;
    h(term.second, term.first) += b;
  }
  return h;
}

}  // namespace flyball::model
