#include "identify/narx_loss.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace flyball::identify {
namespace {

constexpr double kExact = 1e-12;  ///< noise-free data: smaller mean squares are equal

}  // namespace

LossUnits least_of(const std::vector<std::vector<FoldErrors>>& models, Index horizon) {
  LossUnits units{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  for (const auto& folds : models) {
    const double rollout = rollout_score(folds, horizon), free = free_run_score(folds);
    if (std::isfinite(rollout)) units.rollout = std::min(units.rollout, rollout * rollout);
    if (std::isfinite(free)) units.free = std::min(units.free, free * free);
  }
  units.rollout = std::max(units.rollout, kExact);
  units.free = std::max(units.free, kExact);
  return units;
}

double pooled_loss(const std::vector<FoldErrors>& folds, const LossUnits& units, Index horizon) {
  const double rollout = rollout_score(folds, horizon), free = free_run_score(folds);
  return (rollout * rollout / units.rollout + free * free / units.free) / 2;
}

double pooled_difference(const std::vector<FoldErrors>& a, const std::vector<FoldErrors>& b,
                         const LossUnits& units, Index horizon) {
  double sum = 0, squares = 0, n = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(a[i].windows > 0)) continue;
    const double d = pooled_loss({b[i]}, units, horizon) - pooled_loss({a[i]}, units, horizon);
    sum += d;
    squares += d * d;
    n += 1;
  }
  if (n < 2 || sum == 0) return 0;
  const double mean = sum / n;
  const double variance = std::max(0.0, squares / n - mean * mean) * n / (n - 1);
  return mean / std::sqrt(variance / n);
}

}  // namespace flyball::identify
