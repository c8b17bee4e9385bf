#include "survey/values.h"

#include <algorithm>
#include <unordered_set>

#include "dataset/change_scale.h"
#include "dataset/dataset.h"
#include "math/statistics.h"

namespace flyball::survey {
namespace {

std::int64_t count_distinct(std::span<const double> x) {
  std::unordered_set<double> seen;
  for (const double v : x) {
    seen.insert(v);
    if (std::ssize(seen) >= kMostDistinct) break;
  }
  return std::ssize(seen);
}

}  // namespace

ValueFacts values_of(std::span<const double> x) {
  ValueFacts out;
  out.count = std::ssize(x);
  if (x.empty()) return out;
  out.mean = math::mean(x);
  if (x.size() > 1) out.std = math::sample_std(x);
  std::vector<double> copy(x.begin(), x.end());
  constexpr double kWanted[] = {0, 0.05, 0.5, 0.95, 1};
  const std::vector<double> q = quantiles(copy, kWanted);
  out.min = q[0];
  out.p05 = q[1];
  out.p50 = q[2];
  out.p95 = q[3];
  out.max = q[4];
  out.quantum = dataset::observed_quantum(x);
  out.distinct = count_distinct(x);
  out.constant = dataset::is_constant(*out.min, *out.max);
  return out;
}

}  // namespace flyball::survey
