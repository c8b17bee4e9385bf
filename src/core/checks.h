#pragma once
// Guards for public doors: each throws an Error naming what was wrong.
#include <span>
#include <stop_token>
#include <string_view>

namespace flyball {

/// Throws NOT_FINITE when any value is NaN or infinite.
void check_finite(std::span<const double> values, std::string_view name);

/// Throws SHAPE_MISMATCH unless rows×cols is as expected.
void check_shape(std::string_view name, long rows, long cols, long expected_rows, long expected_cols);

/// Throws CANCELLED when a stop was asked for; long loops call it at least every 100 ms.
void check_stop(const std::stop_token& stop);

}  // namespace flyball
