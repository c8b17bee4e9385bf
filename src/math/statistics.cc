#include "math/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace flyball::math {
namespace {
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
}

double mean(std::span<const double> x) {
  if (x.empty()) return kNan;
  double sum = 0;
  for (const double v : x) sum += v;
  const double first = sum / static_cast<double>(x.size());
  double rest = 0;
  for (const double v : x) rest += v - first;
  return first + rest / static_cast<double>(x.size());
}

double sample_std(std::span<const double> x) {
  if (x.size() < 2) return kNan;
  const double m = mean(x);
  double sum = 0;
  for (const double v : x) sum += (v - m) * (v - m);
  return std::sqrt(sum / static_cast<double>(x.size() - 1));
}

double quantile(std::span<const double> x, double q) {
  if (x.empty()) return kNan;
  std::vector<double> sorted(x.begin(), x.end());
  std::sort(sorted.begin(), sorted.end());
  const double position = std::clamp(q, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double share = position - static_cast<double>(below);
  return sorted[below] + share * (sorted[above] - sorted[below]);
}

double median(std::span<const double> x) {
  return quantile(x, 0.5);
}

std::vector<double> autocorrelation(std::span<const double> x, std::size_t max_lag) {
  std::vector<double> rho(max_lag + 1, 0.0);
  rho[0] = 1;
  const double m = mean(x);
  double power = 0;
  for (const double v : x) power += (v - m) * (v - m);
  if (!(power > 0)) return rho;
  for (std::size_t k = 1; k <= max_lag && k < x.size(); ++k) {
    double sum = 0;
    for (std::size_t t = k; t < x.size(); ++t) sum += (x[t] - m) * (x[t - k] - m);
    rho[k] = sum / power;
  }
  return rho;
}

}  // namespace flyball::math
