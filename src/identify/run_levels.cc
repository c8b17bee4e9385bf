#include "identify/run_levels.h"

#include <algorithm>
#include <cmath>

#include "identify/regression.h"
#include "math/distributions.h"

namespace flyball::identify {
namespace {

constexpr Index kLagsMost = 10, kRowsPerColumn = 20;
constexpr double kLevel = 0.001;
constexpr double kSpreadLeast = 0.1;
constexpr double kExact = 1e-9;  ///< share of y's variance: rounding

/// Normal equations with one constant per run and with one for all, and the means of the lagged
/// columns of each run (empty: no row).
struct Runs {
  Normal own, shared;
  std::vector<Vector> mean;
  std::vector<double> rows;
  Index count = 0;
};

Runs runs_of(const Regression& r, Index runs, Index lags) {
  Runs out;
  const Index width = (r.nu + 1) * (lags + 1);
  out.own.c = Matrix::Zero(width, width);
  out.own.max_lag = lags;
  Vector mean = Vector::Zero(width);
  for (Index run = 0; run < runs; ++run) {
    Regression one = r;
    std::erase_if(one.stretches, [&](const Stretch& s) { return s.run != run; });
    const math::LagGram gram = gram_of(one, lags, {{0, r.x.rows()}});
    const auto n = static_cast<double>(gram.rows());
    out.rows.push_back(n);
    out.mean.push_back(n > 0 ? Vector(gram.sums() / n) : Vector());
    if (!(n > 0)) continue;
    out.own.c += gram.centred();
    out.own.rows += gram.rows();
    mean += gram.sums();
    ++out.count;
  }
  out.shared = out.own;
  if (out.own.rows == 0) return out;
  mean /= static_cast<double>(out.own.rows);
  for (std::size_t run = 0; run < out.mean.size(); ++run) {
    if (out.mean[run].size() == 0) continue;
    const Vector d = out.mean[run] - mean;
    out.shared.c += out.rows[run] * d * d.transpose();
  }
  return out;
}

/// Means of a column over the rows of each run; 0 where it has none.
Vector means_of(const TrainingData& data, Index column) {
  Vector sum = Vector::Zero(data.runs), count = Vector::Zero(data.runs);
  for (const Stretch& b : data.blocks) {
    for (Index t = b.first; t < b.end; ++t) {
      if (!std::isfinite(data.x(t, column))) continue;
      sum(b.run) += data.x(t, column);
      count(b.run) += 1;
    }
  }
  return sum.cwiseQuotient(count.cwiseMax(1));
}

/// Smallest and largest value of a column in each run.
Matrix ranges_of(const TrainingData& data, Index column) {
  Matrix out(data.runs, 2);
  out.col(0).setConstant(HUGE_VAL);
  out.col(1).setConstant(-HUGE_VAL);
  for (const Stretch& b : data.blocks) {
    for (Index t = b.first; t < b.end; ++t) {
      const double v = data.x(t, column);
      if (!std::isfinite(v)) continue;
      out(b.run, 0) = std::min(out(b.run, 0), v);
      out(b.run, 1) = std::max(out(b.run, 1), v);
    }
  }
  return out;
}

/// Fills the levels of a CV; false when they are one.
bool judge(TrainingData& data, Index cv, const std::vector<bool>& used) {
  const Regression r = make_regression(data, cv, used, false, false);
  const auto inputs = static_cast<Index>(std::ranges::count(used, true));
  const Index lags = std::min(kLagsMost, data.x.rows() / (kRowsPerColumn * (inputs + 1)));
  if (lags < 1) return false;
  const Runs runs = runs_of(r, data.runs, lags);
  std::vector<Term> terms;
  for (Index k = 1; k <= lags; ++k) terms.push_back({r.nu, k});
  for (Index m = 0; m < r.nu; ++m) {
    for (Index k = 0; used[static_cast<std::size_t>(m)] && k <= lags; ++k) terms.push_back({m, k});
  }
  const auto more = static_cast<double>(runs.count - 1);
  const auto n = static_cast<double>(runs.own.rows);
  const double free_rows = n - static_cast<double>(std::ssize(terms)) - more - 1;
  if (more < 1 || free_rows < more) return false;
  const SolveOptions exact{.lambda = 1e-11, .exact_steps = 1};
  const Solution own = solve(runs.own, terms, {r.nu, 0}, exact);
  const double y_power = runs.own.c(runs.own.index(r.nu, 0), runs.own.index(r.nu, 0));
  const double less = solve(runs.shared, terms, {r.nu, 0}, exact).rss - own.rss;
  if (!(less > kExact * y_power)) return false;
  const double f = less / more / std::max(own.rss / free_rows, kExact * kExact * y_power);
  if (!(math::f_survival(f, more, free_rows) < kLevel)) return false;

  const double a = 1 - own.theta.head(lags).sum();
  Vector level = means_of(data, r.nu + cv);
  const Matrix range = ranges_of(data, r.nu + cv);
  Vector offset = level;  // what of it the inputs' means do not tell
  for (Index run = 0; run < data.runs; ++run) {
    const auto i = static_cast<std::size_t>(run);
    if (runs.mean[i].size() == 0 || !(a > 0)) continue;
    double constant = runs.mean[i](runs.own.index(r.nu, 0)), answer = 0;
    for (std::size_t k = 0; k < terms.size(); ++k) {
      const double theta = own.theta(static_cast<Index>(k));
      constant -= theta * runs.mean[i](runs.own.index(terms[k].signal, terms[k].lag));
      if (terms[k].signal < r.nu) answer += theta * data.run_means(run, terms[k].signal);
    }
    level(run) = std::clamp((constant + answer) / a, range(run, 0), range(run, 1));
    offset(run) = constant / a;
  }
  const Eigen::Map<const Vector> rows(runs.rows.data(), data.runs);
  const double mean = rows.dot(offset) / n;
  const double spread = std::sqrt(rows.dot((offset.array() - mean).square().matrix()) / n);
  if (!(spread > kSpreadLeast * std::sqrt(y_power / n))) return false;
  data.run_levels.col(cv) = level;
  data.run_spread(cv) = spread * data.std(r.nu + cv);
  return true;
}

}  // namespace

void judge_run_levels(TrainingData& data, const std::vector<bool>& integrating) {
  data.run_levels = Matrix::Zero(data.runs, data.ny());
  data.run_spread = Vector::Zero(data.ny());
  data.run_means.resize(data.runs, data.nu());
  for (Index m = 0; m < data.nu(); ++m) data.run_means.col(m) = means_of(data, m);
  if (data.runs < 2) return;
  data.run_tracking = static_cast<double>(data.runs) / static_cast<double>(data.x.rows());
  std::vector<bool> used, differ;
  for (Index m = 0; m < data.nu(); ++m) used.push_back(!data.constant[static_cast<std::size_t>(m)]);
  for (Index j = 0; j < data.ny(); ++j) {
    const auto i = static_cast<std::size_t>(j);
    const bool judged = !integrating[i] && !data.constant[static_cast<std::size_t>(data.nu() + j)];
    differ.push_back(judged && judge(data, j, used));
  }
  data.levels_differ = std::move(differ);
}

}  // namespace flyball::identify
