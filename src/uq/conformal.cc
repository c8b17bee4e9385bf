#include "uq/conformal.h"

#include <algorithm>
#include <cmath>
#include <vector>

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
