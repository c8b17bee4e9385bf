#include "solver/program.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace flyball::solver {

namespace {

void expect_size(std::string_view what, Index found, Index expected) {
  if (found != expected)
    throw Error("QP_SHAPE", {{"what", what}, {"found", found}, {"expected", expected}});
}

[[noreturn]] void not_finite(std::string_view field, Index row, Index column) {
  throw Error("QP_NOT_FINITE", {{"field", field}, {"row", row}, {"column", column}});
}

void expect_finite(std::string_view field, const SparseMatrix& matrix) {
  if (matrix.isCompressed() && matrix.coeffs().allFinite()) return;
  for (Index j = 0; j < matrix.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator it(matrix, j); it; ++it) {
      if (!std::isfinite(it.value())) not_finite(field, it.row(), j);
    }
  }
}

/// A limit is a number or an infinity that does not forbid everything.
void expect_limits(std::string_view field, const Vector& limits, double refused) {
  for (Index i = 0; i < limits.size(); ++i) {
    if (std::isnan(limits[i]) || limits[i] == refused) not_finite(field, i, 0);
  }
}

void expect_symmetric(const SparseMatrix& h) {
  const SparseMatrix other = h.transpose();
  const Index entries = h.nonZeros();
  if (h.isCompressed() &&
      std::equal(h.innerIndexPtr(), h.innerIndexPtr() + entries, other.innerIndexPtr()) &&
      std::equal(h.outerIndexPtr(), h.outerIndexPtr() + h.cols() + 1, other.outerIndexPtr()) &&
      std::equal(h.valuePtr(), h.valuePtr() + entries, other.valuePtr())) {
    return;
  }
  Vector diagonal(h.cols());
  for (Index j = 0; j < h.cols(); ++j) diagonal[j] = std::abs(h.coeff(j, j));
  for (Index j = 0; j < h.cols(); ++j) {
    SparseMatrix::InnerIterator a(h, j), b(other, j);
    while (a || b) {
      const Index i = !b || (a && a.row() <= b.row()) ? a.row() : b.row();
      const double x = a && a.row() == i ? a.value() : 0, y = b && b.row() == i ? b.value() : 0;
      if (x != y && std::abs(x - y) > 1e-12 * std::sqrt(diagonal[i] * diagonal[j])) {
        throw Error("QP_NOT_SYMMETRIC", {{"row", i}, {"column", j}, {"value", x}, {"other", y}});
      }
      if (a && a.row() == i) ++a;
      if (b && b.row() == i) ++b;
    }
  }
}

}  // namespace

Program Program::of(const Matrix& h, const Vector& g, const Matrix& a, const Vector& row_lower,
                    const Vector& row_upper, const Vector& lower, const Vector& upper) {
  return {h.sparseView(1, 0), a.sparseView(1, 0), g, row_lower, row_upper, lower, upper};
}

void complete(Program& p) {
  const Index n = p.g.size(), m = p.a.rows();
  expect_size("H", p.h.rows(), n);
  expect_size("H", p.h.cols(), n);
  if (m == 0) p.a.resize(0, n);
  expect_size("A", p.a.cols(), n);
  expect_size("rowLower", p.row_lower.size(), m);
  expect_size("rowUpper", p.row_upper.size(), m);
  if (p.lower.size() == 0) p.lower = Vector::Constant(n, -kInfinity);
  if (p.upper.size() == 0) p.upper = Vector::Constant(n, kInfinity);
  expect_size("lower", p.lower.size(), n);
  expect_size("upper", p.upper.size(), n);
  expect_finite("h", p.h);
  expect_finite("a", p.a);
  for (Index i = 0; i < n; ++i) {
    if (!std::isfinite(p.g[i])) not_finite("g", i, 0);
  }
  expect_limits("rowLower", p.row_lower, kInfinity);
  expect_limits("rowUpper", p.row_upper, -kInfinity);
  expect_limits("lower", p.lower, kInfinity);
  expect_limits("upper", p.upper, -kInfinity);
  expect_symmetric(p.h);
}

Vector row_coefficients(const SparseMatrix& a) {
  Vector most = Vector::Zero(a.rows());
  for (Index j = 0; j < a.cols(); ++j) {
    for (SparseMatrix::InnerIterator it(a, j); it; ++it) {
      most[it.row()] = std::max(most[it.row()], std::abs(it.value()));
    }
  }
  return most;
}

Vector gradient(const Program& p, const Vector& x, const Vector& y, const Vector* z) {
  Vector out(p.variables());
  for (Index j = 0; j < out.size(); ++j) {
    long double sum = p.g[j];
    for (SparseMatrix::InnerIterator it(p.h, j); it; ++it) {
      sum += static_cast<long double>(it.value()) * x[it.row()];
    }
    for (SparseMatrix::InnerIterator it(p.a, j); it; ++it) {
      sum += static_cast<long double>(it.value()) * y[it.row()];
    }
    if (z != nullptr) sum += (*z)[j];
    out[j] = static_cast<double>(sum);
  }
  return out;
}

