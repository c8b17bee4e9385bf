#pragma once
// Where an axis is labelled.
#include <string>
#include <vector>

#include "core/time.h"

namespace flyball::report {

struct Range {
  double low = 0;
  double high = 1;
  [[nodiscard]] double span() const { return high - low; }
};

/// The finite values' range; low > high when there is none.
struct RangeFinder {
  Range range{1, 0};
  void add(double value);
  void add(const std::vector<double>& values);
  [[nodiscard]] bool empty() const { return range.low > range.high; }
};

/// The range with `share` of its span added on both sides; a range of no span gets one.
Range padded(Range range, double share);

struct Tick {
  double at;  ///< in axis units
  std::string label;
  std::string second;  ///< second line, "" mostly: the date where it changes
};

struct Ticks {
  std::vector<Tick> ticks;
  std::string factor;  ///< "×10³" when labels are to be multiplied, else ""
};

/// Multiples of 1, 2 or 5 times a power of ten inside the range: at most `most` (≥ 2) of them, more
/// only where fewer would be none. All labels have the same decimals. `whole` allows whole numbers
/// only.
Ticks nice_ticks(Range range, int most, bool whole = false);

/// A unit of time for a span: 1 s, "s" … so that the numbers on the axis are between 1 and about
/// 300.
struct TimeUnit {
  double seconds;
  const char* name;
};
TimeUnit time_unit(double span_seconds);

/// Times of day or dates in UTC at round instants; `range` in seconds after `origin`.
Ticks calendar_ticks(TimeUs origin, Range range, int most);

}  // namespace flyball::report
