#include "identify/regression.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "math/exact_gram.h"
#include "math/linear_algebra.h"

namespace flyball::identify {
namespace {

/// v(t) − v(t−1) inside each block; the first row of a block has none.
void difference(Matrix& x, Index column, const std::vector<Stretch>& blocks) {
  for (const Stretch& b : blocks) {
    for (Index t = b.end - 1; t > b.first; --t) x(t, column) -= x(t - 1, column);
    if (b.end > b.first) x(b.first, column) = std::nan("");
  }
}

/// Subtracts a value of each run.
void shift(Matrix& x, Index column, const std::vector<Stretch>& blocks,
           const Eigen::Ref<const Vector>& of_run) {
  for (const Stretch& b : blocks)
    x.col(column).segment(b.first, b.end - b.first).array() -= of_run(b.run);
}

constexpr Interval kEverything{0, std::numeric_limits<Index>::max() / 2};

}  // namespace

void both_measured(std::vector<std::uint8_t>& target, const std::vector<Stretch>& blocks) {
  for (const Stretch& b : blocks) {
    for (Index t = b.end - 1; t > b.first; --t) {
      target[static_cast<std::size_t>(t)] &= target[static_cast<std::size_t>(t - 1)];
    }
  }
}

Regression make_regression(const TrainingData& data, Index cv, const std::vector<bool>& used,
                           bool integrating, bool differenced) {
  Regression r;
  r.nu = data.nu();
  r.integrating = integrating;
  r.differenced = differenced;
  r.x.resize(data.x.rows(), r.nu + 1);
  std::vector<Index> columns{r.nu};
  const bool shifted = data.has_run_levels(cv);
  for (Index m = 0; m < r.nu; ++m) {
    if (!used[static_cast<std::size_t>(m)]) {
      r.x.col(m).setZero();
      continue;
    }
    r.x.col(m) = data.x.col(m);
    columns.push_back(m);
    if (shifted) shift(r.x, m, data.blocks, data.run_means.col(m));
    if (differenced) difference(r.x, m, data.blocks);
  }
  r.x.col(r.nu) = data.x.col(r.nu + cv);
  if (shifted) shift(r.x, r.nu, data.blocks, data.run_levels.col(cv));
  r.target.resize(static_cast<std::size_t>(data.x.rows()));
  for (Index t = 0; t < data.x.rows(); ++t) {
    r.target[static_cast<std::size_t>(t)] = data.observed(t, cv);
  }
  both_measured(r.target, data.blocks);
  for (int i = 0; i < r.unit_roots(); ++i) {
    difference(r.x, r.nu, data.blocks);
    if (i > 0) both_measured(r.target, data.blocks);
  }
  r.stretches = usable(r.x, columns, data.blocks);
  return r;
}

math::LagGram gram_of(const Regression& r, Index max_lag, const std::vector<Interval>& within) {
  math::LagGram gram(r.nu + 1, max_lag);
  for (const Interval& interval : within) {
    for_each_run(r, interval, max_lag, [&](Index t0, Index t1) {
      gram.add(r.x, t0, t1);
      for (Index t = t0; t < t1; ++t) {
        if (r.target[static_cast<std::size_t>(t)] == 0) gram.remove_row(r.x, t);
      }
    });
  }
  return gram;
}

Normal normal_of(const Regression& r, const math::LagGram& gram) {
  Normal n;
  n.rows = gram.rows();
  n.max_lag = gram.max_lag();
  const bool centre = r.has_constant() && n.rows > 0;
  n.c = centre ? gram.centred() : gram.gram();
  n.mean = centre ? Vector(gram.sums() / static_cast<double>(n.rows)) : Vector::Zero(n.c.rows());
  return n;
}

Normal joint_normal(const TrainingData& data, const std::vector<bool>& used, Index max_lag) {
  Matrix x = data.x;
  std::vector<Index> columns;
  for (Index c = 0; c < x.cols(); ++c) {
    if (c < data.nu() && !used[static_cast<std::size_t>(c)]) {
      x.col(c).setZero();
    } else {
      columns.push_back(c);
    }
  }
  math::LagGram gram(x.cols(), max_lag);
  for (const Stretch& s : usable(x, columns, data.blocks)) gram.add(x, s.first + max_lag, s.end);
  Normal n;
  n.rows = gram.rows();
  n.max_lag = max_lag;
  if (n.rows > 0) n.c = gram.centred();
  return n;
}

Solution solve(const Normal& normal, const std::vector<Term>& terms, Term target,
               const SolveOptions& options) {
  const auto p = static_cast<Index>(terms.size());
  const Index y = normal.index(target.signal, target.lag);
  std::vector<Index> at;
  for (const Term& term : terms) at.push_back(normal.index(term.signal, term.lag));
  // Scaled to unit diagonal: λ·diag(C) becomes λ·I.
  Vector scale(p);
  for (Index i = 0; i < p; ++i) {
    const double power = normal.c(at[static_cast<std::size_t>(i)], at[static_cast<std::size_t>(i)]);
    scale(i) = power > 0 ? 1 / std::sqrt(power) : 0;
  }
  Matrix c(p, p);
  Vector r(p);
  for (Index j = 0; j < p; ++j) {
    const Index cj = at[static_cast<std::size_t>(j)];
    for (Index i = 0; i < p; ++i) {
      c(i, j) = normal.c(at[static_cast<std::size_t>(i)], cj) * scale(i) * scale(j);
    }
    if (scale(j) == 0) c(j, j) = 1;
    r(j) = normal.c(cj, y) * scale(j);
  }
  Solution s;
  double lambda = options.lambda;
  std::optional<math::Cholesky> factor;
  for (; !factor; lambda = std::max(lambda * 10, 1e-14)) {
    if (!(lambda < 1e3))
      throw Error("NOT_FINITE", {{"name", "normal equations"}, {"value", "none"}});
    Matrix ridged = c;
    ridged.diagonal().array() += lambda;
    factor = math::Cholesky::of(ridged);
  }
  Vector theta = factor->solve(r);
  for (int i = 0; i < options.exact_steps; ++i) theta += factor->solve(r - c * theta);
  s.rss = std::max(0.0, normal.c(y, y) - theta.dot(2 * r - c * theta));
  s.condition = factor->condition_bound();
  const Vector pivots = factor->lower().diagonal().array().square();
  s.rank = p == 0 ? 0 : (pivots.array() > 1e-10 + 2 * options.lambda).count();
  s.theta = theta.cwiseProduct(scale);
  if (options.inverse) s.inverse = scale.asDiagonal() * factor->inverse() * scale.asDiagonal();
  return s;
}

RowFit fit_rows(const Regression& r, const Normal& normal, const std::vector<Term>& terms,
                const SolveOptions& options) {
  RowFit fit;
  fit.solution = solve(normal, terms, {r.nu, 0}, options);
  fit.constant = normal.mean(normal.index(r.nu, 0));
  for (std::size_t i = 0; i < terms.size(); ++i) {
    fit.constant -= fit.solution.theta(static_cast<Index>(i)) *
                    normal.mean(normal.index(terms[i].signal, terms[i].lag));
  }
  const Solution bare = solve(normal, terms, {r.nu, 0}, {.lambda = 1e-15});
  if (!(bare.condition > kExactAbove * kExactAbove)) return fit;
  std::vector<Index> signals{r.nu};
  std::vector<math::LaggedColumn> columns;
  for (const Term& t : terms) {
    columns.push_back({t.signal, t.lag});
    if (std::ranges::find(signals, t.signal) == signals.end()) signals.push_back(t.signal);
  }
  math::ExactGram gram(signals, normal.max_lag);
  for_each_run(r, kEverything, normal.max_lag, [&](Index t0, Index t1) {
    gram.add(r.x, t0, t1);
    for (Index t = t0; t < t1; ++t) {
      if (r.target[static_cast<std::size_t>(t)] == 0) gram.remove_row(r.x, t);
    }
  });
  const auto exact = gram.fit(columns, {r.nu, 0}, r.has_constant(), options.lambda);
  if (!exact) return fit;
  fit.exact = true;
  fit.solution.theta = exact->theta;
  fit.solution.rss = exact->rss;
  fit.solution.condition = exact->condition * exact->condition;
  fit.constant = exact->constant;
  return fit;
}

}  // namespace flyball::identify
