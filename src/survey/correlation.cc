#include "survey/correlation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "math/distributions.h"
#include "math/linear_algebra.h"

namespace flyball::survey {
namespace {

constexpr double kStrong = 0.95, kSingular = 1e-12, kLevel = 0.01;
constexpr Index kFewRows = 4;

struct Sums {
  Index n = 0;
  double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  void add(double a, double b) {
    ++n;
    x += a;
    y += b;
    xx += a * a;
    yy += b * b;
    xy += a * b;
  }
  /// NaN without variation or below 4 rows.
  [[nodiscard]] double r() const {
    const auto m = static_cast<double>(n);
    const double vx = xx - x * x / m, vy = yy - y * y / m;
    if (n < kFewRows || !(vx > kSingular * xx) || !(vy > kSingular * yy)) return NAN;
    return std::clamp((xy - x * y / m) / std::sqrt(vx * vy), -1.0, 1.0);
  }
};

double correlation(const identify::TrainingData& data, Index i, Index j) {
  Sums sums;
  for (Index t = 0; t < data.x.rows(); ++t) {
    const double a = data.x(t, i), b = data.x(t, j);
    if (std::isfinite(a) && std::isfinite(b)) sums.add(a, b);
  }
  return sums.r();
}

/// r of Δa(t − lag) with Δb(t), both inside one block; n gets the rows.
double changes_at(const identify::TrainingData& data, Index a, Index b, Index lag, Index& n) {
  Sums sums;
  for (const identify::Stretch& block : data.blocks) {
    const Index first = block.first + 1 + std::max<Index>(lag, 0);
    const Index end = block.end + std::min<Index>(lag, 0);
    for (Index t = first; t < end; ++t) {
      const double da = data.x(t - lag, a) - data.x(t - lag - 1, a);
      const double db = data.x(t, b) - data.x(t - 1, b);
      if (std::isfinite(da) && std::isfinite(db)) sums.add(da, db);
    }
  }
  n = sums.n;
  return sums.r();
}

double or_zero(double v) {
  return std::isfinite(v) ? v : 0;
}

}  // namespace

Correlations correlations_of(const identify::TrainingData& data) {
  Correlations out;
  const Index n = data.x.cols();
  out.matrix.assign(static_cast<std::size_t>(n),
                    std::vector<double>(static_cast<std::size_t>(n), NAN));
  for (Index i = 0; i < n; ++i) {
    out.variables.push_back(data.name(i));
    for (Index j = i; j < n; ++j) {
      const double r = correlation(data, i, j);
      out.matrix[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = r;
      out.matrix[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)] = r;
      if (j > i && std::abs(r) > kStrong) out.strong.push_back({data.name(i), data.name(j), r});
    }
  }
  std::ranges::stable_sort(out.strong, std::greater{},
                           [](const StrongPair& p) { return std::abs(p.r); });
  return out;
}

Collinearity collinearity_of(const identify::TrainingData& data, const Correlations& correlations) {
  Collinearity out;
  std::vector<Index> moving;
  for (Index m = 0; m < data.nu(); ++m) {
    if (!data.constant[static_cast<std::size_t>(m)]) moving.push_back(m);
  }
  const auto n = static_cast<Index>(moving.size());
  if (n < 2) return out;
  Matrix r(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      const auto row = static_cast<std::size_t>(moving[static_cast<std::size_t>(i)]);
      const auto column = static_cast<std::size_t>(moving[static_cast<std::size_t>(j)]);
      r(i, j) = i == j ? 1 : or_zero(correlations.matrix[row][column]);
    }
  }
  const math::SymmetricEigen eigen = math::symmetric_eigen(r);
  const double least = eigen.values(0), largest = eigen.values(n - 1);
  const bool singular = !(least > kSingular * largest);
  out.least_share = std::max(least, 0.0);
  if (!singular) out.condition = std::sqrt(largest / least);
  Vector combination = eigen.vectors.col(0);
  Index lead = 0;
  combination.cwiseAbs().maxCoeff(&lead);
  if (combination(lead) < 0) combination = -combination;
  for (Index i = 0; i < n; ++i) {
    double inflation = 0;
    for (Index k = 0; k < n; ++k) {
      const double v = eigen.vectors(i, k);
      if (eigen.values(k) > kSingular * largest) {
        inflation += v * v / eigen.values(k);
      } else if (v * v > kSingular) {
        inflation = -1;
        break;
      }
    }
    out.weights.push_back(
        {data.name(moving[static_cast<std::size_t>(i)]), combination(i), inflation});
  }
  return out;
}

void correlate_changes(const identify::TrainingData& data, Index input, Index cv, Index range,
                       PairFacts& out) {
  Index rows = 0;
  out.same_step_r = or_zero(changes_at(data, input, cv, 0, rows));
  out.rows = rows;
  double product = 0;
  for (Index k = 1; k <= range; ++k) {
    const double lag = or_zero(changes_at(data, input, cv, k, rows));
    const double lead = or_zero(changes_at(data, input, cv, -k, rows));
    if (std::abs(lag) > std::abs(out.lag_r)) {
      out.lag = k;
      out.lag_r = lag;
    }
    if (std::abs(lead) > std::abs(out.lead_r)) {
      out.lead = k;
      out.lead_r = lead;
    }
    product += or_zero(changes_at(data, input, input, k, rows)) *
               or_zero(changes_at(data, cv, cv, k, rows));
  }
  if (out.rows < kFewRows) return;
  const double tests = 2 * static_cast<double>(range) + 1;
  const double variance = std::max(1 + 2 * product, 1.0) / static_cast<double>(out.rows);
  out.bound = math::normal_quantile(1 - kLevel / (2 * tests)) * std::sqrt(variance);
}

}  // namespace flyball::survey
