#pragma once
// Random programs with what is known of them, and the optimality conditions by definition.
#include <cmath>
#include <random>

#include "solver/qp.h"

namespace flyball::solver {

struct DenseQp {
  Matrix h, a;
  Vector g, row_lower, row_upper, lower, upper;
};

struct Family {
  Index variables = 8, rows = 12;
  Index rank = -1;      ///< of H; −1: full
  Index equations = 0;  ///< of the rows
  double spread = 0;    ///< decades over which the columns and rows are scaled
  bool bounds = true;
  bool degenerate = false;  ///< many limits pass through one point
};

/// A feasible program: limits lie around a random point (on it, where degenerate).
inline DenseQp random_qp(std::mt19937_64& random, const Family& f) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0, 1);
  const auto matrix = [&](Index r, Index c) {
    Matrix m(r, c);
    for (Index j = 0; j < c; ++j) {
      for (Index i = 0; i < r; ++i) m(i, j) = normal(random);
    }
    return m;
  };
  const Index n = f.variables, m = f.rows;
  DenseQp q;
  const Matrix b = matrix(n, f.rank < 0 ? n + 3 : f.rank);
  q.h = b * b.transpose();
  q.a = matrix(m, n);
  q.g = 5 * matrix(n, 1);
  Vector column = Vector::Ones(n);
  for (Index j = 0; j < n; ++j) column[j] = std::pow(10, f.spread * (uniform(random) - 0.5));
  q.h = column.asDiagonal() * q.h * column.asDiagonal();
  q.h = (0.5 * (q.h + q.h.transpose())).eval();
  q.a = q.a * column.asDiagonal();
  q.g = column.cwiseProduct(q.g);
  for (Index i = 0; i < m; ++i) q.a.row(i) *= std::pow(10, f.spread * (uniform(random) - 0.5));
  const Vector x = matrix(n, 1).cwiseQuotient(column);
  const Vector ax = q.a * x;
  const auto limits = [&](Index size, const Vector& at, Vector& low, Vector& high,
                          const Vector& unit) {
    low = Vector::Constant(size, -kInfinity);
    high = Vector::Constant(size, kInfinity);
    for (Index i = 0; i < size; ++i) {
      const double kind = uniform(random);
      const double room = f.degenerate && uniform(random) < 0.7 ? 0 : uniform(random) * unit[i];
      if (kind < 0.7) low[i] = at[i] - room;
      if (kind > 0.3)
        high[i] = at[i] + (low[i] == at[i] ? uniform(random) * unit[i] + 0.1 * unit[i] : room);
    }
  };
  Vector size = q.a.rowwise().norm().cwiseProduct(Vector::Ones(m));
  for (Index i = 0; i < m; ++i) size[i] = (q.a.row(i).transpose().cwiseQuotient(column)).norm();
  limits(m, ax, q.row_lower, q.row_upper, size);
  for (Index i = 0; i < f.equations; ++i) q.row_lower[i] = q.row_upper[i] = ax[i];
  if (f.bounds) {
    limits(n, x, q.lower, q.upper, column.cwiseInverse());
  } else {
    q.lower = Vector::Constant(n, -kInfinity);
    q.upper = Vector::Constant(n, kInfinity);
  }
  return q;
}

/// The residuals by the definition in qp.h, written apart from the solver's own.
inline Residuals residuals_by_definition(const DenseQp& q, const Solution& s) {
  Residuals r;
  // Sums of large terms that cancel: with 64-bit mantissas, as the solver's own.
  using Wide = Eigen::Matrix<long double, Eigen::Dynamic, 1>;
  const auto wide = [](const auto& m) { return m.template cast<long double>(); };
  const Wide slope =
      wide(q.h) * wide(s.x) + wide(q.g) + wide(q.a.transpose()) * wide(s.y) + wide(s.z);
  r.stationarity =
      static_cast<double>(slope.cwiseAbs().maxCoeff()) / (1 + q.g.cwiseAbs().maxCoeff());
  r.primal = 0;
  double gap = 0, most = 0;
  const auto limit = [&](double value, double low, double high, double size, double multiplier) {
    const double violation = std::max({low - value, value - high, 0.0});
    r.primal = std::max(r.primal, violation / limit_scale(low, high, size));
    if (multiplier == 0) return;
    const double product = multiplier * ((multiplier > 0 ? high : low) - value);
    gap += product;
    most = std::max(most, std::abs(product));
  };
  for (Index i = 0; i < q.a.cols(); ++i) limit(s.x[i], q.lower[i], q.upper[i], 1, s.z[i]);
  const Vector ax = Wide(wide(q.a) * wide(s.x)).cast<double>();
  for (Index i = 0; i < q.a.rows(); ++i) {
    limit(ax[i], q.row_lower[i], q.row_upper[i], q.a.row(i).cwiseAbs().maxCoeff(), s.y[i]);
  }
  r.complementarity =
      std::max(std::abs(gap), most) / (1 + std::abs(0.5 * s.x.dot(q.h * s.x) + q.g.dot(s.x)));
  return r;
}

/// True when no x meets all limits, by Farkas: y a + z = 0, and the most that the limits allow y a
/// x + z x to be is below 0.
inline bool proves_infeasible(const DenseQp& q, const Certificate& c) {
  const Index n = q.a.cols();
  if (c.crossed >= 0) {
    return c.crossed < n ? q.lower[c.crossed] > q.upper[c.crossed]
                         : q.row_lower[c.crossed - n] > q.row_upper[c.crossed - n];
  }
  double most = 0, size = 0;
  const auto add = [&](double y, double low, double high, double coefficient) {
    if (y != 0) most += y * (y > 0 ? high : low);
    size = std::max(size, std::abs(y) * (coefficient > 0 ? coefficient : 1));
  };
  for (Index i = 0; i < n; ++i) add(c.z[i], q.lower[i], q.upper[i], 1);
  for (Index i = 0; i < q.a.rows(); ++i) {
    add(c.y[i], q.row_lower[i], q.row_upper[i], q.a.row(i).cwiseAbs().maxCoeff());
  }
  const double rest = (q.a.transpose() * c.y + c.z).cwiseAbs().maxCoeff();
  return most < 0 && size > 0.5 && rest <= 1e-9 * size;
}

}  // namespace flyball::solver
