#pragma once
// How a delimited text table is laid out: found from its first lines (the decimal mark from all of
// it), each guess reported with its evidence, each overridable.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "historian/row_splitter.h"

namespace flyball::historian {

constexpr auto enum_names(Decimal) {
  return std::array<std::string_view, 2>{"point", "comma"};
}

/// What the user said; what is absent is found.
struct LayoutRequest {
  std::optional<Delimiter> delimiter;
  std::optional<Decimal> decimal;
  std::vector<std::string> columns;        ///< names of all columns
  std::optional<std::string> time_column;  ///< by name
  std::optional<std::string> run_column;   ///< by name
  bool evenly_spaced = false;              ///< a period was given: no column is taken as time
};

struct Layout {
  Delimiter delimiter = Delimiter::comma;
  Decimal decimal = Decimal::point;
  bool decimal_was_given = false;
  std::vector<std::string> names;  ///< one per column, unique, trimmed, UTF-8
  std::vector<std::string> units;  ///< one per column, "" when unknown
  std::optional<std::size_t> time_column, run_column;
  std::size_t data_offset = 0;  ///< of the first line that may be a data row
  std::int64_t data_line = 1;   ///< its number in the file
  std::vector<Message> notes;   ///< guesses with their evidence
};

/// `text` is a whole file. Throws IMPORT_EMPTY, IMPORT_NOT_TEXT, IMPORT_LINE_TOO_LONG,
/// IMPORT_HEADER_ONLY, IMPORT_COLUMN_COUNT, IMPORT_COLUMN_REPEATED, IMPORT_COLUMN_NAME,
/// IMPORT_COLUMN_UNKNOWN, IMPORT_TOO_MANY_COLUMNS, IMPORT_DECIMAL_AMBIGUOUS, and for the time
/// IMPORT_NO_TIME_COLUMN, IMPORT_TIME_NO_OFFSET, IMPORT_TIME_IS_NUMBER, IMPORT_TIME_FORMAT.
Layout find_layout(std::string_view text, const LayoutRequest& request);

inline constexpr std::size_t kMostColumns = 4096;

/// "a, b, c".
std::string joined(const std::vector<std::string>& names);

}  // namespace flyball::historian
