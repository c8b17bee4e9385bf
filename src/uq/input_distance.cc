#include "uq/input_distance.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace flyball::uq {

std::optional<double> input_distance(std::span<const double> x, std::span<const double> mean,
                                     std::span<const double> std) {
  if (x.empty() || x.size() != mean.size() || x.size() != std.size()) return std::nullopt;
  double distance = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(mean[i]) || !std::isfinite(std[i])) {
      return std::nullopt;
    }
    distance = std[i] <= 1e-9 * std::abs(mean[i])
                   ? std::numeric_limits<double>::infinity()
                   : std::max(distance, std::abs(x[i] - mean[i]) / std[i]);
  }
  return distance;
}

bool is_fresh(std::string_view calibrated_at, TimeUs now, double fresh_days) {
  TimeUs at = 0;
  if (!try_parse_time(calibrated_at, at)) return false;
  const double age_days = static_cast<double>(now - at) / static_cast<double>(kDay);
  return std::abs(age_days) <= fresh_days;
}

}  // namespace flyball::uq
