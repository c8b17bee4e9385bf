#include "dataset/v1_hampel.h"

#include <algorithm>
#include <cmath>

#include "core/hot.h"

namespace flyball::dataset {
namespace {

constexpr double kFactor = 3 * 1.4826;
constexpr double kLeastMad = 1e-12;
constexpr std::size_t kLanes = 16;
constexpr std::size_t kLargestRadius = 16;
constexpr std::size_t kMostRows = 2 * kLargestRadius + 1;

double median_of(std::vector<double>& v) {
  const auto upper = v.begin() + std::ssize(v) / 2;
  std::nth_element(v.begin(), upper, v.end());
  if (v.size() % 2 == 1) return *upper;
  return (*std::max_element(v.begin(), upper) + *upper) / 2;
}

/// One sample by definition.
bool is_spike(std::span<const double> x, std::size_t i, std::size_t k, std::vector<double>& v) {
  const std::size_t first = i < k ? 0 : i - k, end = std::min(x.size(), i + k + 1);
  v.assign(x.begin() + static_cast<std::ptrdiff_t>(first),
           x.begin() + static_cast<std::ptrdiff_t>(end));
  const double median = median_of(v);
  for (double& d : v) d = std::abs(d - median);
  return std::abs(x[i] - median) > kFactor * std::max(median_of(v), kLeastMad);
}

struct Comparator {
  std::size_t low, high;
};

/// Batcher's odd-even merge sort of n rows: that of the next power of two without the rows that do
/// not exist.
std::vector<Comparator> sorting_network(std::size_t n) {
  std::vector<Comparator> out;
  for (std::size_t p = 1; p < n; p *= 2) {
    for (std::size_t q = p; q >= 1; q /= 2) {
      for (std::size_t j = q % p; j + q < n; j += 2 * q) {
        for (std::size_t i = 0; i < q && i + j + q < n; ++i) {
          if ((i + j) / (2 * p) == (i + j + q) / (2 * p)) out.push_back({i + j, i + j + q});
        }
      }
    }
  }
  return out;
}

/// spike[i] = whether x[i] is one, i < kLanes; x[−k .. kLanes + k) exist. Row r holds x[i − k + r];
/// when rows are sorted, row k is the median m and the MAD is the k-th of the distances of k rows
/// above and k below, both in order: the least over j of max(above_j, below_{k−j}).
FLYBALL_HOT void find_spikes(const double* x, std::size_t k, const Comparator* network,
                             std::size_t comparators, std::uint8_t* spike) {
  double rows[kMostRows][kLanes];
  for (std::size_t r = 0; r <= 2 * k; ++r) {
    const double* const from = x - k + r;
    for (std::size_t i = 0; i < kLanes; ++i) rows[r][i] = from[i];
  }
  for (std::size_t c = 0; c < comparators; ++c) {
    double* __restrict const a = rows[network[c].low];
    double* __restrict const b = rows[network[c].high];
    double low[kLanes], high[kLanes];
    for (std::size_t i = 0; i < kLanes; ++i) low[i] = a[i] < b[i] ? a[i] : b[i];
    for (std::size_t i = 0; i < kLanes; ++i) high[i] = a[i] > b[i] ? a[i] : b[i];
    for (std::size_t i = 0; i < kLanes; ++i) a[i] = low[i];
    for (std::size_t i = 0; i < kLanes; ++i) b[i] = high[i];
  }
  const double* const m = rows[k];
  double mad[kLanes];
  for (std::size_t i = 0; i < kLanes; ++i) mad[i] = rows[2 * k][i] - m[i];
  for (std::size_t j = 0; j < k; ++j) {
    const double* const above = rows[k + j];
    const double* const below = rows[j];
    for (std::size_t i = 0; i < kLanes; ++i) {
      const double up = above[i] - m[i], down = m[i] - below[i];
      const double larger = up > down ? up : down;
      mad[i] = larger < mad[i] ? larger : mad[i];
    }
  }
  for (std::size_t i = 0; i < kLanes; ++i) {
    const double least = mad[i] > kLeastMad ? mad[i] : kLeastMad;
    const double d = x[i] - m[i], distance = d < 0 ? -d : d;
    spike[i] = distance > kFactor * least ? 1 : 0;
  }
}

}  // namespace

std::vector<std::size_t> v1_spikes(std::span<const double> x, std::int64_t radius) {
  const auto k = static_cast<std::size_t>(radius);
  std::vector<std::size_t> out;
  if (radius <= 0 || x.size() <= 2 * k + 2) return out;
  std::vector<double> window;
  const auto check = [&](std::size_t i) {
    if (is_spike(x, i, k, window)) out.push_back(i);
  };
  std::size_t i = 0;
  while (i < k) check(i++);
  if (k <= kLargestRadius) {
    const std::vector<Comparator> network = sorting_network(2 * k + 1);
    std::uint8_t spike[kLanes];
    for (; i + kLanes + k <= x.size(); i += kLanes) {
      find_spikes(&x[i], k, network.data(), network.size(), spike);
      for (std::size_t j = 0; j < kLanes; ++j) {
        if (spike[j] != 0) out.push_back(i + j);
      }
    }
  }
  while (i < x.size()) check(i++);
  return out;
}

}  // namespace flyball::dataset
