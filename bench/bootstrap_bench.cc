// How often the 95 % ranges of a gain hold the truth: from the parameter covariance, and from
// blocks of rows drawn again. ARX plants of known structure, 400 records each.
//   bench_bootstrap
// Fails when blocks cover less than 90 % at 1 000 rows or more.
#include <fmt/format.h>

#include <cmath>

#include "identify/block_bootstrap.h"
#include "identify/regression.h"
#include "math/random.h"

namespace flyball {
namespace {

using namespace identify;

constexpr int kRecords = 400;
constexpr double kGain = 3, kBand = 1.959963984540054;

enum class Noise { white, bursts, correlated };

/// y(t) = 0.8 y(t−1) + 0.4 u(t−1) + 0.2 u(t−2) + e(t). bursts: e is four times as large at the
/// upper level of u. correlated: e is an AR(1) of 0.6, which the structure does not hold.
Matrix record(Index rows, Noise noise, std::uint32_t seed) {
  math::Random random(seed);
  Matrix x = Matrix::Zero(rows, 2);
  double level = 1, e = 0;
  for (Index t = 0; t < rows; ++t) {
    if (random.uniform() < 0.1) level = -level;
    x(t, 0) = level;
    if (t < 2) continue;
    e = (noise == Noise::correlated ? 0.6 * e : 0) +
        0.1 * (noise == Noise::bursts && level > 0 ? 4 : 1) * random.normal();
    x(t, 1) = 0.8 * x(t - 1, 1) + 0.4 * x(t - 1, 0) + 0.2 * x(t - 2, 0) + e;
  }
  return x;
}

double gain_of(const Eigen::Ref<const Vector>& theta) {
  return (theta(0) + theta(1)) / (1 - theta(2));
}

int run(const char* name, Noise noise, Index rows) {
  const Structure structure{1, 2, {{0, 1}}};
  int by_covariance = 0, by_blocks = 0;
  double width_covariance = 0, width_blocks = 0;
  for (int i = 0; i < kRecords; ++i) {
    Regression r;
    r.nu = 1;
    r.x = record(rows, noise, static_cast<std::uint32_t>(i + 1));
    r.stretches = {{0, rows, 0}};
    r.target.assign(static_cast<std::size_t>(rows), 1);
    const Normal n = normal_of(r, gram_of(r, structure.max_lag(), {{0, rows}}));
    const auto terms = structure.terms(1);
    const Solution s = solve(n, terms, {1, 0}, {.lambda = 1e-9, .exact_steps = 0, .inverse = true});
    const double a1 = 1 - s.theta(2), gain = gain_of(s.theta);
    const Vector slope = Vector{{1 / a1, 1 / a1, gain / a1}};
    const double variance = s.rss / static_cast<double>(n.rows - 4);
    const double half = kBand * std::sqrt(variance * slope.dot(s.inverse * slope));
    by_covariance += std::abs(gain - kGain) <= half ? 1 : 0;
    width_covariance += 2 * half / kRecords;
    const Matrix draws = draw_parameters(r, structure, 1e-9);
    Matrix gains(draws.rows(), 1);
    for (Index d = 0; d < draws.rows(); ++d) gains(d, 0) = gain_of(draws.row(d).transpose());
    const Matrix range = quantiles_95(gains);
    by_blocks += range(0, 0) <= kGain && kGain <= range(1, 0) ? 1 : 0;
    width_blocks += (range(1, 0) - range(0, 0)) / kRecords;
  }
  fmt::print(
      "{:11s} {:5d} rows  covariance {:5.1f} % width {:.4f}   blocks {:5.1f} % width {:.4f}\n",
      name, rows, 100.0 * by_covariance / kRecords, width_covariance, 100.0 * by_blocks / kRecords,
      width_blocks);
  return noise != Noise::correlated && rows >= 1000 && by_blocks < 0.9 * kRecords ? 1 : 0;
}

}  // namespace
}  // namespace flyball

int main() {
  using flyball::Noise;
  int failures = 0;
  for (const flyball::Index rows : {300, 1000, 4000}) {
    failures += flyball::run("white", Noise::white, rows);
    failures += flyball::run("bursts", Noise::bursts, rows);
    failures += flyball::run("correlated", Noise::correlated, rows);
  }
  return failures == 0 ? 0 : 1;
}
