#include "dataset/v1_grid.h"

#include <cmath>
#include <limits>

#include "core/error.h"
#include "dataset/grid.h"
#include "dataset/v1_hampel.h"

namespace flyball::dataset {
namespace {

constexpr double kMostBuckets = 1e9;

struct Points {
  std::vector<TimeUs> t;
  std::vector<double> x;
};

Points clean_points(std::span<const historian::Sample> samples, const CleanRule& rule,
                    CleanCounts& counts) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  const double low = rule.min.value_or(-kLargest), high = rule.max.value_or(kLargest);
  Points out{std::vector<TimeUs>(samples.size()), std::vector<double>(samples.size())};
  counts.total = std::ssize(samples);
  std::size_t n = 0;
  for (const historian::Sample& s : samples) {
    out.t[n] = s.at;
    out.x[n] = s.value;
    if (s.quality.good() && s.value >= low && s.value <= high) [[likely]] {
      ++n;
      continue;
    }
    ++(!s.quality.good()         ? counts.dropped_quality
       : !std::isfinite(s.value) ? counts.dropped_not_finite
                                 : counts.dropped_range);
  }
  out.t.resize(n);
  out.x.resize(n);
  const auto spikes = v1_spikes(out.x, rule.spike_radius);
  counts.dropped_spike = std::ssize(spikes);
  remove_at(spikes, out.t, out.x);
  return out;
}

}  // namespace

V1Node v1_node(std::span<const historian::Sample> samples, const CleanRule& rule, DurationUs beat,
               DurationUs max_interp) {
  V1Node out;
  const auto [t, x] = clean_points(samples, rule, out.counts);
  if (t.empty()) return out;
  out.start = bucket_start(t.front(), 0, beat);
  const std::int64_t steps = (t.back() - out.start) / beat + 1;
  if (static_cast<double>(steps) > kMostBuckets)
    throw Error("V1_RUN_TOO_LONG", {{"value", steps, "steps"}, {"limit", kMostBuckets}});
  out.values.resize(static_cast<std::size_t>(steps), std::numeric_limits<double>::quiet_NaN());
  std::int64_t last = -1, step = 0;
  for (std::size_t i = 0; i < t.size();) {
    if (t[i] >= out.start + (step + 1) * beat) step = (t[i] - out.start) / beat;
    const TimeUs end = out.start + (step + 1) * beat;
    double sum = 0;
    std::size_t n = 0;
    for (; i < t.size() && t[i] < end; ++i, ++n) sum += x[i];
    const double value = sum / static_cast<double>(n);
    double* const v = out.values.data();
    const std::int64_t gap = step - last - 1;
    if (last >= 0 && gap > 0 && (step - last) * beat <= max_interp + beat) {
      for (std::int64_t s = 1; s <= gap; ++s) {
        v[last + s] =
            v[last] + (value - v[last]) * static_cast<double>(s) / static_cast<double>(gap + 1);
      }
      out.counts.interpolated += gap;
    }
    v[step] = value;
    last = step++;
  }
  return out;
}

}  // namespace flyball::dataset
