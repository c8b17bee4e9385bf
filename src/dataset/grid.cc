#include "dataset/grid.h"

#include <algorithm>
#include <limits>

#include "core/hot.h"

namespace flyball::dataset {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// Mean of x over a bucket, each sample weighted by the time nearest to it. Exact for equal x.
double weighted_mean(const TimeUs* t, const double* x, std::size_t n, TimeUs begin, TimeUs end) {
  double sum = 0;
  std::int64_t left = 2 * begin;  // twice the time, so that midpoints are whole
  for (std::size_t i = 0; i < n; ++i) {
    const std::int64_t right = i + 1 < n ? t[i] + t[i + 1] : 2 * end;
    sum += static_cast<double>(right - left) * (x[i] - x[0]);
    left = right;
  }
  return x[0] + sum / static_cast<double>(2 * (end - begin));
}

/// How many of t[0..n) follow the one before at exactly one beat, from t[0] on (at least 1).
FLYBALL_HOT std::size_t regular_length(const TimeUs* t, std::size_t n, DurationUs beat) {
  constexpr std::size_t kBlock = 32;
  std::size_t i = 1;
  for (; i + kBlock <= n; i += kBlock) {
    std::int64_t odd = 0;
    for (std::size_t j = i; j < i + kBlock; ++j) odd |= (t[j] - t[j - 1]) ^ beat;
    if (odd != 0) break;
  }
  while (i < n && t[i] - t[i - 1] == beat) ++i;
  return i;
}

/// Collects what is held in the current bucket of a stepped tag.
class HeldBucket {
 public:
  HeldBucket(double* value, std::uint8_t* mask) : value_(value), mask_(mask) {}

  void add(Index step, DurationUs length, double x, bool sampled) {
    if (step != step_) {
      flush();
      step_ = step;
      reference_ = x;
      sum_ = time_ = 0;
      sampled_ = false;
    }
    sum_ += static_cast<double>(length) * (x - reference_);
    time_ += static_cast<double>(length);
    sampled_ = sampled_ || sampled;
  }
  void flush() {
    if (step_ < 0) return;
    value_[step_] = reference_ + sum_ / time_;
    mask_[step_] = sampled_ ? 1 : 2;
    step_ = -1;
  }

 private:
  double* value_;
  std::uint8_t* mask_;
  Index step_ = -1;
  double reference_ = 0, sum_ = 0, time_ = 0;
  bool sampled_ = false;
};

GridCounts count_held(const std::uint8_t* mask, Index steps) {
  GridCounts out;
  out.held = std::count(mask, mask + steps, std::uint8_t{2});
  out.missing = std::count(mask, mask + steps, std::uint8_t{0});
  return out;
}

}  // namespace

TimeUs grid_phase(TimeUs first_sample, DurationUs beat) {
  return kDay % beat == 0 ? 0 : first_sample - bucket_start(first_sample, 0, beat);
}

TimeUs bucket_start(TimeUs t, TimeUs phase, DurationUs beat) {
  const TimeUs from_phase = t - phase;
  TimeUs index = from_phase / beat;
  if (index * beat > from_phase) --index;
  return phase + index * beat;
}

bool lies_on_grid(std::span<const TimeUs> t, DurationUs beat) {
  if (t.empty()) return false;
  for (std::size_t i = 1; i < t.size(); ++i) {
    const DurationUs gap = t[i] - t[i - 1];
    if (gap != beat && gap % beat != 0) return false;
  }
  return (t.back() - t.front()) / beat + 1 <= 2 * static_cast<std::int64_t>(t.size());
}

