#include "evaluate/residual_tests.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "math/distributions.h"

namespace flyball::evaluate {
namespace {

constexpr double kQuantile = 2.5758293035489004;  // standard normal, two-sided 99 %
constexpr Index kMaxLag = 25;
constexpr Index kFewest = 8;

/// Blocks one after another with kMaxLag NaN rows between them, so that no pair crosses a border.
struct Signals {
  Matrix errors, inputs;
};

Signals join(const dataset::Dataset& data, const Layout& columns,
             const std::vector<BlockResiduals>& residuals) {
  Index rows = 0;
  for (const BlockResiduals& b : residuals) rows += b.errors.rows() + kMaxLag;
  const auto ny = static_cast<Index>(columns.outputs.size());
  const auto nu = static_cast<Index>(columns.inputs.size());
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  Signals out{Matrix::Constant(rows, ny, kNaN), Matrix::Constant(rows, nu, kNaN)};
  Index at = 0;
  for (const BlockResiduals& b : residuals) {
    const dataset::Series& series = data.run(b.run_id);
    out.errors.middleRows(at, b.errors.rows()) = b.errors;
    for (Index i = 0; i < nu; ++i) {
      out.inputs.col(i).segment(at, b.errors.rows()) =
          series.values.col(columns.inputs[static_cast<std::size_t>(i)])
              .segment(b.first_step, b.errors.rows());
    }
    at += b.errors.rows() + kMaxLag;
  }
  return out;
}

/// Mean removed, NaN replaced by 0: a missing value then adds nothing to any sum of products.
Vector centred(const ConstVectorRef& x) {
  double sum = 0;
  Index count = 0;
  for (Index i = 0; i < x.size(); ++i) {
    if (std::isnan(x(i))) continue;
    sum += x(i);
    ++count;
  }
  const double mean = count > 0 ? sum / static_cast<double>(count) : 0;
  return x.unaryExpr([&](double v) { return std::isnan(v) ? 0 : v - mean; });
}

/// Σ a(t) b(t−lag), lag of either sign.
double lagged_product(const Vector& a, const Vector& b, Index lag) {
  const Index n = a.size() - std::abs(lag);
  if (n <= 0) return 0;
  return lag >= 0 ? a.tail(n).dot(b.head(n)) : a.head(n).dot(b.tail(n));
}

std::vector<double> autocorrelation(const Vector& x, Index lags) {
  std::vector<double> out(static_cast<std::size_t>(lags) + 1, 0);
  const double power = x.squaredNorm();
  for (Index k = 0; k <= lags; ++k) {
    if (power > 0) out[static_cast<std::size_t>(k)] = lagged_product(x, x, k) / power;
  }
  return out;
}

CrossCorrelation correlate(const Vector& e, const std::vector<double>& r_e, const Vector& u,
                           Index count, Index lags) {
  CrossCorrelation out;
  const double power = std::sqrt(e.squaredNorm() * u.squaredNorm());
  const std::vector<double> r_u = autocorrelation(u, lags);
  double variance = 1;
  for (std::size_t k = 1; k < r_e.size(); ++k) variance += 2 * r_e[k] * r_u[k];
  out.bound = kQuantile * std::sqrt(std::max(variance, 0.1) / static_cast<double>(count));
  const auto at = [&](Index lag) { return power > 0 ? lagged_product(e, u, lag) / power : 0; };
  const auto beyond = [&](double r) { return std::abs(r) > out.bound; };
  for (Index k = 0; k <= lags; ++k) out.positive.push_back(at(k));
  for (Index k = 1; k <= lags; ++k) out.negative.push_back(at(-k));
  out.misses_dynamics = std::ranges::any_of(out.positive, beyond);
  out.feedback = std::ranges::any_of(out.negative, beyond);
  return out;
}

}  // namespace

std::vector<ResidualTest> residual_tests(const dataset::Dataset& data,
                                         const std::vector<BlockResiduals>& residuals) {
  const Layout columns = layout(data);
  const Signals signals = join(data, columns, residuals);
  std::vector<ResidualTest> out;
  for (std::size_t j = 0; j < columns.outputs.size(); ++j) {
    ResidualTest test;
    test.cv = data.spec.variables[static_cast<std::size_t>(columns.outputs[j])].id;
    const auto error = signals.errors.col(static_cast<Index>(j));
    const Vector e = centred(error);
    const Index count = error.size() - error.array().isNaN().count();
    test.count = count;
    if (count < kFewest || !std::isfinite(e.squaredNorm())) {
      out.push_back(std::move(test));
      continue;
    }
    const Index lags = std::min(kMaxLag, count / 4);
    const auto n = static_cast<double>(count);
    const std::vector<double> r = autocorrelation(e, lags);
    double q = 0;
    for (Index k = 1; k <= lags; ++k) {
      const double value = r[static_cast<std::size_t>(k)];
      test.autocorrelation.push_back(value);
      q += value * value / (n - static_cast<double>(k));
    }
    test.bound = kQuantile / std::sqrt(n);
    test.portmanteau = n * (n + 2) * q;
    test.p_value = 1 - math::chi2_cdf(*test.portmanteau, static_cast<double>(lags));
    test.white = *test.p_value >= 0.01;
    for (std::size_t i = 0; i < columns.inputs.size(); ++i) {
      CrossCorrelation c =
          correlate(e, r, centred(signals.inputs.col(static_cast<Index>(i))), count, lags);
      c.input = data.spec.variables[static_cast<std::size_t>(columns.inputs[i])].id;
      test.inputs.push_back(std::move(c));
    }
    out.push_back(std::move(test));
  }
  return out;
}

}  // namespace flyball::evaluate
