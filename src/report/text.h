#pragma once
// How a report writes numbers and text. Everything is deterministic and independent of the locale.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/time.h"

namespace flyball::report {

/// Text for HTML and SVG, as content or between double quotes: & < > " ' become entities, control
/// characters other than tab and line feed and bytes that are not UTF-8 become U+FFFD.
std::string escape(std::string_view text);

/// `digits` significant digits with a true minus sign; "1.2×10⁻⁷" outside 1e-4 … 1e6, "–" when not
/// finite.
std::string number(double value, int digits = 4);
std::string number(std::optional<double> value, int digits = 4);

/// A fixed number of decimals, for a column of numbers that line up; "–" when not finite.
std::string fixed(double value, int decimals);
std::string fixed(std::optional<double> value, int decimals);

/// Whole number with narrow no-break spaces between groups of three digits.
std::string count(std::int64_t value);

/// "10ⁿ" with superscript digits.
std::string power_of_ten(int exponent);

/// " [unit]", or "" without a unit.
std::string in_brackets(std::string_view unit);

/// "value unit", the value alone without a unit, "–" when absent.
std::string with_unit(std::optional<double> value, std::string_view unit, int digits = 4);

/// A length of time in the largest unit of µs, ms, s, min, h, d that leaves at least 1, with 3
/// digits: "240 ms", "1.5 min".
std::string duration(double seconds);

/// "rowsIn" → "rows in": the name of a JSON field in words.
std::string in_words(std::string_view field_name);

/// Number of code points, the measure that label widths are estimated from.
std::size_t code_points(std::string_view utf8);

/// At most `most` code points, the last one "…" when cut.
std::string shortened(std::string_view utf8, std::size_t most);

}  // namespace flyball::report
