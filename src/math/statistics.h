#pragma once
// Plain statistics of a series. Sums run in a fixed order, so the same data give the same bits.
#include <span>
#include <vector>

namespace flyball::math {

/// NaN for an empty series.
double mean(std::span<const double> x);

/// Sample standard deviation, divisor n − 1; NaN below two values.
double sample_std(std::span<const double> x);

/// Quantile q in [0, 1] by linear interpolation between order statistics (position q·(n−1));
/// NaN for an empty series. Sorts a copy: O(n log n).
double quantile(std::span<const double> x, double q);
double median(std::span<const double> x);

/// ρ(0..max_lag) of the mean-free series: Σ x(t) x(t−k) / Σ x(t)². All zero but ρ(0) = 1 for a
/// constant. Cost n·max_lag.
std::vector<double> autocorrelation(std::span<const double> x, std::size_t max_lag);

}  // namespace flyball::math
