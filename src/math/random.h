#pragma once
// Seeded random numbers, the same on every machine: no std distributions. Passed as an argument.
#include <cstdint>
#include <optional>
#include <span>

namespace flyball::math {

/// mulberry32: a += 0x6D2B79F5; t = imul(a ^ a>>>15, 1|a); t ^= t + imul(t ^ t>>>7, 61|t);
/// out = (t ^ t>>>14) / 2³². Public domain (T. Ettinger); period 2³².
class Random {
 public:
  explicit Random(std::uint32_t seed) : state_(seed) {}

  /// [0, 1) in steps of 2⁻³².
  double uniform() noexcept;
  double uniform(double low, double high) noexcept { return low + (high - low) * uniform(); }
  /// Standard normal by Box and Muller (pairs; the second is kept for the next call).
  double normal() noexcept;
  /// 0 .. n−1; n ≥ 1.
  std::int64_t index(std::int64_t n) noexcept;

 private:
  std::uint32_t state_;
  std::optional<double> spare_;
};

/// Fisher-Yates: for i = n−1..1 swap i with ⌊uniform·(i+1)⌋.
void shuffle(std::span<std::int64_t> values, Random& random) noexcept;

}  // namespace flyball::math
