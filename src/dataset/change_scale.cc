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
constexpr std::size_t kSelectDirectly = 4096;
constexpr std::size_t kLargestSample = 1024;

FLYBALL_HOT void abs_changes(const double* x, std::size_t n, double* __restrict out) {
  for (std::size_t i = 0; i < n; ++i) out[i] = std::abs(x[i + 1] - x[i]);
}

/// How many of the n changes lie below low, and up to high.
struct Counts {
  std::int64_t below_low, up_to_high;
};
FLYBALL_HOT Counts count_changes(const double* x, std::size_t n, double low, double high) {
  std::int64_t below = 0, up_to = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double change = std::abs(x[i + 1] - x[i]);
    below += change < low ? 1 : 0;
    up_to += change <= high ? 1 : 0;
  }
  return {below, up_to};
}

/// Quantiles around the middle of changes sampled evenly, three standard errors of the rank apart.
MedianBounds sampled_bounds(std::span<const double> x) {
  const std::size_t n = x.size() - 1;
  std::vector<double> v(std::clamp<std::size_t>(n / 32, 1, kLargestSample));
  for (std::size_t i = 0; i < v.size(); ++i) {
    const std::size_t at = i * n / v.size();
    v[i] = std::abs(x[at + 1] - x[at]);
  }
  const auto apart = static_cast<std::ptrdiff_t>(1.5 * std::sqrt(static_cast<double>(v.size())));
  const auto middle = v.begin() + std::ssize(v) / 2;
  std::nth_element(v.begin(), middle - apart, v.end());
  std::nth_element(middle - apart, middle + apart, v.end());
  return {*(middle - apart), *(middle + apart)};
}

}  // namespace

double median_abs_change(std::span<const double> x) {
  if (x.size() < 2) return 0;
  std::vector<double> v(x.size() - 1);
  abs_changes(x.data(), v.size(), v.data());
  const auto upper = v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2);
  std::nth_element(v.begin(), upper, v.end());
  if (v.size() % 2 == 1) return *upper;
  return (*std::max_element(v.begin(), upper) + *upper) / 2;
}

MedianBounds bound_median_abs_change(std::span<const double> x) {
  if (x.size() >= kSelectDirectly) {
    const std::size_t n = x.size() - 1;
    const MedianBounds bounds = sampled_bounds(x);
    const Counts counts = count_changes(x.data(), n, bounds.low, bounds.high);
    const auto lower = static_cast<std::int64_t>((n - 1) / 2),
               upper = static_cast<std::int64_t>(n / 2);
    if (counts.below_low <= lower && upper < counts.up_to_high) return bounds;
  }
  const double median = median_abs_change(x);
  return {median, median};
}

double observed_quantum(std::span<const double> x) {
  QuantumFinder finder;
  for (std::size_t i = 0; i < x.size() && !finder.full(); ++i) finder.add(x[i]);
  return finder.quantum();
}

bool QuantumFinder::full() const {
  return changes_.size() >= kQuantumChanges;
}

void QuantumFinder::add(double x) {
  if (full()) return;
  largest_ = std::max(largest_, std::abs(x));
  if (any_ && x != last_) changes_.push_back(std::abs(x - last_));
  last_ = x;
  any_ = true;
}

double QuantumFinder::quantum() const {
  const double same = 4 * std::numeric_limits<double>::epsilon() * largest_;
  std::vector<double> changes = changes_;
  std::ranges::sort(changes);
  std::size_t first = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (i > first && changes[i] - changes[i - 1] > same) first = i;
    if (i - first + 1 >= kQuantumRepeats && changes[first] > same) return changes[first];
  }
  return 0;
}

}  // namespace flyball::dataset
