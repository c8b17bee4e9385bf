#pragma once
// How far a question lies from what the model has seen, and how old its evidence is.
#include <optional>
#include <span>
#include <string_view>

#include "core/time.h"

namespace flyball::uq {

/// max_i |x_i − μ_i| / σ_i over inputs and outputs together, in train standard deviations.
/// nullopt when the lengths differ, are 0, or a value is not finite. A column that was constant in
/// train (σ ≤ 1e-9·|μ|) is infinitely far.
std::optional<double> input_distance(std::span<const double> x, std::span<const double> mean,
                                     std::span<const double> std);

/// now − calibratedAt ≤ fresh_days·86 400 s. A time that cannot be read is not fresh, nor is one
/// in the future by more than that.
bool is_fresh(std::string_view calibrated_at, TimeUs now, double fresh_days = 30);

}  // namespace flyball::uq
