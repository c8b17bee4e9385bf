#pragma once
// Cells of one line of a text table, in place.
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "historian/cells.h"

namespace flyball::historian {

enum class Delimiter { comma, semicolon, tab, blank };
constexpr auto enum_names(Delimiter) {
  return std::array<std::string_view, 4>{"comma", "semicolon", "tab", "blank"};
}
constexpr char character(Delimiter d) {
  return ",;\t "[static_cast<int>(d)];
}

struct Cell {
  std::string_view text;  ///< trimmed; inside the quotes when quoted, doubled quotes as they stand
  bool quoted = false;
};

/// Walks over the cells of a line (without its line end). With `blank`, any run of blanks and tabs
/// separates and none counts at the ends; with the others, cells may be empty.
class RowSplitter {
 public:
  RowSplitter(std::string_view line, Delimiter delimiter, Decimal decimal = Decimal::point)
      : at_(line.data()),
        end_(at_ + line.size()),
        mark_(character(delimiter)),
        decimal_(decimal == Decimal::point ? '.' : ','),
        blanks_(delimiter == Delimiter::blank) {
    skip_blanks();
    done_ = blanks_ && at_ == end_;
  }

  [[nodiscard]] bool done() const { return done_; }
  /// A quote was opened and never closed, or text stands behind a closed one.
  [[nodiscard]] bool broken() const { return broken_; }

  /// The short way for a cell that is a plain finite number with the decimal mark of the table:
  /// reads it and moves on. False, without moving, for anything else, and for an exponent behind a
  /// decimal comma. The value is that of std::from_chars, to the last bit.
  bool number(double& value) {
    const char* stop = at_;
    if (!plain_number(stop, value)) {
      if (decimal_ != '.') return false;
      const auto [end, error] = std::from_chars(at_, end_, value);
      if (error != std::errc() || !std::isfinite(value)) return false;
      stop = end;
    }
    const char* next = stop;
    while (next != end_ && is_blank(*next)) ++next;
    if (next == end_) {
      at_ = next;
      done_ = true;
      return true;
    }
    if (blanks_) {
      if (next == stop) return false;
      at_ = next;
      return true;
    }
    if (*next != mark_) return false;
    at_ = next + 1;
    skip_blanks();
    return true;
  }

  /// The next cell. Precondition: !done().
  Cell next() {
    if (at_ != end_ && *at_ == '"') return quoted();
    const char* begin = at_;
    while (at_ != end_ && !separates(*at_)) ++at_;
    const char* last = at_;
    while (last != begin && is_blank(last[-1])) --last;
    step_over_separator();
    return {{begin, static_cast<std::size_t>(last - begin)}, false};
  }

 private:
  // A tab separates, or is a blank like any other; '\r' may end a line.
  bool is_blank(char c) const { return c == ' ' || c == '\r' || (c == '\t' && mark_ != '\t'); }
  bool separates(char c) const { return blanks_ ? is_blank(c) : c == mark_; }
  void skip_blanks() {
    while (at_ != end_ && is_blank(*at_)) ++at_;
  }

  void take_digits(const char*& at, std::uint64_t& number) const {
    for (; at != end_ && *at >= '0' && *at <= '9'; ++at)
      number = number * 10 + static_cast<std::uint64_t>(*at - '0');
  }

  /// Sign, digits, mark, digits; 15 digits at most. Both the digits as a whole number and the power
  /// of ten are doubles then, so that their quotient is the nearest double (Clinger 1990).
  bool plain_number(const char*& at, double& value) const {
    constexpr std::ptrdiff_t kMostDigits = 15;
    constexpr std::array<double, kMostDigits + 1> kPowers{
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    const bool negative = at != end_ && *at == '-';
    if (negative) ++at;
    std::uint64_t whole = 0;
    const char* begin = at;
    take_digits(at, whole);
    std::ptrdiff_t digits = at - begin, decimals = 0;
    if (at != end_ && *at == decimal_) {
      begin = ++at;
      take_digits(at, whole);
      decimals = at - begin;
      digits += decimals;
    }
    if (digits == 0 || digits > kMostDigits || (at != end_ && (*at == 'e' || *at == 'E')))
      return false;
    const double size = static_cast<double>(whole) / kPowers[static_cast<std::size_t>(decimals)];
    value = negative ? -size : size;
    return true;
  }

  void step_over_separator() {
    if (blanks_) {
      skip_blanks();
      done_ = at_ == end_;
    } else if (at_ == end_) {
      done_ = true;
    } else {
      ++at_;
      skip_blanks();
    }
  }

  Cell quoted() {
    const char* begin = ++at_;
    for (;; ++at_) {
      at_ = at_ == end_ ? nullptr
                        : static_cast<const char*>(
                              std::memchr(at_, '"', static_cast<std::size_t>(end_ - at_)));
      if (at_ == nullptr) {
        at_ = end_;
        broken_ = done_ = true;
        return {{begin, static_cast<std::size_t>(end_ - begin)}, true};
      }
      if (at_ + 1 == end_ || at_[1] != '"') break;
      ++at_;
    }
    const std::string_view text(begin, static_cast<std::size_t>(at_ - begin));
    ++at_;
    while (at_ != end_ && !separates(*at_) && is_blank(*at_)) ++at_;
    if (at_ != end_ && !separates(*at_)) {
      broken_ = true;
      while (at_ != end_ && !separates(*at_)) ++at_;
    }
    step_over_separator();
    return {trim(text), true};
  }

  const char* at_;
  const char* end_;
  char mark_;
  char decimal_;
  bool blanks_;
  bool done_ = false;
  bool broken_ = false;
};

/// The text of a cell with doubled quotes undone, as UTF-8.
inline std::string text_of(const Cell& cell) {
  std::string out(cell.text);
  if (cell.quoted) {
    for (std::size_t i = out.find("\"\""); i != std::string::npos; i = out.find("\"\"", i + 1))
      out.erase(i, 1);
  }
  return to_utf8(out);
}

}  // namespace flyball::historian