Vector activity(const Program& p, const Vector& x) {
  std::vector<long double> sum(static_cast<std::size_t>(p.rows()), 0);
  for (Index j = 0; j < x.size(); ++j) {
    for (SparseMatrix::InnerIterator it(p.a, j); it; ++it) {
      sum[static_cast<std::size_t>(it.row())] += static_cast<long double>(it.value()) * x[j];
    }
  }
  Vector out(p.rows());
  for (Index i = 0; i < out.size(); ++i)
    out[i] = static_cast<double>(sum[static_cast<std::size_t>(i)]);
  return out;
}

void measure(const Program& p, const Vector& coefficients, Solution& s) {
  const Vector hx = p.h * s.x, ax = activity(p, s.x);
  s.objective = 0.5 * s.x.dot(hx) + p.g.dot(s.x);
  Residuals& r = s.residuals;
  const Vector stationarity = gradient(p, s.x, s.y, &s.z);
  r.stationarity = stationarity.cwiseAbs().maxCoeff() / (1 + p.g.cwiseAbs().maxCoeff());
  double primal = 0, gap = 0, most = 0;
  const auto add = [&](double value, double low, double high, double size, double multiplier) {
    const double violation = std::max(low - value, value - high);
    if (!(violation <= 0)) primal = std::max(primal, violation / limit_scale(low, high, size));
    if (multiplier == 0) return;
    const double product = multiplier * ((multiplier > 0 ? high : low) - value);
    gap += product;
    most = std::max(most, std::abs(product));
  };
  for (Index i = 0; i < p.variables(); ++i) add(s.x[i], p.lower[i], p.upper[i], 1, s.z[i]);
  for (Index i = 0; i < p.rows(); ++i) {
    add(ax[i], p.row_lower[i], p.row_upper[i], coefficients[i], s.y[i]);
  }
  r.primal = primal;
  r.complementarity = std::max(std::abs(gap), most) / (1 + std::abs(s.objective));
  if (!s.x.allFinite() || !s.y.allFinite() || !s.z.allFinite()) r = {};
}

bool proves_infeasible(const Program& p, const Vector& coefficients, double tolerance,
                       Certificate& c) {
  for (Index i = 0; i < p.rows(); ++i) {
    if ((c.y[i] > 0 ? p.row_upper[i] : -p.row_lower[i]) == kInfinity) c.y[i] = 0;
  }
  Vector rest = p.a.transpose() * c.y;
  double size = 0, room = 0;
  c.limit = 0;
  const auto add = [&](double y, double low, double high, double coefficient) {
    if (y == 0) return;
    c.limit += y * (y > 0 ? high : low);
    size = std::max(size, std::abs(y) * (coefficient > 0 ? coefficient : 1));
    room += std::abs(y) * limit_scale(low, high, coefficient);
  };
  for (Index i = 0; i < p.variables(); ++i) {
    const double z = -rest[i];
    c.z[i] = std::isfinite(z > 0 ? p.upper[i] : p.lower[i]) ? z : 0;
    rest[i] += c.z[i];
    add(c.z[i], p.lower[i], p.upper[i], 1);
  }
  for (Index i = 0; i < p.rows(); ++i) add(c.y[i], p.row_lower[i], p.row_upper[i], coefficients[i]);
  if (!(size > 0)) return false;
  c.residual = rest.cwiseAbs().maxCoeff() / size;
  const bool holds = c.residual <= 1e-9 && c.limit < -tolerance * room;
  c.y /= size;
  c.z /= size;
  c.limit /= size;
  return holds;
}

bool proves_unbounded(const Program& p, const Vector& coefficients, Vector& d) {
  const double size = d.cwiseAbs().maxCoeff();
  if (!(size > 0) || !std::isfinite(size)) return false;
  d /= size;
  const Vector hd = p.h * d, ad = p.a * d;
  const double h_size = p.h.nonZeros() > 0 ? p.h.coeffs().cwiseAbs().maxCoeff() : 0;
  const double g_size = p.g.cwiseAbs().maxCoeff();
  if (hd.cwiseAbs().maxCoeff() > 1e-9 * h_size || !(p.g.dot(d) < -1e-7 * g_size)) return false;
  const auto leaves = [](double slope, double low, double high, double coefficient) {
    return (slope > 1e-9 * coefficient && high < kInfinity) ||
           (slope < -1e-9 * coefficient && low > -kInfinity);
  };
  for (Index i = 0; i < p.variables(); ++i) {
    if (leaves(d[i], p.lower[i], p.upper[i], 1)) return false;
  }
  for (Index i = 0; i < p.rows(); ++i) {
    if (leaves(ad[i], p.row_lower[i], p.row_upper[i], coefficients[i])) return false;
  }
  return true;
}

}  // namespace flyball::solver