GridCounts sloped_to_grid(const Cleaned& tag, const Grid& grid, DurationUs max_interp,
                          double* value, std::uint8_t* mask) {
  GridCounts out;
  const std::size_t n = tag.t.size();
  const TimeUs* const t = tag.t.data();
  const double* const x = tag.x.data();
  Index filled_to = -1;  // the last step with a value
  const auto missing = [&](Index from, Index to) {
    std::fill(value + from, value + to, kMissing);
    std::fill(mask + from, mask + to, std::uint8_t{0});
    out.missing += to - from;
  };
  const TimeUs grid_end = grid.end();
  std::size_t i = static_cast<std::size_t>(std::lower_bound(t, t + n, grid.start) - t);
  Index step = 0;
  while (i < n && t[i] < grid_end) {
    if (t[i] >= grid.at(step + 1)) step = (t[i] - grid.start) / grid.beat;
    const TimeUs begin = grid.at(step), end = begin + grid.beat;
    std::size_t next = i + 1;
    while (next < n && t[next] < end) ++next;
    const double v = next == i + 1 ? x[i] : weighted_mean(t + i, x + i, next - i, begin, end);
    if (const Index gap = step - filled_to - 1; gap > 0) {
      if (filled_to >= 0 && (step - filled_to) * grid.beat <= max_interp + grid.beat) {
        const double from = value[filled_to];
        for (Index s = 1; s <= gap; ++s) {
          value[filled_to + s] =
              from + (v - from) * static_cast<double>(s) / static_cast<double>(gap + 1);
          mask[filled_to + s] = 2;
        }
        out.interpolated += gap;
      } else {
        missing(filled_to + 1, step);
      }
    }
    value[step] = v;
    mask[step] = 1;
    i = next;
    if (i < n && t[i] >= end && t[i] < end + grid.beat) {
      // All but the last of a regular stretch are alone in their buckets.
      const auto room = static_cast<std::size_t>(grid.steps - step - 1);
      const std::size_t alone = regular_length(t + i, std::min(n - i, room), grid.beat) - 1;
      std::copy_n(x + i, alone, value + step + 1);
      std::fill_n(mask + step + 1, alone, std::uint8_t{1});
      step += static_cast<Index>(alone);
      i += alone;
    }
    filled_to = step;
    ++step;
  }
  missing(filled_to + 1, grid.steps);
  return out;
}

TimeUs end_of_hold(const Cleaned& tag, std::optional<DurationUs> max_hold, TimeUs until) {
  TimeUs end = until;
  if (max_hold) end = std::min(end, tag.t.back() + std::max<DurationUs>(*max_hold, 1));
  const auto next = std::ranges::upper_bound(tag.breaks, tag.t.back());
  return next == tag.breaks.end() ? end : std::min(end, *next);
}

GridCounts stepped_to_grid(const Cleaned& tag, const Grid& grid, const HoldRule& hold, TimeUs until,
                           double* value, std::uint8_t* mask) {
  std::fill(value, value + grid.steps, kMissing);
  std::fill(mask, mask + grid.steps, std::uint8_t{0});
  const bool on_grid = lies_on_grid(tag.t, grid.beat);
  const auto snapped = [&](TimeUs t) {
    return on_grid ? bucket_start(t, grid.start, grid.beat) : t;
  };
  HeldBucket bucket(value, mask);
  auto next_break = tag.breaks.begin();
  for (std::size_t i = 0; i < tag.t.size(); ++i) {
    TimeUs end = until;
    if (i + 1 < tag.t.size()) end = snapped(tag.t[i + 1]);
    while (next_break != tag.breaks.end() && *next_break < tag.t[i]) ++next_break;
    const TimeUs begin = snapped(tag.t[i]);
    if (next_break != tag.breaks.end()) {
      const bool bridged = i + 1 < tag.t.size() && tag.t[i + 1] - *next_break <= hold.bridged;
      if (!bridged) end = std::min(end, std::max(snapped(*next_break), begin + 1));
    }
    if (hold.longest) end = std::min(end, begin + std::max<DurationUs>(*hold.longest, 1));
    end = std::min(end, grid.end());
    const TimeUs from = std::max(begin, grid.start);
    if (from >= end) continue;
    const Index first = (from - grid.start) / grid.beat, last = (end - 1 - grid.start) / grid.beat;
    bucket.add(first, std::min(end, grid.at(first + 1)) - from, tag.x[i], begin >= grid.start);
    if (last == first) continue;
    bucket.flush();
    std::fill(value + first + 1, value + last, tag.x[i]);
    std::fill(mask + first + 1, mask + last, std::uint8_t{2});
    bucket.add(last, end - grid.at(last), tag.x[i], false);
  }
  bucket.flush();
  return count_held(mask, grid.steps);
}

}  // namespace flyball::dataset
