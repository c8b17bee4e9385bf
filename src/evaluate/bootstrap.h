#pragma once
// How sure the comparison of val and test is: a moving-block bootstrap of the one-step errors.
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "evaluate/scores.h"

namespace flyball::evaluate {

struct BootstrapOptions {
  Index block_steps = 60;  ///< consecutive errors drawn together (F); at most a third of a part
  int draws = 1000;
  std::uint32_t seed = 42;
};

struct ConfidenceInterval {
  double low = 0, high = 0;  ///< 2.5 % and 97.5 % of the draws
};

/// Interval of statistic(val, test), val and test being the means over CVs of the one-step NRMSE.
/// Each draw puts together as many errors as the part has from blocks chosen with replacement.
/// nullopt when a part has fewer than 12 errors or a draw is not finite.
/// Same seed, same interval.
std::optional<ConfidenceInterval> bootstrap(
    const std::vector<BlockResiduals>& val, const std::vector<BlockResiduals>& test,
    const std::vector<double>& train_std, const BootstrapOptions& options,
    const std::function<double(double val, double test)>& statistic);

}  // namespace flyball::evaluate
