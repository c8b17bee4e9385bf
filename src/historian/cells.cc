#include "historian/cells.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/time.h"
#include "historian/civil_time.h"
#include "plant/names.h"

namespace flyball::historian {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

constexpr std::array<std::string_view, 15> kMissing{
    "na",     "n/a",     "#n/a", "#na", "nan", "null", "none",    "no data",
    "nodata", "missing", "-",    "--",  "?",   ".",    "#n/a n/a"};

bool digit(char c) {
  return c >= '0' && c <= '9';
}
bool blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

bool equals_ignoring_case(std::string_view a, std::string_view lower) {
  return std::ranges::equal(
      a, lower, [](char x, char y) { return (x >= 'A' && x <= 'Z' ? x + 32 : x) == y; });
}

bool is_missing(std::string_view cell) {
  if (cell.empty()) return true;
  return cell.size() <= 8 && std::ranges::any_of(kMissing, [&](std::string_view m) {
           return equals_ignoring_case(cell, m);
         });
}

/// The value of a well-formed number beyond the range of double: 0 when it is too small, else inf.
double beyond_range(std::string_view number) {
  const bool negative = number.front() == '-';
  const auto e = number.find_first_of("eE");
  const bool tiny = e != std::string_view::npos
                        ? number.substr(e).find('-') != std::string_view::npos
                        : number.find_first_of("123456789") > number.find('.');
  return tiny ? (negative ? -0.0 : 0.0) : std::numeric_limits<double>::infinity();
}

std::string_view without_plus(std::string_view cell) {
  if (cell.size() > 1 && cell.front() == '+' && cell[1] != '-' && cell[1] != '+')
    cell.remove_prefix(1);
  return cell;
}

/// Digits, one `mark`, digits, exponent; at least one digit beside the mark.
bool number_form(std::string_view s, char mark) {
  s = s.empty() || (s.front() != '+' && s.front() != '-') ? s : s.substr(1);
  std::size_t i = 0, before = 0, after = 0;
  for (; i < s.size() && digit(s[i]); ++i) ++before;
  if (i == s.size() || s[i++] != mark) return false;
  for (; i < s.size() && digit(s[i]); ++i) ++after;
  if (before + after == 0) return false;
  if (i == s.size()) return true;
  if (s[i] != 'e' && s[i] != 'E') return false;
  if (++i < s.size() && (s[i] == '+' || s[i] == '-')) ++i;
  return i < s.size() && std::all_of(s.begin() + static_cast<std::ptrdiff_t>(i), s.end(), digit);
}

/// Three digits after the mark, one to three before it, no leading zero: 1.300.
bool thousands_form(std::string_view s, char mark) {
  s = s.empty() || (s.front() != '+' && s.front() != '-') ? s : s.substr(1);
  const auto at = s.find(mark);
  return at >= 1 && at <= 3 && s.size() == at + 4 && s.front() != '0';
}

/// A date of any shape, alone or before a time.
bool date_form(std::string_view s) {
  if (date_look(s).shape == DateShape::none) return false;
  CivilTime ignored;
  return read_civil(s, DateOrder::day_first, ignored) ||
         s.find_first_not_of("0123456789/-.") == std::string_view::npos ||
         is_clock(s.substr(std::min(s.find(' ') + 1, s.size())));
}

/// Length of the separator at the front of `s`, 0 for none.
std::size_t group_mark(std::string_view s, Thousands mark) {
  switch (mark) {
    case Thousands::comma:
      return s.starts_with(',') ? 1 : 0;
    case Thousands::point:
      return s.starts_with('.') ? 1 : 0;
    case Thousands::apostrophe:
      return s.starts_with('\'') ? 1 : s.starts_with("\u2019") ? 3 : 0;
    case Thousands::blank:
      break;
  }
  return s.starts_with(' ') ? 1 : s.starts_with("\u00a0") ? 2 : s.starts_with("\u202f") ? 3 : 0;
}

}  // namespace

