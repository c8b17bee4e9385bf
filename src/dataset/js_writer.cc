#include "dataset/js_writer.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "core/error.h"

namespace flyball::dataset {
namespace {

/// Shortest digits d1d2... and n with value = 0.d1d2... · 10ⁿ.
struct Digits {
  std::string digits;
  int n;
};
Digits shortest(double value) {
  char buffer[32];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr;
  const std::string_view text(buffer, static_cast<std::size_t>(end - buffer));
  const std::size_t e = text.find('e');
  Digits out;
  for (const char c : text.substr(0, e)) {
    if (c != '.') out.digits += c;
  }
  const char* first = buffer + e + 1;
  if (*first == '+') ++first;
  std::from_chars(first, end, out.n);
  ++out.n;
  return out;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\f':
        out += "\\f";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          char code[8];
          std::snprintf(code, sizeof code, "\\u%04x", c);
          out += code;
        } else {
          out += c;
        }
    }
  }
  return out + '"';
}

}  // namespace

std::string js_number(double value) {
  if (!std::isfinite(value)) throw Error("NOT_FINITE", {{"name", "a number"}, {"value", value}});
  if (value == 0) return "0";
  if (value < 0) return "-" + js_number(-value);
  const auto [s, n] = shortest(value);
  const int k = static_cast<int>(s.size());
  const auto digits = [&](int from, int to) {
    return s.substr(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from));
  };
  const auto zeros = [](int count) { return std::string(static_cast<std::size_t>(count), '0'); };
  if (k <= n && n <= 21) return s + zeros(n - k);
  if (0 < n && n <= 21) return digits(0, n) + "." + digits(n, k);
  if (-6 < n && n <= 0) return "0." + zeros(-n) + s;
  const std::string exponent = (n > 0 ? "e+" : "e-") + std::to_string(std::abs(n - 1));
  return k == 1 ? s + exponent : digits(0, 1) + "." + digits(1, k) + exponent;
}

void JsWriter::before_item() {
  if (!after_key_ && !closers_.empty()) {
    if (!first_) out_ += ',';
    out_ += '\n';
    out_.append(2 * closers_.size(), ' ');
  }
  first_ = after_key_ = false;
}

JsWriter& JsWriter::open(char bracket) {
  before_item();
  out_ += bracket;
  closers_ += bracket == '{' ? '}' : ']';
  first_ = true;
  return *this;
}

JsWriter& JsWriter::close() {
  const char bracket = closers_.back();
  closers_.pop_back();
  if (!first_) {
    out_ += '\n';
    out_.append(2 * closers_.size(), ' ');
  }
  out_ += bracket;
  first_ = false;
  return *this;
}

JsWriter& JsWriter::key(std::string_view name) {
  before_item();
  out_ += quoted(name) + ": ";
  after_key_ = true;
  return *this;
}

JsWriter& JsWriter::value(double number) {
  before_item();
  out_ += js_number(number);
  return *this;
}

JsWriter& JsWriter::value(std::string_view text) {
  before_item();
  out_ += quoted(text);
  return *this;
}

}  // namespace flyball::dataset
