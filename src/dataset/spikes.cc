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
constexpr std::size_t kChunk = 1024;

/// out[i] = the largest distance of x[at + i] from any sample of the w that begin at x[start + i].
/// The median of a window of 2w−1 samples that holds these w lies between their least and largest, so
/// that this bounds |x − median|. `lo` and `hi` hold n + w values each.
FLYBALL_HOT void distance_bound(const double* x, std::size_t start, std::size_t at, std::size_t n,
                                std::size_t w, double* __restrict lo, double* __restrict hi,
                                double* __restrict out) {
  const double* from = x + start;
  std::size_t length = n + w - 1;  // values of width 1
  for (std::size_t i = 0; i < length; ++i) lo[i] = hi[i] = from[i];
  std::size_t width = 1;
  while (width < w) {
    const std::size_t shift = width < w - width ? width : w - width;
    length -= shift;
    for (std::size_t i = 0; i < length; ++i) {
      lo[i] = lo[i] < lo[i + shift] ? lo[i] : lo[i + shift];
      hi[i] = hi[i] > hi[i + shift] ? hi[i] : hi[i + shift];
    }
    width += shift;
  }
  const double* here = x + at;
  for (std::size_t i = 0; i < n; ++i) {
    const double above = hi[i] - here[i];
    const double below = here[i] - lo[i];
    out[i] = above > below ? above : below;
  }
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
    std::copy_n(x_.begin() + static_cast<std::ptrdiff_t>(start), width, values_.begin());
    const double median = median_of(values_);
    const double d = x_[i] - median;
    if (!(std::abs(d) > kFactor * floor)) return 0;
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
  const std::size_t w = k + 1;
  const double limit = kFactor * floor;
  std::vector<double> lo(kChunk + w), hi(kChunk + w), bound(kChunk);
  const auto check = [&](std::size_t i) {
    if (const double d = window.deviation(i, floor); d != 0) out.push_back({i, d});
  };
  const std::size_t before = k / 2;          // the w samples around i begin at i − before
  const std::size_t last = x.size() - w + before;  // the last i for which they lie in x
  for (std::size_t i = 0; i < before; ++i) check(i);
  for (std::size_t first = before; first <= last; first += kChunk) {
    const std::size_t n = std::min(kChunk, last + 1 - first);
    distance_bound(x.data(), first - before, first, n, w, lo.data(), hi.data(), bound.data());
    for (std::size_t i = 0; i < n; ++i) {
      if (bound[i] > limit) check(first + i);
    }
  }
  for (std::size_t i = last + 1; i < x.size(); ++i) check(i);
  return out;
}

}  // namespace

std::vector<std::size_t> find_spikes(std::span<const double> x, std::int64_t k, std::optional<double> resolution) {
  const auto radius = static_cast<std::size_t>(k);
  if (k <= 0 || x.size() <= 2 * radius + 2) return {};
  double floor = std::max(kMadToSigma * median_abs_change(x), resolution.value_or(0));
  const bool quantum_first = floor == 0;
  if (quantum_first) floor = observed_quantum(x);
  std::vector<Suspect> suspects = find_suspects(x, radius, floor);
  if (!suspects.empty() && !resolution && !quantum_first) {
    const double limit = kFactor * observed_quantum(x);
    std::erase_if(suspects, [&](const Suspect& s) { return !(std::abs(s.deviation) > limit); });
  }
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
