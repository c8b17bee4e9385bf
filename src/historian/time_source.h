#pragma once
// Where the time of a row stands, and how it is read.
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "historian/time_pattern.h"
#include "historian/time_zone.h"

namespace flyball::historian {

enum class TimeForm {
  iso,      ///< 2026-03-01T08:00:00Z
  civil,    ///< a date of any shape that read_civil() takes
  pattern,  ///< what was declared
  epoch     ///< a number of `epoch_unit` since 1970-01-01T00:00:00Z
};

struct TimeSource {
  std::vector<std::size_t> columns;  ///< none, one, or two: date and time of day
  TimeForm form = TimeForm::iso;
  DateOrder order = DateOrder::day_first;
  std::optional<TimePattern> pattern;
  DurationUs epoch_unit = 0;
};

enum class TimeFault {
  none,
  form,       ///< not a time of the form
  no_offset,  ///< a local time, and no zone is known
  left_out    ///< a local time in the hour that spring leaves out
};

struct TimeReading {
  TimeFault fault = TimeFault::none;
  TimeUs at = 0;
  std::optional<TimeUs> second;  ///< in the hour that autumn repeats: the later reading
};

class TimeReader {
 public:
  /// Throws what Zone does.
  TimeReader(TimeSource source, const std::optional<std::string>& zone);

  /// `cells`: those of source.columns.
  TimeReading read(const std::array<std::string_view, 2>& cells);

  [[nodiscard]] const TimeSource& source() const { return source_; }

 private:
  bool read_civil_cells(const std::array<std::string_view, 2>& cells, CivilTime& out);
  TimeReading to_utc(const CivilTime& civil);
  TimeReading from_wall(TimeUs local);

  TimeSource source_;
  std::optional<Zone> zone_;
  std::string both_;
};

/// A number, with decimals or an exponent or without, of `unit` since 1970; nothing for any other
/// text and for times outside the years -8000 to 9999. Exact to 1 µs for plain digits.
std::optional<TimeUs> read_epoch(std::string_view cell, DurationUs unit);

/// "epoch-s", "epoch-ms" or "epoch-us": its unit; 0 for anything else.
DurationUs epoch_unit(std::string_view format);

}  // namespace flyball::historian
