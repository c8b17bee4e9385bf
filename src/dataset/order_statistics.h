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
  [[nodiscard]] double value(std::size_t i) const { return targets_[i].low; }

 private:
  static constexpr int kBits = 8;
  struct Bin {
    std::int64_t count = 0;
    double min = 0, max = 0;
  };
  /// The answer lies in [low, high], which both occur; a bin is a range of 2^shift numbers.
  struct Target {
    std::int64_t rank = 0;  ///< among the values not below low
    double low = 0, high = 0;
    std::uint64_t low_key = 0;
    int shift = 0;
    std::array<Bin, 1 << kBits> bins{};
  };
  static void narrow(Target& t, double low, double high);

  std::vector<Target> targets_;
};

}  // namespace flyball::dataset
