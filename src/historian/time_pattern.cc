#include "historian/time_pattern.h"

#include <chrono>
#include <optional>

#include "core/error.h"

namespace flyball::historian {
namespace {

/// What was read that is no part of a CivilTime by itself.
struct Extra {
  std::optional<int> day_of_year;
  std::optional<bool> afternoon;
  bool twelve_hours = false;
};

bool take_half(std::string_view& s, Extra& extra) {
  if (s.size() < 2 || (s[1] != 'M' && s[1] != 'm')) return false;
  const char c = s.front();
  if (c != 'A' && c != 'a' && c != 'P' && c != 'p') return false;
  extra.afternoon = c == 'P' || c == 'p';
  s.remove_prefix(2);
  return true;
}

bool take_year(std::string_view& s, CivilTime& out) {
  const std::size_t before = s.size();
  return take_number(s, 4, out.year) && before - s.size() == 4;
}

bool take_field(char letter, std::string_view& s, CivilTime& out, Extra& extra) {
  switch (letter) {
    case 'Y':
      return take_year(s, out);
    case 'y':
      if (!take_number(s, 2, out.year)) return false;
      out.year += out.year < 69 ? 2000 : 1900;
      return true;
    case 'm':
      return take_number(s, 2, out.month);
    case 'b':
      return (out.month = take_month_name(s)) > 0;
    case 'd':
      return take_number(s, 2, out.day);
    case 'j':
      return take_number(s, 3, extra.day_of_year.emplace());
    case 'I':
      extra.twelve_hours = true;
      return take_number(s, 2, out.hour) && out.hour >= 1 && out.hour <= 12;
    case 'H':
      return take_number(s, 2, out.hour);
    case 'M':
      return take_number(s, 2, out.minute);
    case 'S':
      return take_number(s, 2, out.second);
    case 'f':
      return take_fraction(s, out.us);
    case 'p':
      return take_half(s, extra);
    case 'z':
      return take_offset(s, out.offset_minutes.emplace());
    default:
      if (s.empty() || s.front() != letter) return false;
      s.remove_prefix(1);
      return true;
  }
}

/// The half of the day and the day of the year, put into hour, month and day.
bool finish(const Extra& extra, CivilTime& out) {
  using namespace std::chrono;
  if (extra.twelve_hours) out.hour = out.hour % 12 + (extra.afternoon.value_or(false) ? 12 : 0);
  if (!extra.day_of_year) return true;
  const year_month_day date{sys_days{year{out.year} / January / 1} + days{*extra.day_of_year - 1}};
  out.month = static_cast<int>(static_cast<unsigned>(date.month()));
  out.day = static_cast<int>(static_cast<unsigned>(date.day()));
  return date.year() == year{out.year};
}

}  // namespace

TimePattern::TimePattern(std::string pattern) : pattern_(std::move(pattern)) {
  std::string letters;
  for (std::size_t i = 0; i < pattern_.size(); ++i) {
    if (pattern_[i] != '%') continue;
    const char letter = ++i < pattern_.size() ? pattern_[i] : ' ';
    if (std::string_view("YymbdjHIMSfpz%").find(letter) == std::string_view::npos) {
      throw Error("IMPORT_TIME_PATTERN",
                  {{"pattern", pattern_}, {"finding", std::string("%") + letter + " is unknown"}},
                  "/timeFormat");
    }
    letters += letter;
  }
  const auto has = [&](const char* any) { return letters.find_first_of(any) != std::string::npos; };
  const bool date = has("Yy") && (has("j") || (has("mb") && has("d")));
  if (!date || (has("I") && !has("p"))) {
    throw Error("IMPORT_TIME_PATTERN",
                {{"pattern", pattern_},
                 {"finding", date ? "%I needs %p" : "it does not say year, month and day"}},
                "/timeFormat");
  }
  has_offset_ = has("z");
}

bool TimePattern::read(std::string_view s, CivilTime& out) const {
  Extra extra;
  for (std::size_t i = 0; i < pattern_.size(); ++i) {
    const char c = pattern_[i];
    if (c == ' ') {
      while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
    } else if (c != '%') {
      if (s.empty() || s.front() != c) return false;
      s.remove_prefix(1);
    } else if (!take_field(pattern_[++i], s, out, extra)) {
      return false;
    }
  }
  return s.empty() && finish(extra, out);
}

}  // namespace flyball::historian
