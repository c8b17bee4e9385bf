#include "solver/polish.h"

#include <cmath>

#include "solver/kkt.h"

namespace flyball::solver {

namespace {

/// The columns `columns` and rows `rows` (places, −1 = left out) of a.
SparseMatrix part(const SparseMatrix& a, const std::vector<Index>& rows, Index row_count,
                  const std::vector<Index>& columns, Index column_count) {
  std::vector<Eigen::Triplet<double>> entries;
  for (Index j = 0; j < a.cols(); ++j) {
    if (columns[j] < 0) continue;
    for (SparseMatrix::InnerIterator it(a, j); it; ++it) {
      if (rows[it.row()] >= 0) entries.emplace_back(rows[it.row()], columns[j], it.value());
    }
  }
  SparseMatrix out(row_count, column_count);
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

std::vector<Index> number(const std::vector<char>& in, Index& count) {
  std::vector<Index> place(in.size(), -1);
  count = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (in[i]) place[i] = count++;
  }
  return place;
}

/// x, y, z of the program with the active limits as equations, from the present ones.
void solve_set(const Program& p, const std::vector<signed char>& active, Vector& x, Vector& y,
               Vector& z) {
  const Index n = p.variables(), m = p.rows();
  std::vector<char> free(n), on(m);
  for (Index j = 0; j < n; ++j) {
    free[j] = active[j] == 0;
    if (active[j] != 0) x[j] = active[j] > 0 ? p.upper[j] : p.lower[j];
  }
  for (Index i = 0; i < m; ++i) {
    on[i] = active[n + i] != 0;
    if (!on[i]) y[i] = 0;
  }
  Index nf = 0, mw = 0;
  const std::vector<Index> column = number(free, nf), row = number(on, mw);
  const SparseMatrix h = part(p.h, column, nf, column, nf), a = part(p.a, row, mw, column, nf);
  Kkt kkt(h, a);
  double shift = 1e-10;
  const Vector zero_n = Vector::Zero(nf), zero_m = Vector::Zero(mw);
  while (!kkt.factor(zero_n, zero_m, shift) && shift < 1e-4) shift *= 100;
  Vector r(nf), s(mw), dx, dy;
  for (int pass = 0; pass < 3; ++pass) {
    z = gradient(p, x, y);
    const Vector ax = activity(p, x);
    for (Index j = 0; j < n; ++j) {
      if (free[j]) r[column[j]] = -z[j];
    }
    for (Index i = 0; i < m; ++i) {
      if (on[i]) s[row[i]] = (active[n + i] > 0 ? p.row_upper[i] : p.row_lower[i]) - ax[i];
    }
    kkt.solve(r, s, dx, dy);
    for (Index j = 0; j < n; ++j) {
      if (free[j]) x[j] += dx[column[j]];
    }
    for (Index i = 0; i < m; ++i) {
      if (on[i]) y[i] += dy[row[i]];
    }
  }
  z = -gradient(p, x, y);
  for (Index j = 0; j < n; ++j) {
    if (free[j]) z[j] = 0;
  }
}

/// Limits with a multiplier of the wrong sign leave, violated ones enter; false when none does.
bool exchange(const Program& p, const Vector& x, const Vector& y, const Vector& z,
              std::vector<signed char>& active) {
  const Index n = p.variables();
  const double none = 1e-11 * (1 + p.g.cwiseAbs().maxCoeff());
  const Vector ax = p.a * x;
  bool changed = false;
  for (Index i = 0; i < n + p.rows(); ++i) {
    if (active[i] == 2) continue;
    const double low = i < n ? p.lower[i] : p.row_lower[i - n];
    const double high = i < n ? p.upper[i] : p.row_upper[i - n];
    const double value = i < n ? x[i] : ax[i - n];
    const double multiplier = i < n ? z[i] : y[i - n];
    const double room = 1e-11 * (1 + std::abs(value));
    const signed char before = active[i];
    if (before * multiplier < -none) active[i] = 0;
    if (before == 0 && value < low - room) active[i] = -1;
    if (before == 0 && value > high + room) active[i] = 1;
    changed |= active[i] != before;
  }
  return changed;
}

}  // namespace

double polish(const Program& program, InteriorPoint& start, double target, int rounds,
              const std::function<double(const Vector&, const Vector&, const Vector&)>& worst) {
  double best = worst(start.x, start.y, start.z);
  std::vector<signed char> active = start.active;
  Vector x = start.x, y = start.y, z = start.z;
  for (int round = 0; round < rounds && best > target; ++round) {
    solve_set(program, active, x, y, z);
    if (!x.allFinite() || !y.allFinite()) break;
    std::vector<signed char> next = active;
    const bool changed = exchange(program, x, y, z, next);
    // A multiplier of the wrong sign counts as none.
    Vector y_kept = y, z_kept = z;
    const Index n = program.variables();
    for (Index i = 0; i < n + program.rows(); ++i) {
      if (active[i] == 2) continue;
      double& multiplier = i < n ? z_kept[i] : y_kept[i - n];
      if (active[i] * multiplier < 0) multiplier = 0;
    }
    const double now = worst(x, y_kept, z_kept);
    if (now < best) {
      best = now;
      start.x = x;
      start.y = y_kept;
      start.z = z_kept;
      start.active = active;
    }
    if (!changed) break;
    active = next;
  }
  return best;
}

}  // namespace flyball::solver
