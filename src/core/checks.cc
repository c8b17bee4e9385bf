#include "core/checks.h"

#include <fmt/format.h>

#include <cmath>

#include "core/error.h"

namespace flyball {

void check_finite(std::span<const double> values, std::string_view name) {
  for (const double v : values) {
    if (!std::isfinite(v)) throw Error("NOT_FINITE", {{"name", name}, {"value", fmt::to_string(v)}});
  }
}

void check_shape(std::string_view name, long rows, long cols, long expected_rows, long expected_cols) {
  if (rows == expected_rows && cols == expected_cols) return;
  throw Error("SHAPE_MISMATCH", {{"name", name},
                                 {"actual", fmt::format("{}×{}", rows, cols)},
                                 {"expected", fmt::format("{}×{}", expected_rows, expected_cols)}});
}

void check_stop(const std::stop_token& stop) {
  if (stop.stop_requested()) throw Error("CANCELLED");
}

}  // namespace flyball
