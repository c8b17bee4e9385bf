#include "dataset/spikes.h"

#include <algorithm>
#include <cmath>

#include "core/hot.h"
#include "dataset/change_scale.h"

namespace flyball::dataset {
namespace {

constexpr double kMadToSigma = 1.4826;
constexpr double kFactor = 5;
constexpr std::size_t kLongestExcursion = 2;
constexpr std::size_t kBlock = 64;

/// bound[i] = the largest distance of here[i], i < kBlock, from any of from[i .. i + w), w ≥ 2;
/// returns the largest of them. The median of a window of 2w−1 samples that holds those w lies
/// between their least and largest, so this bounds |x − median|.
FLYBALL_HOT double bound_distances(const double* from, const double* here, std::size_t w,
                                   double* __restrict bound) {
  double lo[kBlock], hi[kBlock];
  for (std::size_t i = 0; i < kBlock; ++i) {
    const double a = from[i], b = from[i + 1];
    lo[i] = a < b ? a : b;
    hi[i] = a > b ? a : b;
  }
  for (std::size_t j = 2; j < w; j += 2) {
    const double* first = from + j;
    const double* second = from + (j + 1 < w ? j + 1 : j);
    for (std::size_t i = 0; i < kBlock; ++i) {
      const double a = first[i], b = second[i];
      const double least = a < b ? a : b, largest = a > b ? a : b;
      lo[i] = least < lo[i] ? least : lo[i];
      hi[i] = largest > hi[i] ? largest : hi[i];
    }
  }
  for (std::size_t i = 0; i < kBlock; ++i) {
    const double above = hi[i] - here[i], below = here[i] - lo[i];
    bound[i] = above > below ? above : below;
  }
  for (std::size_t i = 0; i < kBlock / 2; ++i) {
    lo[i] = bound[i] > bound[i + kBlock / 2] ? bound[i] : bound[i + kBlock / 2];
  }
  for (std::size_t i = 0; i < kBlock / 4; ++i)
    lo[i] = lo[i] > lo[i + kBlock / 4] ? lo[i] : lo[i + kBlock / 4];
  double largest = 0;
  for (std::size_t i = 0; i < kBlock / 4; ++i) largest = lo[i] > largest ? lo[i] : largest;
  return largest;
}

/// How many of v[0..n) lie further than limit above and below x.
struct Beyond {
  int above, below;
};
Beyond count_beyond(const double* v, std::size_t n, double x, double limit) {
  int above = 0, below = 0;
  for (std::size_t i = 0; i < n; ++i) {
    above += v[i] - x > limit ? 1 : 0;
    below += x - v[i] > limit ? 1 : 0;
  }
  return {above, below};
}

double median_of(std::vector<double>& v) {
  const auto middle = v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2);
  std::nth_element(v.begin(), middle, v.end());
  return *middle;
}

struct Suspect {
  std::size_t index;
  double deviation;  ///< x − median, signed
};

/// Applies the exact rule to single samples.
class Window {
 public:
  Window(std::span<const double> x, std::size_t k) : x_(x), k_(k), values_(2 * k + 1) {}

  /// x_i − med_i when |x_i − med_i| > 5·max(floor, 1.4826·MAD_i), else 0.
  double deviation(std::size_t i, double floor) {
    const std::size_t width = values_.size();
    const std::size_t start = std::min(i < k_ ? 0 : i - k_, x_.size() - width);
    // Fewer than k+1 of the window beyond the limit on each side: so the median is within it.
    const Beyond beyond = count_beyond(&x_[start], width, x_[i], kFactor * floor);
    const auto half = static_cast<int>(k_);
    if (beyond.above <= half && beyond.below <= half) return 0;
    std::copy_n(x_.begin() + static_cast<std::ptrdiff_t>(start), width, values_.begin());
    const double median = median_of(values_);
    const double d = x_[i] - median;
    for (double& v : values_) v = std::abs(v - median);
    return std::abs(d) > kFactor * kMadToSigma * median_of(values_) ? d : 0;
  }

 private:
  std::span<const double> x_;
  std::size_t k_;
  std::vector<double> values_;
};

std::vector<Suspect> find_suspects(std::span<const double> x, std::size_t k, double floor) {
  std::vector<Suspect> out;
  Window window(x, k);
  const double limit = kFactor * floor;
  const std::size_t w = k + 1;
  const std::size_t before = k / 2;  // the w samples around i begin at i − before
  const std::size_t end = x.size() - w + before + 1;  // and lie in x for before ≤ i < end
  double bound[kBlock];
  const auto check = [&](std::size_t i) {
    if (const double d = window.deviation(i, floor); d != 0) out.push_back({i, d});
  };
  std::size_t i = 0;
  while (i < before) check(i++);
  for (; i + kBlock <= end; i += kBlock) {
    if (!(bound_distances(&x[i - before], &x[i], w, bound) > limit)) continue;
    for (std::size_t j = 0; j < kBlock; ++j) {
      if (bound[j] > limit) check(i + j);
    }
  }
  while (i < x.size()) check(i++);
  return out;
}

/// Median change and quantum are costly, and seldom needed exactly: drops what lies below them.
void keep_above_floor(std::span<const double> x, const MedianBounds& median, bool needs_quantum,
                      std::vector<Suspect>& suspects) {
  const auto drop_below = [&](double floor) {
    std::erase_if(suspects,
                  [&](const Suspect& s) { return !(std::abs(s.deviation) > kFactor * floor); });
  };
  const auto in_doubt = [&](const Suspect& s) {
    return !(std::abs(s.deviation) > kFactor * kMadToSigma * median.high);
  };
  if (median.low < median.high && std::ranges::any_of(suspects, in_doubt)) {
    drop_below(kMadToSigma * median_abs_change(x));
  }
  if (needs_quantum && !suspects.empty()) drop_below(observed_quantum(x));
}

}  // namespace

std::vector<std::size_t> find_spikes(std::span<const double> x, std::int64_t k,
                                     std::optional<double> resolution) {
  const auto radius = static_cast<std::size_t>(k);
  if (k <= 0 || x.size() <= 2 * radius + 2) return {};
  const MedianBounds median = bound_median_abs_change(x);
  double floor = std::max(kMadToSigma * median.low, resolution.value_or(0));
  const bool resting = floor == 0;
  if (resting) floor = observed_quantum(x);
  std::vector<Suspect> suspects = find_suspects(x, radius, floor);
  keep_above_floor(x, median, !resolution && !resting, suspects);
  std::vector<std::size_t> spikes;
  for (std::size_t i = 0; i < suspects.size();) {
    std::size_t end = i + 1;
    while (end < suspects.size() && suspects[end].index == suspects[end - 1].index + 1 &&
           std::signbit(suspects[end].deviation) == std::signbit(suspects[i].deviation)) {
      ++end;
    }
    const bool seen_whole = suspects[i].index > 0 && suspects[end - 1].index + 1 < x.size();
    if (end - i <= kLongestExcursion && seen_whole) {
      for (std::size_t j = i; j < end; ++j) spikes.push_back(suspects[j].index);
    }
    i = end;
  }
  return spikes;
}

}  // namespace flyball::dataset
