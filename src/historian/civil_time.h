#pragma once
// Date and time of day as people write them, before any zone.
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/time.h"

namespace flyball::historian {

struct CivilTime {
  int year = 1970, month = 1, day = 1;
  int hour = 0, minute = 0, second = 0;
  std::int64_t us = 0;
  std::optional<int> offset_minutes;  ///< from UTC, when it was written
};

/// Of a date of three numbers whose last is the year, which of the others is the day.
enum class DateOrder { day_first, month_first };
constexpr auto enum_names(DateOrder) {
  return std::array<std::string_view, 2>{"day first", "month first"};
}

enum class DateShape {
  none,
  clear,      ///< 2026-03-01, 2026/3/1, 01-Mar-26, 1 March 2026
  numbers,    ///< 01/02/2026: one is the day, the other the month
  short_year  ///< 01/02/03: cannot be read without a pattern
};

/// What the date at the front of a text looks like; `first` and `second` are the numbers of
/// DateShape::numbers.
struct DateLook {
  DateShape shape = DateShape::none;
  int first = 0, second = 0;
};
DateLook date_look(std::string_view text);

/// Takes a time of day from the front: h:mm, h:mm:ss, h:mm:ss.fff (also with '.' for ':' and ','
/// for the fraction's point), then AM or PM, then an offset (Z, +01:00, +0100, +01). False leaves
/// the arguments in an undefined state, here and below.
bool take_clock(std::string_view& text, CivilTime& out);

/// Takes a date from the front, of any shape but short_year.
bool take_date(std::string_view& text, DateOrder order, CivilTime& out);

/// The whole of a text: a date, alone or with a clock behind 'T', blanks or a comma.
bool read_civil(std::string_view text, DateOrder order, CivilTime& out);

/// Nothing but a time of day.
bool is_clock(std::string_view text);

/// January is 1; English names of three letters or in full, in any case, taken from the front; 0
/// for anything else.
int take_month_name(std::string_view& text);

/// Takes Z, ±hh, ±hhmm or ±hh:mm from the front.
bool take_offset(std::string_view& text, int& minutes);

/// Takes one to `most` digits from the front.
bool take_number(std::string_view& text, std::size_t most, int& out);

/// Takes digits of a fraction of a second from the front; those beyond 1 µs are cut.
bool take_fraction(std::string_view& text, std::int64_t& us);

/// The local time as if it were UTC, in µs, without the offset; nothing for what no calendar or
/// clock shows. A second of 60 is the first of the next minute.
std::optional<TimeUs> local_us(const CivilTime& time);

}  // namespace flyball::historian
