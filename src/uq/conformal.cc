#include "uq/conformal.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "math/distributions.h"

namespace flyball::uq {
namespace {

constexpr double kSafetyFactor = 1.25;
constexpr double kGoodChance = 0.8;
constexpr std::int64_t kMostBlocks = 5000;

double log_choose(std::int64_t n, std::int64_t k) {
  return std::lgamma(static_cast<double>(n + 1)) - std::lgamma(static_cast<double>(k + 1)) -
         std::lgamma(static_cast<double>(n - k + 1));
}

/// ⌈x⌉, where x within 1e-9 above a whole number counts as that number.
std::int64_t ceil_exact(double x) {
  return static_cast<std::int64_t>(std::ceil(x - 1e-9));
}

}  // namespace

Method choose_method(std::int64_t n_val_blocks, std::int64_t n_val_runs) {
  return n_val_blocks >= 9 && n_val_runs >= 2 ? Method::split_conformal : Method::empirical_max;
}

std::int64_t conformal_rank(std::int64_t n, double alpha) {
  return std::min(n, ceil_exact(static_cast<double>(n + 1) * (1 - alpha)));
}

double quantile(const ConstVectorRef& scores, Method method, double alpha) {
  std::vector<double> sorted(scores.data(), scores.data() + scores.size());
  std::ranges::sort(sorted);
  if (method == Method::empirical_max) return kSafetyFactor * sorted.back();
  return sorted[static_cast<std::size_t>(conformal_rank(scores.size(), alpha)) - 1];
}

double coverage_threshold(Method method, std::int64_t n_test_runs) {
  if (method == Method::empirical_max) return 1;
  const auto runs = static_cast<double>(std::max<std::int64_t>(1, n_test_runs));
  return std::max(0.8, 0.9 - 3 * std::sqrt(0.09 / runs));
}

Share binomial_interval(std::int64_t hits, std::int64_t trials, double level) {
  const double tail = (1 - level) / 2;
  const auto k = static_cast<double>(hits), n = static_cast<double>(trials);
  // P(X ≥ k) = I_p(k, n−k+1) rises with p, P(X ≤ k) = 1 − I_p(k+1, n−k) falls.
  const auto solve = [](auto&& above) {
    double low = 0, high = 1;
    for (int i = 0; i < 60; ++i) {
      const double p = (low + high) / 2;
      (above(p) ? high : low) = p;
    }
    return (low + high) / 2;
  };
  Share out;
  if (hits > 0) {
    out.low = solve([&](double p) { return math::incomplete_beta(k, n - k + 1, p) > tail; });
  }
  if (hits < trials) {
    out.high = solve([&](double p) { return math::incomplete_beta(k + 1, n - k, p) > 1 - tail; });
  }
  return out;
}

double chance_of_coverage(std::int64_t n, std::int64_t r, std::int64_t m, double share) {
  double chance = 0;
  const double all = log_choose(m + n, m);
  for (std::int64_t k = ceil_exact(share * static_cast<double>(m)); k <= m; ++k) {
    chance += std::exp(log_choose(k + r - 1, k) + log_choose(m - k + n - r, m - k) - all);
  }
  return std::min(1.0, chance);
}

double pass_chance(Method method, std::int64_t n_val, std::int64_t n_test, double threshold,
                   double alpha, std::int64_t cvs) {
  const std::int64_t rank = method == Method::empirical_max ? n_val : conformal_rank(n_val, alpha);
  return std::pow(chance_of_coverage(n_val, rank, n_test, threshold), static_cast<double>(cvs));
}

std::optional<std::int64_t> blocks_needed(std::int64_t n_test_runs, double alpha,
                                          std::int64_t cvs) {
  const double threshold = coverage_threshold(Method::split_conformal, n_test_runs);
  for (std::int64_t n = 9; n <= kMostBlocks; n += n < 200 ? 1 : 50) {
    if (pass_chance(Method::split_conformal, n, n, threshold, alpha, cvs) >= kGoodChance) return n;
  }
  return std::nullopt;
}

}  // namespace flyball::uq
