#include "dataset/timing.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "dataset/grid.h"

namespace flyball::dataset {
namespace {

constexpr std::size_t kPlaces = 1024;

double median(std::vector<double>& v) {
  const auto middle = v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2);
  std::nth_element(v.begin(), middle, v.end());
  return *middle;
}

}  // namespace

Timing timing_of(std::span<const TimeUs> t, TimeUs start, DurationUs beat) {
  Timing out;
  if (t.size() < 2) return out;
  const std::size_t gaps = t.size() - 1;
  std::vector<double> period(std::min(gaps, kPlaces)), offset(period.size());
  for (std::size_t i = 0; i < period.size(); ++i) {
    const std::size_t at = i * gaps / period.size();
    period[i] = static_cast<double>(t[at + 1] - t[at]) / 1000;
    offset[i] = static_cast<double>(t[at] - bucket_start(t[at], start, beat)) / 1000;
  }
  out.offset = median(offset);
  out.period = median(period);
  for (double& p : period) p = std::abs(p - out.period);
  out.jitter = median(period);
  return out;
}

}  // namespace flyball::dataset
