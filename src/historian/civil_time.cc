#include "historian/civil_time.h"

#include <algorithm>
#include <chrono>

namespace flyball::historian {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

char lower(char c) {
  return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
}

bool take(std::string_view& s, char c) {
  if (s.empty() || s.front() != c) return false;
  s.remove_prefix(1);
  return true;
}

std::size_t digits_at_front(std::string_view s) {
  return static_cast<std::size_t>(std::ranges::find_if_not(s, is_digit) - s.begin());
}

void skip_blanks(std::string_view& s) {
  while (take(s, ' ')) {
  }
}

bool take_half_of_day(std::string_view& s, CivilTime& out) {
  std::string_view rest = s;
  skip_blanks(rest);
  if (rest.size() < 2 || lower(rest[1]) != 'm') return true;
  const char half = lower(rest[0]);
  if (half != 'a' && half != 'p') return true;
  if (out.hour < 1 || out.hour > 12) return false;
  out.hour = out.hour % 12 + (half == 'p' ? 12 : 0);
  s = rest.substr(2);
  return true;
}

/// The three parts of a date at the front of a text, as they stand.
struct Parts {
  std::array<int, 3> number{};          ///< of a month that is named: its number
  std::array<std::size_t, 3> digits{};  ///< 0 for a month that is named
};

bool take_parts(std::string_view& s, Parts& out) {
  char mark = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    if (i > 0) {
      if (s.empty() ||
          (s.front() != '/' && s.front() != '-' && s.front() != '.' && s.front() != ' '))
        return false;
      if (mark != 0 && s.front() != mark) return false;
      mark = s.front();
      s.remove_prefix(1);
    }
    out.digits[i] = digits_at_front(s);
    if (i == 1 && out.digits[i] == 0) {
      out.number[i] = take_month_name(s);
      if (out.number[i] == 0) return false;
    } else if (out.digits[i] > 4 || !take_number(s, 4, out.number[i])) {
      return false;
    }
  }
  return mark != ' ' || out.digits[1] == 0;
}

DateLook look_of(const Parts& p) {
  const auto [a, b, c] = p.digits;
  if (b == 0) return {a <= 2 && (c == 4 || c == 2) ? DateShape::clear : DateShape::none};
  if (a == 4 && b <= 2 && c <= 2) return {DateShape::clear};
  if (a <= 2 && b <= 2 && c == 4) return {DateShape::numbers, p.number[0], p.number[1]};
  if (a <= 2 && b <= 2 && c == 2) return {DateShape::short_year};
  return {};
}

}  // namespace

bool take_number(std::string_view& s, std::size_t most, int& out) {
  const std::size_t n = std::min(digits_at_front(s), most);
  out = 0;
  for (std::size_t i = 0; i < n; ++i) out = out * 10 + (s[i] - '0');
  s.remove_prefix(n);
  return n > 0;
}

bool take_fraction(std::string_view& s, std::int64_t& us) {
  us = 0;
  std::int64_t scale = 100'000;
  const std::size_t n = digits_at_front(s);
  for (std::size_t i = 0; i < n; ++i, scale /= 10) us += (s[i] - '0') * scale;
  s.remove_prefix(n);
  return n > 0;
}

int take_month_name(std::string_view& s) {
  constexpr std::array<std::string_view, 12> kMonths{
      "january", "february", "march",     "april",   "may",      "june",
      "july",    "august",   "september", "october", "november", "december"};
  const auto length = static_cast<std::size_t>(std::ranges::find_if_not(s, is_letter) - s.begin());
  const std::string_view word = s.substr(0, length);
  const auto same = [](char a, char b) { return lower(a) == b; };
  for (std::size_t i = 0; i < kMonths.size(); ++i) {
    const std::string_view name = kMonths[i].substr(0, length == 3 ? 3 : std::string_view::npos);
    if (!std::ranges::equal(word, name, same)) continue;
    s.remove_prefix(length);
    return static_cast<int>(i) + 1;
  }
  return 0;
}

bool take_offset(std::string_view& s, int& minutes) {
  minutes = 0;
  if (take(s, 'Z') || take(s, 'z')) return true;
  const int sign = !s.empty() && s.front() == '-' ? -1 : 1;
  if (!take(s, '+') && !take(s, '-')) return false;
  int h = 0, m = 0;
  if (digits_at_front(s) < 2 || !take_number(s, 2, h)) return false;
  const bool colon = take(s, ':');
  if (digits_at_front(s) >= 2) {
    take_number(s, 2, m);
  } else if (colon) {
    return false;
  }
  minutes = sign * (60 * h + m);
  return h <= 23 && m <= 59;
}

bool take_clock(std::string_view& s, CivilTime& out) {
  if (!take_number(s, 2, out.hour) || s.empty()) return false;
  const char mark = s.front();
  if ((mark != ':' && mark != '.') || !take(s, mark)) return false;
  if (digits_at_front(s) != 2 || !take_number(s, 2, out.minute)) return false;
  if (take(s, mark)) {
    if (digits_at_front(s) != 2 || !take_number(s, 2, out.second)) return false;
    if ((take(s, '.') || take(s, ',')) && !take_fraction(s, out.us)) return false;
  } else if (mark == '.') {
    return false;  // 18.00 is a number
  }
  if (!take_half_of_day(s, out)) return false;
  std::string_view rest = s;
  skip_blanks(rest);
  int minutes = 0;
  if (take_offset(rest, minutes)) {
    out.offset_minutes = minutes;
    s = rest;
  }
  return out.hour <= 23 && out.minute <= 59 && out.second <= 60;
}

DateLook date_look(std::string_view text) {
  Parts parts;
  return take_parts(text, parts) ? look_of(parts) : DateLook{};
}

bool take_date(std::string_view& s, DateOrder order, CivilTime& out) {
  Parts p;
  if (!take_parts(s, p)) return false;
  const DateShape shape = look_of(p).shape;
  if (shape != DateShape::clear && shape != DateShape::numbers) return false;
  std::array<int, 3> ymd{p.number[0], p.number[1], p.number[2]};
  if (p.digits[0] != 4) {
    ymd = {p.number[2], p.number[1], p.number[0]};
    if (shape == DateShape::numbers && order == DateOrder::month_first) std::swap(ymd[1], ymd[2]);
    if (p.digits[2] == 2) ymd[0] += ymd[0] < 69 ? 2000 : 1900;
  }
  out.year = ymd[0];
  out.month = ymd[1];
  out.day = ymd[2];
  return true;
}

bool read_civil(std::string_view s, DateOrder order, CivilTime& out) {
  if (!take_date(s, order, out)) return false;
  if (s.empty()) return true;
  if (!take(s, 'T') && !take(s, 't')) {
    const std::size_t before = s.size();
    take(s, ',');
    skip_blanks(s);
    if (s.size() == before) return false;
  }
  return take_clock(s, out) && s.empty();
}

bool is_clock(std::string_view text) {
  CivilTime ignored;
  return take_clock(text, ignored) && text.empty();
}

std::optional<TimeUs> local_us(const CivilTime& t) {
  using namespace std::chrono;
  const year_month_day date{year{t.year}, month{static_cast<unsigned>(t.month)},
                            day{static_cast<unsigned>(t.day)}};
  if (!date.ok() || t.hour > 23 || t.minute > 59 || t.second > 60) return std::nullopt;
  const auto at = sys_days{date} + hours{t.hour} + minutes{t.minute} + seconds{t.second};
  return duration_cast<microseconds>(at.time_since_epoch()).count() + t.us;
}

}  // namespace flyball::historian
