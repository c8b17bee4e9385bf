#pragma once
// Which column holds the time, and in what form.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "historian/doubled_hour.h"
#include "historian/row_splitter.h"
#include "historian/time_source.h"

namespace flyball::historian {

/// What the user said of the time; what is absent is found.
struct TimeRequest {
  std::optional<std::string> column;  ///< by name; two between a comma: date and time of day
  std::optional<std::string> format;  ///< epoch-s, epoch-ms, epoch-us or a TimePattern
  std::optional<std::string> zone;    ///< IANA, of times without offset
  DoubledHour doubled_hour = DoubledHour::refuse;
};

/// A table as far as its columns are known.
struct TableHead {
  const std::vector<std::string>& names;
  const std::vector<std::vector<Cell>>& rows;  ///< the first data rows
  std::string_view data;                       ///< all data rows
  std::int64_t first_line;                     ///< number of the first of them
  Delimiter delimiter;
};

/// The columns `request` names, else those whose cells are mostly times: by name (time, timestamp,
/// datetime, date, ...) first, then the first by content; a date and a time of day named so make
/// one. Numbers are taken as seconds, ms or µs since 1970 when declared, or when they have 10, 13
/// or 16 digits under a name of time. Which number of 01/02/2026 is the day is decided by all rows.
/// Throws, naming column and cell: IMPORT_DATE_ORDER (no day beyond 12, or one in both places),
/// IMPORT_TIME_NO_OFFSET, IMPORT_TIME_IS_NUMBER, IMPORT_TIME_FORMAT for a time that cannot be taken
/// as it is, IMPORT_NO_TIME_COLUMN when nothing looks like one; IMPORT_COLUMN_UNKNOWN,
/// IMPORT_TIME_PATTERN, TIME_ZONE_UNKNOWN. `taken`: a column that has another meaning.
TimeSource find_time(const TableHead& table, const TimeRequest& request,
                     const std::vector<std::size_t>& taken, std::vector<Message>& notes);

/// Index of a name; throws IMPORT_COLUMN_UNKNOWN.
std::size_t column_named(const std::vector<std::string>& names, const std::string& name);

}  // namespace flyball::historian
