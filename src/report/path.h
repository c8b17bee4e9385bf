#pragma once
// The d="…" of SVG paths from long series: where several points fall on one pixel column, the
// lowest and the highest are drawn, so that no peak is lost and the size does not grow with the
// series.
#include <string>
#include <vector>

#include "report/ticks.h"

namespace flyball::report {

/// Maps a range of data to pixels, linearly; from > to turns the axis around.
struct Scale {
  Range data;
  double from = 0;
  double to = 1;
  [[nodiscard]] double operator()(double value) const {
    return from + (value - data.low) / data.span() * (to - from);
  }
};

/// A line through (x, y); x ascending. A value that is not finite breaks the line (dense series: a
/// pixel column without any finite value does); a single point between breaks is a short dash.
/// `stepped` holds each value until the next x. Coordinates have one decimal; y is kept within ten
/// heights of the picture. Cost O(n); at most about 20 bytes a pixel column.
std::string line_path(const std::vector<double>& x, const std::vector<double>& y, const Scale& sx,
                      const Scale& sy, bool stepped = false);

/// The closed area between low and high; thinned in the same way, broken where either is missing.
std::string band_path(const std::vector<double>& x, const std::vector<double>& low,
                      const std::vector<double>& high, const Scale& sx, const Scale& sy);

}  // namespace flyball::report
