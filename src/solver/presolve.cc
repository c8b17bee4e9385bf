#include "solver/presolve.h"

#include <algorithm>
#include <cmath>

namespace flyball::solver {

namespace {

using RowMajor = Eigen::SparseMatrix<double, Eigen::RowMajor>;
constexpr double kParallel = 1e-13;

/// Column j of `from`, its rows at their places (−1: left out), as the next column of `to`.
void append(const SparseMatrix& from, Index j, const std::vector<Index>& place, Index column,
            SparseMatrix& to) {
  to.startVec(column);
  for (SparseMatrix::InnerIterator it(from, j); it; ++it) {
    if (place[it.row()] >= 0 && it.value() != 0)
      to.insertBack(place[it.row()], column) = it.value();
  }
}

}  // namespace

Presolve::Presolve(const Program& program, double tolerance)
    : program_(program), tolerance_(tolerance) {
  certificate_.y = Vector::Zero(program.rows());
  certificate_.z = Vector::Zero(program.variables());
  for (Index j = 0; j < program.variables(); ++j) {
    bounds_.push_back({-kInfinity, kInfinity, {}, {}});
    if (!tighten(bounds_.back(), program.lower[j], program.upper[j], {}, j)) return;
  }
  take_rows();
  if (infeasible_) return;
  merge_repeated();
  if (infeasible_) return;
  build();
}

/// Intersects limits with [low, high] that `from` imposes; false when nothing is left.
bool Presolve::tighten(Limits& limits, double low, double high, Source from, Index index) {
  if (low > limits.low) limits.low = low, limits.low_from = from;
  if (high < limits.high) limits.high = high, limits.high_from = from;
  if (limits.low <= limits.high) return true;
  const Index n = program_.variables();
  if (limits.low - limits.high <= tolerance_ * limit_scale(limits.low, limits.high, 1)) {
    limits.low = limits.high = 0.5 * (limits.low + limits.high);
    return true;
  }
  infeasible_ = true;
  const Source &a = limits.low_from, &b = limits.high_from;
  if (a.row == b.row) {
    certificate_.crossed = a.row >= 0 ? n + a.row : index;
    certificate_.limit = limits.high - limits.low;
    return false;
  }
  for (const auto& [source, sign] : {std::pair{a, -1.0}, std::pair{b, 1.0}}) {
    (source.row >= 0 ? certificate_.y[source.row] : certificate_.z[index]) = sign / source.factor;
  }
  return false;
}

void Presolve::take_rows() {
  const RowMajor a = program_.a;
  row_kept_.assign(program_.rows(), 0);
  rows_.resize(program_.rows());
  for (Index i = 0; i < a.rows(); ++i) {
    const double low = program_.row_lower[i], high = program_.row_upper[i];
    rows_[i] = {-kInfinity, kInfinity, {}, {}};
    if (!tighten(rows_[i], low, high, {i, 1}, i)) return;
    int entries = 0;
    Index column = 0;
    double value = 0;
    for (RowMajor::InnerIterator it(a, i); it; ++it) {
      if (it.value() == 0) continue;
      ++entries;
      column = it.col();
      value = it.value();
    }
    if (entries == 0) {
      if (low <= tolerance_ && high >= -tolerance_) continue;
      infeasible_ = true;
      certificate_.y[i] = high < 0 ? 1 : -1;
      return;
    }
    if (low == -kInfinity && high == kInfinity) continue;
    if (entries > 1) {
      row_kept_[i] = 1;
      continue;
    }
    const double a1 = rows_[i].low / value, a2 = rows_[i].high / value;
    if (!tighten(bounds_[column], std::min(a1, a2), std::max(a1, a2), {i, value}, column)) return;
  }
}

/// Rows sorted by their columns and their values over the first one: multiples become neighbours.
void Presolve::merge_repeated() {
  const RowMajor a = program_.a;
  struct Key {
    Index row;
    double first;
  };
  std::vector<Key> keys;
  for (Index i = 0; i < a.rows(); ++i) {
    if (row_kept_[i]) keys.push_back({i, RowMajor::InnerIterator(a, i).value()});
  }
  const auto compare = [&](const Key& p, const Key& q) {
    RowMajor::InnerIterator u(a, p.row), v(a, q.row);
    for (; u && v; ++u, ++v) {
      if (u.col() != v.col()) return u.col() < v.col() ? -1 : 1;
      const double x = u.value() / p.first, y = v.value() / q.first;
      if (std::abs(x - y) > kParallel * std::max(std::abs(x), std::abs(y))) return x < y ? -1 : 1;
    }
    return u ? 1 : v ? -1 : 0;
  };
  std::erase_if(keys, [](const Key& k) { return k.first == 0; });
  std::stable_sort(keys.begin(), keys.end(),
                   [&](const Key& p, const Key& q) { return compare(p, q) < 0; });
  for (std::size_t i = 1, head = 0; i < keys.size(); ++i) {
    if (compare(keys[head], keys[i]) != 0) {
      head = i;
      continue;
    }
    // row i = factor · row head
    const double factor = keys[i].first / keys[head].first;
    const Limits& own = rows_[keys[i].row];
    const double a1 = own.low / factor, a2 = own.high / factor;
    row_kept_[keys[i].row] = 0;
    if (!tighten(rows_[keys[head].row], std::min(a1, a2), std::max(a1, a2), {keys[i].row, factor},
                 0)) {
      return;
    }
  }
}

void Presolve::build() {
  const Index n = program_.variables();
  fixed_ = Vector::Constant(n, std::nan(""));
  std::vector<Index> place(n, -1);
  Vector at = Vector::Zero(n);
  for (Index j = 0; j < n; ++j) {
    const Limits& b = bounds_[j];
    if (std::isfinite(b.high - b.low) &&
        b.high - b.low <= 1e-13 * std::max(std::abs(b.low), std::abs(b.high))) {
      at[j] = fixed_[j] = b.low + 0.5 * (b.high - b.low);
    } else {
      place[j] = static_cast<Index>(kept_variables_.size());
      kept_variables_.push_back(j);
    }
  }
  std::vector<Index> row_place(program_.rows(), -1);
  for (Index i = 0; i < program_.rows(); ++i) {
    if (!row_kept_[i]) continue;
    row_place[i] = static_cast<Index>(kept_rows_.size());
    kept_rows_.push_back(i);
  }
  const Index kn = static_cast<Index>(kept_variables_.size());
  const Index km = static_cast<Index>(kept_rows_.size());
  Vector moved = Vector::Zero(program_.rows()), pull = Vector::Zero(n);
  if (kn < n) {
    moved = program_.a * at;
    pull = program_.h * at;
  }
  // Places keep the order, so that entries can be appended.
  reduced_.h.resize(kn, kn);
  reduced_.h.reserve(program_.h.nonZeros());
  reduced_.a.resize(km, kn);
  reduced_.a.reserve(program_.a.nonZeros());
  column_scale_ = Vector::Ones(kn);
  row_scale_ = Vector::Ones(km);
  reduced_.g.resize(kn);
  reduced_.lower.resize(kn);
  reduced_.upper.resize(kn);
  for (Index j = 0; j < n; ++j) {
    if (place[j] < 0) continue;
    reduced_.g[place[j]] = program_.g[j] + pull[j];
    reduced_.lower[place[j]] = bounds_[j].low;
    reduced_.upper[place[j]] = bounds_[j].high;
    append(program_.h, j, place, place[j], reduced_.h);
    append(program_.a, j, row_place, place[j], reduced_.a);
  }
  reduced_.h.finalize();
  reduced_.a.finalize();
  reduced_.row_lower.resize(km);
  reduced_.row_upper.resize(km);
  for (Index k = 0; k < km; ++k) {
    reduced_.row_lower[k] = rows_[kept_rows_[k]].low - moved[kept_rows_[k]];
    reduced_.row_upper[k] = rows_[kept_rows_[k]].high - moved[kept_rows_[k]];
  }
}

/// x = D x', rows times E, cost times c; D and E by powers of 2, which lose no digit.
void Presolve::equilibrate() {
  const Index n = reduced_.variables(), m = reduced_.rows();
  const auto root = [](double most) {
    return most > 0 ? std::exp2(-std::round(std::log2(most) / 2)) : 1.0;
  };
  for (int pass = 0; pass < 20; ++pass) {
    Vector column = Vector::Zero(n), row = Vector::Zero(m);
    for (Index j = 0; j < n; ++j) {
      for (SparseMatrix::InnerIterator it(reduced_.h, j); it; ++it) {
        column[j] = std::max(column[j], std::abs(it.value()));
      }
      for (SparseMatrix::InnerIterator it(reduced_.a, j); it; ++it) {
        column[j] = std::max(column[j], std::abs(it.value()));
        row[it.row()] = std::max(row[it.row()], std::abs(it.value()));
      }
    }
    column = column.unaryExpr(root);
    row = row.unaryExpr(root);
    if ((column.array() == 1).all() && (row.array() == 1).all()) break;
    column_scale_.array() *= column.array();
    row_scale_.array() *= row.array();
    reduced_.h = column.asDiagonal() * reduced_.h * column.asDiagonal();
    reduced_.a = row.asDiagonal() * reduced_.a * column.asDiagonal();
  }
  reduced_.g.array() *= column_scale_.array();
  reduced_.lower.array() /= column_scale_.array();
  reduced_.upper.array() /= column_scale_.array();
  reduced_.row_lower.array() *= row_scale_.array();
  reduced_.row_upper.array() *= row_scale_.array();
  const double h_most = reduced_.h.nonZeros() > 0 ? reduced_.h.coeffs().cwiseAbs().maxCoeff() : 0;
  const double most = n > 0 ? std::max(h_most, reduced_.g.cwiseAbs().maxCoeff()) : 0;
  cost_scale_ = most > 0 ? std::exp2(-std::round(std::log2(most))) : 1;
  reduced_.h *= cost_scale_;
  reduced_.g *= cost_scale_;
}

Vector Presolve::restore_rows(const Vector& y) const {
  Vector out = Vector::Zero(program_.rows());
  for (std::size_t k = 0; k < kept_rows_.size(); ++k) {
    const double value = y[static_cast<Index>(k)] * row_scale_[static_cast<Index>(k)];
    const Limits& limits = rows_[kept_rows_[k]];
    const Source& from = value > 0 ? limits.high_from : limits.low_from;
    out[from.row >= 0 ? from.row : kept_rows_[k]] = value / from.factor;
  }
  return out;
}

Certificate Presolve::restore_certificate(const Vector& y) const {
  Certificate c;
  c.y = restore_rows(y);
  c.z = -(program_.a.transpose() * c.y);
  for (Index j = 0; j < program_.variables(); ++j) {
    double& value = c.z[j];
    if (std::isinf(value > 0 ? bounds_[j].high : bounds_[j].low)) value = 0;
    to_source(value > 0 ? bounds_[j].high_from : bounds_[j].low_from, value, c.y);
  }
  return c;
}

/// A multiplier of a bound that a row imposes belongs to the row.
void Presolve::to_source(const Source& from, double& z, Vector& y) {
  if (from.row < 0 || z == 0) return;
  y[from.row] += z / from.factor;
  z = 0;
}

Vector Presolve::restore_direction(const Vector& d) const {
  Vector out = Vector::Zero(program_.variables());
  for (std::size_t k = 0; k < kept_variables_.size(); ++k) {
    out[kept_variables_[k]] = d[static_cast<Index>(k)] * column_scale_[static_cast<Index>(k)];
  }
  return out;
}

void Presolve::restore(const Vector& x, const Vector& y, const Vector& z, Solution& s) const {
  const Index n = program_.variables();
  s.x = restore_direction(x);
  s.z = Vector::Zero(n);
  s.y = restore_rows(y) / cost_scale_;
  for (std::size_t k = 0; k < kept_variables_.size(); ++k) {
    const Index i = static_cast<Index>(k);
    s.z[kept_variables_[k]] = z[i] / (column_scale_[i] * cost_scale_);
  }
  for (Index j = 0; j < n; ++j) {
    if (!std::isnan(fixed_[j])) s.x[j] = fixed_[j];
  }
  const Vector slope = gradient(program_, s.x, s.y);
  for (Index j = 0; j < n; ++j) {
    double& value = s.z[j];
    if (!std::isnan(fixed_[j])) value = -slope[j];
    to_source(value > 0 ? bounds_[j].high_from : bounds_[j].low_from, value, s.y);
  }
}

}  // namespace flyball::solver
