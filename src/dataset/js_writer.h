#pragma once
// JSON as JavaScript's JSON.stringify(value, null, 2) writes it, for datasets of the reference
// system, whose hashes are taken over that text.
#include <string>
#include <string_view>
#include <type_traits>

namespace flyball::dataset {

/// As Number::toString of ECMA-262: shortest digits that read back, decimal from 1e-6 to below
/// 1e21, else with an exponent (1e+21, 1e-7); -0 is 0. Throws NOT_FINITE.
std::string js_number(double value);

/// Keys in the order in which they are given; every list entry on its own line.
class JsWriter {
 public:
  JsWriter& open(char bracket);  ///< '{' or '['
  JsWriter& close();
  JsWriter& key(std::string_view name);
  JsWriter& value(double number);
  JsWriter& value(std::string_view text);
  JsWriter& value(const char* text) { return value(std::string_view(text)); }

  /// key() and the list of values.
  template <class List>
  JsWriter& list(std::string_view name, const List& values) {
    key(name).open('[');
    for (const auto& v : values) {
      if constexpr (std::is_arithmetic_v<std::decay_t<decltype(v)>>) {
        value(static_cast<double>(v));
      } else {
        value(v);
      }
    }
    return close();
  }
  template <class T>
  JsWriter& entry(std::string_view name, const T& v) {
    key(name);
    if constexpr (std::is_arithmetic_v<T>) {
      return value(static_cast<double>(v));
    } else {
      return value(std::string_view(v));
    }
  }

  [[nodiscard]] const std::string& text() const { return out_; }

 private:
  void before_item();

  std::string out_, closers_;
  bool first_ = true, after_key_ = false;
};

}  // namespace flyball::dataset
