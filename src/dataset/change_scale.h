#pragma once
// Two robust scales of how a signal moves from sample to sample.
#include <span>
#include <vector>

namespace flyball::dataset {

/// Median of |x_{i+1} − x_i| (of two middle ones their mean); 0 for fewer than 2 samples. Exact,
/// O(n).
double median_abs_change(std::span<const double> x);

/// low ≤ median_abs_change(x) ≤ high, by counting in one pass; they are close when changes sampled
/// evenly are typical of all.
struct MedianBounds {
  double low, high;
};
MedianBounds bound_median_abs_change(std::span<const double> x);

/// The smallest change that occurs at least 10 times among the first 4 096 changes that are not 0
/// (changes closer than the rounding of x are the same); 0 when there is none.
double observed_quantum(std::span<const double> x);

/// observed_quantum() of values that come one after the other.
class QuantumFinder {
 public:
  void add(double x);
  [[nodiscard]] double quantum() const;
  /// Nothing that is added now changes the answer.
  [[nodiscard]] bool full() const;

 private:
  std::vector<double> changes_;
  double last_ = 0, largest_ = 0;
  bool any_ = false;
};

}  // namespace flyball::dataset
