#include "dataset/order_statistics.h"

#include <algorithm>
#include <bit>

namespace flyball::dataset {

namespace {

/// Whole numbers in the order of the values they stand for.
std::uint64_t key_of(double x) {
  constexpr std::uint64_t kSign = 1ULL << 63;
  const auto bits = std::bit_cast<std::uint64_t>(x + 0.0);  // -0 is 0
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

}  // namespace

OrderStatistics::OrderStatistics(double min, double max, std::span<const std::int64_t> ranks) {
  for (const std::int64_t rank : ranks) {
    Target& t = targets_.emplace_back();
    t.rank = rank;
    narrow(t, min, max);
  }
}

void OrderStatistics::narrow(Target& t, double low, double high) {
  t.low = low;
  t.high = high;
  t.low_key = key_of(low);
  const auto width = std::bit_width(key_of(high) - t.low_key);
  t.shift = std::max(0, static_cast<int>(width) - kBits);
  t.bins = {};
}

bool OrderStatistics::done() const {
  return std::ranges::all_of(targets_, [](const Target& t) { return t.low == t.high; });
}

void OrderStatistics::add(double x) {
  const std::uint64_t key = key_of(x);
  for (Target& t : targets_) {
    if (t.low == t.high || x < t.low || x > t.high) continue;
    Bin& bin = t.bins[(key - t.low_key) >> t.shift];
    if (bin.count++ == 0) {
      bin.min = bin.max = x;
    } else {
      bin.min = std::min(bin.min, x);
      bin.max = std::max(bin.max, x);
    }
  }
}

void OrderStatistics::end_pass() {
  for (Target& t : targets_) {
    if (t.low == t.high) continue;
    std::size_t i = 0;
    while (t.rank >= t.bins[i].count) t.rank -= t.bins[i++].count;
    const Bin bin = t.bins[i];
    if (t.rank == 0) {
      narrow(t, bin.min, bin.min);
    } else if (t.rank + 1 == bin.count) {
      narrow(t, bin.max, bin.max);
    } else {
      narrow(t, bin.min, bin.max);
    }
  }
}

}  // namespace flyball::dataset
