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
  for (const std::int64_t rank : ranks) targets_.push_back({rank, range_of(min, max, ranges_)});
}

/// Targets in the same range share its bins.
std::size_t OrderStatistics::range_of(double low, double high, std::vector<Range>& ranges) {
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (ranges[i].low == low && ranges[i].high == high) return i;
  }
  Range& range = ranges.emplace_back();
  range.low = low;
  range.high = high;
  range.low_key = key_of(low);
  const auto width = static_cast<int>(std::bit_width(key_of(high) - range.low_key));
  range.shift = std::max(0, width - kBits);
  return ranges.size() - 1;
}

bool OrderStatistics::done() const {
  return std::ranges::all_of(ranges_, [](const Range& r) { return r.low == r.high; });
}

void OrderStatistics::add(double x) {
  const std::uint64_t key = key_of(x);
  for (Range& r : ranges_) {
    if (r.low == r.high || x < r.low || x > r.high) continue;
    Bin& bin = r.bins[(key - r.low_key) >> r.shift];
    if (bin.count++ == 0) {
      bin.min = bin.max = x;
    } else {
      bin.min = std::min(bin.min, x);
      bin.max = std::max(bin.max, x);
    }
  }
}

void OrderStatistics::end_pass() {
  std::vector<Range> narrowed;
  for (Target& t : targets_) {
    const Range& r = ranges_[t.range];
    double low = r.low, high = r.high;
    if (low != high) {
      std::size_t i = 0;
      while (t.rank >= r.bins[i].count) t.rank -= r.bins[i++].count;
      low = t.rank + 1 == r.bins[i].count ? r.bins[i].max : r.bins[i].min;
      high = t.rank == 0 ? r.bins[i].min : r.bins[i].max;
      if (t.rank == 0) low = high;
    }
    t.range = range_of(low, high, narrowed);
  }
  ranges_ = std::move(narrowed);
}

}  // namespace flyball::dataset
