#pragma once
// One cell of a text table: what it is and what it is worth. Nothing here depends on the locale.
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "historian/quality.h"

namespace flyball::historian {

enum class Decimal { point, comma };
constexpr auto enum_names(Decimal) {
  return std::array<std::string_view, 2>{"point", "comma"};
}

/// What stands between groups of three digits; `blank` also takes no-break blanks.
enum class Thousands { comma, point, blank, apostrophe };
constexpr auto enum_names(Thousands) {
  return std::array<std::string_view, 4>{"comma", "point", "blank", "apostrophe"};
}

struct Number {
  double value;  ///< NaN unless the quality is good
  Quality quality;
};

/// A number with an optional sign, decimals and an exponent of any length gives kGood; an empty
/// cell or a marker of missing data (NaN, NA, N/A, null, none, no data, -, ?, ...) kBadNoData; inf
/// and what no double can hold kBadOutOfRange; any other text kBadNotANumber. Underflow is ±0.
Number read_number(std::string_view cell, Decimal decimal);

/// As read_number(), where groups of three digits before the decimal mark may be set apart; the
/// first group has one to three digits. Numbers without groups are taken too.
Number read_grouped_number(std::string_view cell, Decimal decimal, Thousands mark);

/// What a cell looks like, whatever the decimal mark.
enum class CellKind {
  missing,
  number,
  time,            ///< ISO 8601 with offset
  time_no_offset,  ///< ISO 8601 without offset
  date,            ///< another date, such as 01/02/2026 10:00 or 01-Mar-26
  text
};
CellKind kind_of(std::string_view cell);

/// How a decimal mark is used in a cell.
enum class MarkUse {
  none,       ///< no number with this mark
  ambiguous,  ///< 1.300: a decimal mark or a thousands separator
  clear,      ///< a decimal mark for certain
  mixed       ///< 1.300,5: both marks in one number
};
MarkUse mark_use(std::string_view cell, char mark);

/// Without blanks at both ends (also tabs and carriage returns).
std::string_view trim(std::string_view text);

/// UTF-8 as it is; anything else is taken as Latin-1 and converted.
std::string to_utf8(std::string_view text);

/// "a, b, c".
std::string joined(const std::vector<std::string>& names);

/// In lower case, ASCII only.
std::string lower_case(std::string_view text);

/// For messages: valid UTF-8 of at most `limit` bytes, control characters as '?'.
std::string readable(std::string_view text, std::size_t limit = 40);

}  // namespace flyball::historian