std::string_view trim(std::string_view text) {
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

Number read_number(std::string_view cell, Decimal decimal) {
  if (cell.empty()) return {kNaN, kBadNoData};
  std::string copy;
  std::string_view number = without_plus(cell);
  if (decimal == Decimal::comma) {
    if (number.find('.') != std::string_view::npos)
      return {kNaN, is_missing(cell) ? kBadNoData : kBadNotANumber};
    copy = number;
    std::ranges::replace(copy, ',', '.');
    number = copy;
  }
  double value = 0;
  const char* end = number.data() + number.size();
  const auto [stop, error] = std::from_chars(number.data(), end, value);
  if (stop == end && error == std::errc::result_out_of_range) value = beyond_range(number);
  if (stop == end && error != std::errc::invalid_argument) {
    if (std::isfinite(value)) return {value, kGood};
    return {kNaN, std::isnan(value) ? kBadNoData : kBadOutOfRange};
  }
  return {kNaN, is_missing(cell) ? kBadNoData : kBadNotANumber};
}

Number read_grouped_number(std::string_view cell, Decimal decimal, Thousands mark) {
  std::size_t at = !cell.empty() && (cell[0] == '-' || cell[0] == '+') ? 1 : 0;
  std::string plain(cell.substr(0, at));
  for (bool first = true;; first = false) {
    std::size_t digits = 0;
    while (at + digits < cell.size() && digit(cell[at + digits])) ++digits;
    plain += cell.substr(at, digits);
    at += digits;
    const std::size_t length = group_mark(cell.substr(at), mark);
    const bool whole_group = first ? digits >= 1 && (digits <= 3 || length == 0) : digits == 3;
    if (!first && !whole_group) return read_number(cell, decimal);
    if (length == 0) break;
    if (!whole_group) return read_number(cell, decimal);
    at += length;
  }
  plain += cell.substr(at);
  return read_number(plain, decimal);
}

CellKind kind_of(std::string_view cell) {
  if (is_missing(cell)) return CellKind::missing;
  TimeUs t = 0;
  if (try_parse_time(cell, t)) return CellKind::time;
  if (try_parse_time(cell, t, false)) return CellKind::time_no_offset;
  for (const Decimal decimal : {Decimal::point, Decimal::comma}) {
    const Quality q = read_number(cell, decimal).quality;
    if (q == kGood || q == kBadOutOfRange) return CellKind::number;
  }
  if (mark_use(cell, ',') == MarkUse::mixed) return CellKind::number;
  return date_form(cell) ? CellKind::date : CellKind::text;
}

MarkUse mark_use(std::string_view cell, char mark) {
  if (cell.find(mark) == std::string_view::npos) return MarkUse::none;
  if (number_form(cell, mark))
    return thousands_form(cell, mark) ? MarkUse::ambiguous : MarkUse::clear;
  const bool both =
      cell.find('.') != std::string_view::npos && cell.find(',') != std::string_view::npos;
  const auto part = [](char c) { return digit(c) || c == '.' || c == ',' || c == '+' || c == '-'; };
  return both && digit(cell.back()) && std::ranges::all_of(cell, part) ? MarkUse::mixed
                                                                       : MarkUse::none;
}

std::string to_utf8(std::string_view text) {
  if (plant::is_utf8(text)) return std::string(text);
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      out += c;
    } else {
      out += static_cast<char>(0xC0 | (byte >> 6));
      out += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return out;
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  return out;
}

std::string readable(std::string_view text, std::size_t limit) {
  const bool cut = text.size() > limit;
  std::string out = to_utf8(text.substr(0, 4 * limit));
  if (out.size() > limit) {
    std::size_t keep = limit;
    while (keep > 0 && (static_cast<unsigned char>(out[keep]) & 0xC0) == 0x80) --keep;
    out.resize(keep);
  }
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return cut ? out + "…" : out;
}

}  // namespace flyball::historian
