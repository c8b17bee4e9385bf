#include "evaluate/metrics.h"

#include <cmath>
#include <limits>

namespace flyball::evaluate {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

}  // namespace

double ErrorSums::rmse() const {
  return count == 0 ? kNaN : std::sqrt(square / static_cast<double>(count));
}
double ErrorSums::mae() const {
  return count == 0 ? kNaN : absolute / static_cast<double>(count);
}
double ErrorSums::bias() const {
  return count == 0 ? kNaN : signed_sum / static_cast<double>(count);
}

double nrmse(double rmse, double train_std) {
  return train_std > 0 ? rmse / train_std : kNaN;
}

std::optional<double> fit_percent(std::span<const double> y, std::span<const double> predicted) {
  double sum = 0;
  Index n = 0;
  for (const double v : y) {
    if (std::isnan(v)) continue;
    sum += v;
    ++n;
  }
  if (n == 0) return std::nullopt;
  const double mean = sum / static_cast<double>(n);
  double error = 0, spread = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (std::isnan(y[i])) continue;
    error += (y[i] - predicted[i]) * (y[i] - predicted[i]);
    spread += (y[i] - mean) * (y[i] - mean);
  }
  if (!(spread > 0)) return std::nullopt;
  return finite_or_none(100 * (1 - std::sqrt(error / spread)));
}

double mean_or_nan(std::span<const double> values) {
  if (values.empty()) return kNaN;
  double sum = 0;
  for (const double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

std::optional<double> finite_or_none(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

}  // namespace flyball::evaluate
