#pragma once
// The error measures, each once. Everything that is compared with a limit goes through nrmse().
#include <optional>
#include <span>

#include "math/types.h"

namespace flyball::evaluate {

/// Sums of an error series e = ŷ − y; NaN errors are not added.
struct ErrorSums {
  double square = 0, absolute = 0, signed_sum = 0;
  Index count = 0;

  void add(double e) {
    square += e * e;
    absolute += e < 0 ? -e : e;
    signed_sum += e;
    ++count;
  }
  void add(const ErrorSums& other) {
    square += other.square;
    absolute += other.absolute;
    signed_sum += other.signed_sum;
    count += other.count;
  }
  /// √(Σe²/n), Σ|e|/n, Σe/n in the unit of e; NaN when n = 0.
  [[nodiscard]] double rmse() const;
  [[nodiscard]] double mae() const;
  [[nodiscard]] double bias() const;
};

/// RMSE / train standard deviation, both in model units, for one-step, rollout and persistence
/// alike: the ratio does not depend on units. NaN when the deviation is not positive.
double nrmse(double rmse, double train_std);

/// 100·(1 − ‖y−ŷ‖/‖y−mean y‖) in percent over the rows where y is not NaN; nullopt when there are
/// none, when y does not vary, or when the result is not finite (a prediction that diverged).
std::optional<double> fit_percent(std::span<const double> y, std::span<const double> predicted);

/// Mean of the values, NaN when there are none or one of them is NaN.
double mean_or_nan(std::span<const double> values);

/// The value when it is finite.
std::optional<double> finite_or_none(double value);

}  // namespace flyball::evaluate
