#pragma once
// Exact order statistics of values that are seen several times in the same passes, in constant
// memory: each pass narrows the interval that holds a rank at least 128-fold in the numbers that a
// double can be, to values that occur; at most 10 passes, for usual data 3 or 4.
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace flyball::dataset {

class OrderStatistics {
 public:
  /// Of `count` values from `min` to `max`, all finite; ranks are 0-based and below count.
  OrderStatistics(double min, double max, std::span<const std::int64_t> ranks);

  /// Another pass over all values is needed: add() each, then end_pass().
  [[nodiscard]] bool done() const;
  void add(double x);
  void end_pass();

  /// Of ranks[i], once done().
  [[nodiscard]] double value(std::size_t i) const { return ranges_[targets_[i].range].low; }

 private:
  static constexpr int kBits = 8;
  struct Bin {
    std::int64_t count = 0;
    double min = 0, max = 0;
  };
  /// Both ends occur; a bin holds 2^shift of the numbers in between.
  struct Range {
    double low = 0, high = 0;
    std::uint64_t low_key = 0;
    int shift = 0;
    std::array<Bin, 1 << kBits> bins{};
  };
  /// A rank among the values of its range.
  struct Target {
    std::int64_t rank = 0;
    std::size_t range = 0;
  };
  static std::size_t range_of(double low, double high, std::vector<Range>& ranges);

  std::vector<Range> ranges_;
  std::vector<Target> targets_;
};

}  // namespace flyball::dataset
