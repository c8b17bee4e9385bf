#include "solver/ranked.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/error.h"
#include "solver/solve.h"

namespace flyball::solver {

namespace {

void check(const Program& p, std::span<const SoftLimit> soft) {
  std::set<Index> seen;
  for (const SoftLimit& s : soft) {
    const bool good = s.limit >= 0 && s.limit < p.variables() + p.rows() && s.rank >= 1 &&
                      s.unit > 0 && std::isfinite(s.unit) && seen.insert(s.limit).second;
    if (good) continue;
    throw Error("QP_SOFT_LIMIT", {{"limit", s.limit},
                                  {"count", p.variables() + p.rows()},
                                  {"rank", s.rank},
                                  {"scale", s.unit}});
  }
}

double& lower(Program& p, Index limit) {
  return limit < p.variables() ? p.lower[limit] : p.row_lower[limit - p.variables()];
}

double& upper(Program& p, Index limit) {
  return limit < p.variables() ? p.upper[limit] : p.row_upper[limit - p.variables()];
}

/// The least ½ Σ t² with the limits of `group` widened by unit·t; the others as they stand in p.
Program elastic(const Program& p, const std::vector<SoftLimit>& group, const Program& entered) {
  const Index n = p.variables(), m = p.rows(), k = static_cast<Index>(group.size());
  Program e;
  std::vector<Eigen::Triplet<double>> h, a;
  for (Index j = 0; j < n; ++j) {
    for (SparseMatrix::InnerIterator it(p.a, j); it; ++it) a.emplace_back(it.row(), j, it.value());
  }
  e.g = Vector::Zero(n + k);
  e.lower = e.upper = Vector::Constant(n + k, kInfinity);
  e.lower.head(n) = p.lower;
  e.upper.head(n) = p.upper;
  e.lower.tail(k).setZero();
  e.row_lower = Vector::Constant(m + 2 * k, -kInfinity);
  e.row_upper = Vector::Constant(m + 2 * k, kInfinity);
  e.row_lower.head(m) = p.row_lower;
  e.row_upper.head(m) = p.row_upper;
  for (Index i = 0; i < k; ++i) {
    h.emplace_back(n + i, n + i, 1.0);
    const Index below = m + 2 * i, above = below + 1, limit = group[i].limit;
    const double unit = group[i].unit;
    a.emplace_back(below, n + i, unit);
    a.emplace_back(above, n + i, -unit);
    if (limit < n) {
      a.emplace_back(below, limit, 1.0);
      a.emplace_back(above, limit, 1.0);
    }
    e.row_lower[below] = limit < n ? entered.lower[limit] : entered.row_lower[limit - n];
    e.row_upper[above] = limit < n ? entered.upper[limit] : entered.row_upper[limit - n];
  }
  for (Index j = 0; j < n; ++j) {
    for (SparseMatrix::InnerIterator it(p.a, j); it; ++it) {
      for (Index i = 0; i < k; ++i) {
        if (group[i].limit != n + it.row()) continue;
        a.emplace_back(m + 2 * i, j, it.value());
        a.emplace_back(m + 2 * i + 1, j, it.value());
      }
    }
  }
  e.h.resize(n + k, n + k);
  e.h.setFromTriplets(h.begin(), h.end());
  e.a.resize(m + 2 * k, n + k);
  e.a.setFromTriplets(a.begin(), a.end());
  return e;
}

}  // namespace

RankedSolution solve_ranked(Program program, std::span<const SoftLimit> soft,
                            const Settings& settings) {
  complete(program);
  check(program, soft);
  RankedSolution out;
  out.solution = solve(program, settings);
  if (out.solution.status != Status::infeasible || soft.empty()) return out;

  std::vector<SoftLimit> order(soft.begin(), soft.end());
  std::ranges::sort(order, {}, [](const SoftLimit& s) { return std::pair(s.rank, s.limit); });
  const Vector coefficients = row_coefficients(program.a);
  Program held = program;  // the hard limits, then rank by rank the soft ones as far as they hold
  for (const SoftLimit& s : order) {
    lower(held, s.limit) = -kInfinity;
    upper(held, s.limit) = kInfinity;
  }
  for (auto from = order.begin(); from != order.end();) {
    const auto to =
        std::find_if(from, order.end(), [&](const SoftLimit& s) { return s.rank != from->rank; });
    const std::vector<SoftLimit> group(from, to);
    from = to;
    const Solution least = solve(elastic(held, group, program), settings);
    if (least.status != Status::solved) {
      // The hard limits contradict one another: their own proof. (A rank above always leaves a
      // point.)
      out.solution = solve(held, settings);
      if (out.solution.status == Status::solved) out.solution.status = Status::unverified;
      return out;
    }
    const Vector ax = program.a * least.x.head(program.variables());
    for (const SoftLimit& s : group) {
      const Index n = program.variables();
      const double value = s.limit < n ? least.x[s.limit] : ax[s.limit - n];
      const double low = lower(program, s.limit), high = upper(program, s.limit);
      const double scale = limit_scale(low, high, s.limit < n ? 1 : coefficients[s.limit - n]);
      Relaxation r{s.limit, s.rank, std::max(0.0, low - value), std::max(0.0, value - high)};
      // A tenth of the tolerance is given, so that what follows has a point to stand on.
      const double room = 0.1 * settings.tolerance * scale;
      lower(held, s.limit) = low - r.below - (r.below > 0 ? room : 0);
      upper(held, s.limit) = high + r.above + (r.above > 0 ? room : 0);
      if (r.below > settings.tolerance * scale || r.above > settings.tolerance * scale)
        out.relaxed.push_back(r);
    }
  }
  out.solution = solve(held, settings);
  return out;
}

}  // namespace flyball::solver
