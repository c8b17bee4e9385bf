#pragma once
// One cell of a text table: what it is and what it is worth. Nothing here depends on the locale.
#include <cstddef>
#include <string>
#include <string_view>

#include "historian/quality.h"

namespace flyball::historian {

enum class Decimal { point, comma };

struct Number {
  double value;  ///< NaN unless the quality is good
  Quality quality;
};

/// A number with an optional sign, decimals and an exponent of any length gives kGood; an empty
/// cell or a marker of missing data (NaN, NA, N/A, null, none, no data, -, ?, ...) kBadNoData; inf
/// and what no double can hold kBadOutOfRange; any other text kBadNotANumber. Underflow is ±0.
Number read_number(std::string_view cell, Decimal decimal);

/// What a cell looks like, whatever the decimal mark.
enum class CellKind {
  missing,
  number,
  time,            ///< ISO 8601 with offset
  time_no_offset,  ///< ISO 8601 without offset
  date,            ///< another date, such as 01/02/2026 10:00
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

/// For messages: valid UTF-8 of at most `limit` bytes, control characters as '?'.
std::string readable(std::string_view text, std::size_t limit = 40);

}  // namespace flyball::historian
