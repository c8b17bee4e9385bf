#include "report/text.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cmath>

namespace flyball::report {
namespace {

constexpr std::string_view kMinus = "−";
constexpr std::string_view kNone = "–";
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

std::string true_minus(std::string text) {
  if (!text.empty() && text.front() == '-') text.replace(0, 1, kMinus);
  return text;
}

/// Length of the UTF-8 sequence at `at`, 0 when the bytes are not one.
std::size_t sequence_length(std::string_view s, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
  const unsigned char first = byte(at);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF5   ? 0
                             : first >= 0xF0 ? 4
                             : first >= 0xE0 ? 3
                             : first >= 0xC2 ? 2
                                             : 0;
  if (length == 0 || at + length > s.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return 0;
  }
  const unsigned char second = byte(at + 1);
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool surrogate = first == 0xED && second >= 0xA0;
  const bool too_large = first == 0xF4 && second >= 0x90;
  return overlong || surrogate || too_large ? 0 : length;
}

}  // namespace

std::string escape(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 16);
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = sequence_length(text, i);
    if (length != 1) {
      out += length == 0 ? kReplacement : text.substr(i, length);
      i += length == 0 ? 1 : length;
      continue;
    }
    const char c = text[i++];
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        if ((static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n') || c == 0x7F) {
          out += kReplacement;
        } else {
          out += c;
        }
    }
  }
  return out;
}

std::string power_of_ten(int exponent) {
  static constexpr std::array<std::string_view, 10> kDigits{"⁰", "¹", "²", "³", "⁴",
                                                            "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string out = "10";
  if (exponent < 0) out += "⁻";
  for (const char c : std::to_string(std::abs(exponent))) out += kDigits[std::size_t(c - '0')];
  return out;
}

std::string number(double value, int digits) {
  if (!std::isfinite(value)) return std::string(kNone);
  if (value == 0) return "0";
  const std::string scientific = fmt::format("{:.{}e}", value, digits - 1);
  const auto e = scientific.find('e');
  const int exponent = std::stoi(scientific.substr(e + 1));
  if (exponent >= -4 && exponent < 6) {
    const int decimals = std::max(0, digits - 1 - exponent);
    std::string text = fmt::format("{:.{}f}", value, decimals);
    if (decimals > 0) {
      text.erase(text.find_last_not_of('0') + 1);
      if (text.back() == '.') text.pop_back();
    }
    return true_minus(text);
  }
  std::string mantissa = scientific.substr(0, e);
  if (mantissa.find('.') != std::string::npos) {
    mantissa.erase(mantissa.find_last_not_of('0') + 1);
    if (mantissa.back() == '.') mantissa.pop_back();
  }
  return true_minus(mantissa) + "×" + power_of_ten(exponent);
}

std::string number(std::optional<double> value, int digits) {
  return value ? number(*value, digits) : std::string(kNone);
}

std::string fixed(double value, int decimals) {
  if (!std::isfinite(value)) return std::string(kNone);
  if (std::abs(value) >= 1e7) return number(value, 4);
  std::string text = fmt::format("{:.{}f}", value, decimals);
  const bool is_zero = text.find_first_not_of("-0.") == std::string::npos;
  if (is_zero && text.front() == '-') text.erase(0, 1);
  return true_minus(text);
}

std::string fixed(std::optional<double> value, int decimals) {
  return value ? fixed(*value, decimals) : std::string(kNone);
}

std::string count(std::int64_t value) {
  std::string text = std::to_string(value);
  const std::size_t sign = value < 0 ? 1 : 0;
  for (std::size_t i = text.size(); i > sign + 3; i -= 3) text.insert(i - 3, "\u202F");
  return true_minus(text);
}

std::string in_brackets(std::string_view unit) {
  return unit.empty() ? std::string() : fmt::format(" [{}]", unit);
}

std::string with_unit(std::optional<double> value, std::string_view unit, int digits) {
  std::string text = number(value, digits);
  if (value && std::isfinite(*value) && !unit.empty()) text += fmt::format("\u00A0{}", unit);
  return text;
}

std::string duration(double seconds) {
  struct Unit {
    double seconds;
    std::string_view name;
  };
  static constexpr std::array kUnits{Unit{86400, "d"}, Unit{3600, "h"},  Unit{60, "min"},
                                     Unit{1, "s"},     Unit{1e-3, "ms"}, Unit{1e-6, "µs"}};
  if (!std::isfinite(seconds)) return std::string(kNone);
  if (seconds == 0) return "0\u00A0s";
  const Unit* chosen = &kUnits.back();
  for (const Unit& u : kUnits) {
    if (std::abs(seconds) >= u.seconds * (1 - 1e-9)) {
      chosen = &u;
      break;
    }
  }
  return number(seconds / chosen->seconds, 3) + fmt::format("\u00A0{}", chosen->name);
}

std::string in_words(std::string_view field_name) {
  std::string out;
  for (std::size_t i = 0; i < field_name.size(); ++i) {
    const char c = field_name[i];
    const auto upper = [&](std::size_t at) {
      return at < field_name.size() &&
             std::isupper(static_cast<unsigned char>(field_name[at])) != 0;
    };
    const bool starts_word = i > 0 && upper(i) && !upper(i - 1);
    if (starts_word) out += ' ';
    const bool single = upper(i) && !upper(i + 1) && (starts_word || i == 0);
    out += c == '_' ? ' ' : single ? static_cast<char>(c + ('a' - 'A')) : c;
  }
  return out;
}

std::size_t code_points(std::string_view utf8) {
  std::size_t n = 0;
  for (const char c : utf8) n += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return n;
}

std::string shortened(std::string_view utf8, std::size_t most) {
  if (code_points(utf8) <= most) return std::string(utf8);
  std::size_t n = 0;
  std::size_t i = 0;
  for (; i < utf8.size(); ++i) {
    if ((static_cast<unsigned char>(utf8[i]) & 0xC0) != 0x80 && ++n == most) break;
  }
  return std::string(utf8.substr(0, i)) + "…";
}

}  // namespace flyball::report
