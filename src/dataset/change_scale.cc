#include "dataset/change_scale.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/hot.h"

namespace flyball::dataset {
namespace {

constexpr std::size_t kQuantumChanges = 4096;
constexpr std::size_t kQuantumRepeats = 10;
constexpr std::size_t kSelectDirectly = 8192;
constexpr std::size_t kSample = 1024;
constexpr std::size_t kChunk = 1024;

FLYBALL_HOT void abs_changes(const double* x, std::size_t n, double* __restrict out) {
  for (std::size_t i = 0; i < n; ++i) out[i] = std::abs(x[i + 1] - x[i]);
}

/// How many of v lie below low and in [low, high].
struct Place {
  std::int64_t below, inside;
};
FLYBALL_HOT Place count_in(const double* v, std::size_t n, double low, double high) {
  std::int64_t below = 0, up_to = 0;
  for (std::size_t i = 0; i < n; ++i) {
    below += v[i] < low ? 1 : 0;
    up_to += v[i] <= high ? 1 : 0;
  }
  return {below, up_to - below};
}

/// The mean of the order statistics first and second ∈ {first, first + 1} of v.
double middle(std::vector<double>& v, std::size_t first, std::size_t second) {
  const auto at = v.begin() + static_cast<std::ptrdiff_t>(first);
  std::nth_element(v.begin(), at, v.end());
  if (second == first) return *at;
  return (*at + *std::min_element(at + 1, v.end())) / 2;
}

double median_directly(std::span<const double> x) {
  std::vector<double> v(x.size() - 1);
  abs_changes(x.data(), v.size(), v.data());
  return middle(v, (v.size() - 1) / 2, v.size() / 2);
}

/// Bounds that hold the median of all changes when the sampled ones are typical.
std::pair<double, double> bracket(std::span<const double> x) {
  const std::size_t changes = x.size() - 1;
  std::vector<double> v(kSample);
  for (std::size_t i = 0; i < kSample; ++i) {
    const std::size_t at = i * changes / kSample;
    v[i] = std::abs(x[at + 1] - x[at]);
  }
  std::ranges::sort(v);
  return {v[kSample * 9 / 20], v[kSample * 11 / 20]};
}

}  // namespace

double median_abs_change(std::span<const double> x) {
  if (x.size() < 2) return 0;
  if (x.size() < kSelectDirectly) return median_directly(x);
  const std::size_t n = x.size() - 1;
  const auto [low, high] = bracket(x);
  std::vector<double> inside, chunk(kChunk);
  inside.reserve(n / 4);
  std::int64_t below = 0, count = 0;
  for (std::size_t first = 0; first < n; first += kChunk) {
    const std::size_t length = std::min(kChunk, n - first);
    abs_changes(x.data() + first, length, chunk.data());
    const Place place = count_in(chunk.data(), length, low, high);
    below += place.below;
    count += place.inside;
    if (low == high) continue;
    const std::size_t kept = inside.size();
    inside.resize(kept + length);
    double* out = inside.data() + kept;
    for (std::size_t i = 0; i < length; ++i) {
      *out = chunk[i];
      out += chunk[i] >= low && chunk[i] <= high ? 1 : 0;
    }
    inside.resize(kept + static_cast<std::size_t>(place.inside));
  }
  const auto first = static_cast<std::int64_t>((n - 1) / 2), second = static_cast<std::int64_t>(n / 2);
  if (first < below || second >= below + count) return median_directly(x);
  if (low == high) return low;
  return middle(inside, static_cast<std::size_t>(first - below), static_cast<std::size_t>(second - below));
}

double observed_quantum(std::span<const double> x) {
  double largest = 0;
  std::vector<double> changes;
  for (std::size_t i = 0; i + 1 < x.size() && changes.size() < kQuantumChanges; ++i) {
    largest = std::max({largest, std::abs(x[i]), std::abs(x[i + 1])});
    if (x[i + 1] != x[i]) changes.push_back(std::abs(x[i + 1] - x[i]));
  }
  const double same = 4 * std::numeric_limits<double>::epsilon() * largest;
  std::ranges::sort(changes);
  std::size_t first = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (i > first && changes[i] - changes[i - 1] > same) first = i;
    if (i - first + 1 >= kQuantumRepeats && changes[first] > same) return changes[first];
  }
  return 0;
}

}  // namespace flyball::dataset
