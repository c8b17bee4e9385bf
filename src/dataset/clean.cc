#include "dataset/clean.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dataset/spikes.h"

namespace flyball::dataset {
namespace {

constexpr double kMostSpikes = 0.05;  ///< of a tag's samples in a run: more are how it moves

/// Keeps the samples inside the intervals, or those outside; returns how many it dropped.
std::int64_t keep(const std::vector<Interval>& intervals, bool inside, Cleaned& tag) {
  std::size_t n = 0;
  auto interval = intervals.begin();
  for (std::size_t i = 0; i < tag.t.size(); ++i) {
    while (interval != intervals.end() && interval->to <= tag.t[i]) ++interval;
    if ((interval != intervals.end() && tag.t[i] >= interval->from) != inside) continue;
    tag.t[n] = tag.t[i];
    tag.x[n++] = tag.x[i];
  }
  const auto dropped = static_cast<std::int64_t>(tag.t.size() - n);
  tag.t.resize(n);
  tag.x.resize(n);
  return dropped;
}

/// Drops what was taken in another mode; a hold ends where an interval does.
void keep_in_mode(const ModeIntervals& mode, Cleaned& tag) {
  tag.counts.dropped_mode = keep(mode, true, tag);
  for (const Interval& i : mode) {
    if (i.to != std::numeric_limits<TimeUs>::max()) tag.breaks.push_back(i.to);
  }
  std::ranges::sort(tag.breaks);
}

}  // namespace

void remove_at(std::span<const std::size_t> drop, std::vector<TimeUs>& t, std::vector<double>& x) {
  if (drop.empty()) return;
  std::size_t to = drop.front();
  for (std::size_t k = 0; k < drop.size(); ++k) {
    const std::size_t from = drop[k] + 1;
    const std::size_t end = k + 1 < drop.size() ? drop[k + 1] : x.size();
    const auto offset = [](std::size_t i) { return static_cast<std::ptrdiff_t>(i); };
    std::copy(t.begin() + offset(from), t.begin() + offset(end), t.begin() + offset(to));
    std::copy(x.begin() + offset(from), x.begin() + offset(end), x.begin() + offset(to));
    to += end - from;
  }
  t.resize(to);
  x.resize(to);
}

CleanCounts& CleanCounts::operator+=(const CleanCounts& other) {
  for_each_field<CleanCounts>([&](const auto& f) { this->*(f.member) += other.*(f.member); });
  return *this;
}

void clean(std::span<const historian::Sample> samples, const CleanRule& rule, Cleaned& out,
           const ModeIntervals* mode) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  const double low = rule.min.value_or(-kLargest);
  const double high = rule.max.value_or(kLargest);
  out.breaks.clear();
  out.counts = {};
  out.counts.total = static_cast<std::int64_t>(samples.size());
  out.t.resize(samples.size());
  out.x.resize(samples.size());
  TimeUs* const t = out.t.data();
  double* const x = out.x.data();
  std::size_t n = 0;
  for (const historian::Sample& s : samples) {
    t[n] = s.at;
    x[n] = s.value;
    if (!s.quality.bad() && s.value >= low && s.value <= high) [[likely]] {
      ++n;
      continue;
    }
    out.breaks.push_back(s.at);
    ++(s.quality.bad()           ? out.counts.dropped_quality
       : !std::isfinite(s.value) ? out.counts.dropped_not_finite
                                 : out.counts.dropped_range);
  }
  out.t.resize(n);
  out.x.resize(n);
  if (mode != nullptr) keep_in_mode(*mode, out);
  if (!rule.marked.empty()) out.counts.dropped_marked = keep(rule.marked, false, out);
  if (rule.spike_radius > 0) {
    const auto spikes = find_spikes(out.x, rule.spike_radius, rule.resolution);
    const auto count = static_cast<std::int64_t>(spikes.size());
    if (static_cast<double>(count) > kMostSpikes * static_cast<double>(out.x.size())) {
      out.counts.kept_suspects = count;
    } else {
      out.counts.dropped_spike = count;
      remove_at(spikes, out.t, out.x);
    }
  }
}

Cleaned clean(std::span<const historian::Sample> samples, const CleanRule& rule) {
  Cleaned out;
  clean(samples, rule, out);
  return out;
}

}  // namespace flyball::dataset
