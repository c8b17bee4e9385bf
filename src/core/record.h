#pragma once
// Records: a plain struct that lists its fields once. From that list come strict parsing (unknown
// fields refused, all problems at once, each with a JSON Pointer), writing and JSON Schema.
//
//   struct Window {
//     std::int64_t history_steps = 0;
//     std::optional<std::string> note;
//     static constexpr auto fields() {
//       return FieldList{
//           field("historySteps", &Window::history_steps, "rows of history").range(1, 2048).required(),
//           field("note", &Window::note, "free text").max_length(2000)};
//     }
//   };
//
// Supported members: bool, int, std::int64_t, double, std::string, enums with an
// `enum_names(E)` found by ADL, std::optional, std::vector, std::map<std::string, T>, other
// records, and Json (anything). Absent optionals are left out when writing. A member missing from
// the list is a compile error.
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/json.h"

namespace flyball {

template <class R, class M>
struct Field {
  const char* name;
  M R::*member;
  const char* doc;
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  const char* unit_text = "";
  std::size_t length_limit = 1'000'000;
  bool is_required = false;
  bool is_positional = false;
  bool is_nullable = false;

  constexpr Field range(double lo, double hi) const { Field f = *this; f.min = lo; f.max = hi; return f; }
  constexpr Field unit(const char* u) const { Field f = *this; f.unit_text = u; return f; }
  constexpr Field max_length(std::size_t n) const { Field f = *this; f.length_limit = n; return f; }
  constexpr Field required() const { Field f = *this; f.is_required = true; return f; }
  /// On the command line: an argument without a flag.
  constexpr Field positional() const { Field f = *this; f.is_positional = true; return f; }
  /// An absent optional is written as null instead of being left out.
  constexpr Field nullable() const { Field f = *this; f.is_nullable = true; return f; }
};

template <class R, class M>
constexpr Field<R, M> field(const char* name, M R::*member, const char* doc) {
  return {name, member, doc};
}

/// The fields of a record in order. A std::tuple would do, but triples the time to compile a file
/// that reads records.
template <std::size_t I, class F>
struct FieldSlot {
  F field;
};
template <class Indices, class... F>
struct FieldSlots;
template <std::size_t... I, class... F>
struct FieldSlots<std::index_sequence<I...>, F...> : FieldSlot<I, F>... {
  constexpr explicit FieldSlots(const F&... f) : FieldSlot<I, F>{f}... {}
  template <class Visit>
  constexpr void each(Visit&& visit) const {
    (visit(static_cast<const FieldSlot<I, F>&>(*this).field), ...);
  }
  template <class... G, std::size_t... J>
  constexpr auto joined(const FieldSlots<std::index_sequence<J...>, G...>& more) const;
};
template <class... F>
struct FieldList : FieldSlots<std::index_sequence_for<F...>, F...> {
  static constexpr std::size_t size = sizeof...(F);
  constexpr explicit FieldList(const F&... f)
      : FieldSlots<std::index_sequence_for<F...>, F...>(f...) {}
};
template <class... F>
FieldList(const F&...) -> FieldList<F...>;

template <std::size_t... I, class... F>
template <class... G, std::size_t... J>
constexpr auto FieldSlots<std::index_sequence<I...>, F...>::joined(
    const FieldSlots<std::index_sequence<J...>, G...>& more) const {
  return FieldList<F..., G...>(static_cast<const FieldSlot<I, F>&>(*this).field...,
                               static_cast<const FieldSlot<J, G>&>(more).field...);
}

/// The fields of one list, then those of another.
template <class... F, class... G>
constexpr auto join(const FieldList<F...>& first, const FieldList<G...>& second) {
  return first.joined(second);
}

template <class T>
concept Record = requires { T::fields(); };
template <class T>
concept NamedEnum = std::is_enum_v<T> && requires(T e) { enum_names(e); };

namespace record_detail {

struct Any {
  template <class T>
  operator T&() const noexcept;  // never defined: only asked whether it could convert
};
template <class T, std::size_t... I>
constexpr bool initialisable(std::index_sequence<I...>) {
  return requires { T{((void)I, std::declval<Any>())...}; };
}
/// T is an aggregate of exactly N members. (Counting down from a large number would cost every file
/// that reads records seconds to compile.)
template <class T, std::size_t N>
constexpr bool has_members = initialisable<T>(std::make_index_sequence<N>{}) &&
                             !initialisable<T>(std::make_index_sequence<N + 1>{});

/// A record that says `using Extends = Base;` is derived from Base and lists its fields too; to the
/// aggregate Base is one member.
template <class R>
consteval bool lists_every_member() {
  constexpr std::size_t listed = decltype(R::fields())::size;
  if constexpr (requires { typename R::Extends; }) {
    return has_members<R, listed - decltype(R::Extends::fields())::size + 1>;
  } else {
    return has_members<R, listed>;
  }
}

template <class T> struct is_optional : std::false_type {};
template <class T> struct is_optional<std::optional<T>> : std::true_type {};
template <class T> struct is_vector : std::false_type {};
template <class T> struct is_vector<std::vector<T>> : std::true_type {};
template <class T> struct is_map : std::false_type {};
template <class T> struct is_map<std::map<std::string, T>> : std::true_type {};

/// Limits that a value is checked against, of whatever type the field is.
struct Limits {
  double min, max;
  std::size_t length;
};

std::string escape_pointer(std::string_view token);
std::string suggestion(std::string_view given, const std::vector<std::string_view>& known);
Problem type_problem(const std::string& at, const char* expected, const Json& actual);
Problem range_problem(const std::string& at, double value, const Limits& limits);
Problem choice_problem(const std::string& at, const std::string& value, const std::vector<std::string_view>& choices);

}  // namespace record_detail

/// The distance-based "did you mean" that records, commands and settings share; "" when none is near.
std::string nearest(std::string_view given, const std::vector<std::string_view>& known);

template <NamedEnum E>
std::string_view enum_name(E e) {
  return enum_names(e)[static_cast<std::size_t>(e)];
}

/// Calls f(field) for each field of R, in the order of the list.
template <Record R, class F>
constexpr void for_each_field(F&& f) {
  static_assert(record_detail::lists_every_member<R>(),
                "every member of the record must stand in fields()");
  R::fields().each(f);
}

template <Record R> R read_record(const Json& j, const std::string& at, std::vector<Problem>& problems);

template <class T>
void read_value(const Json& j, T& out, const std::string& at, const record_detail::Limits& lim, std::vector<Problem>& problems) {
  namespace d = record_detail;
  if constexpr (d::is_optional<T>::value) {
    if (j.is_null()) { out.reset(); return; }
    typename T::value_type v{};
    read_value(j, v, at, lim, problems);
    out = std::move(v);
  } else if constexpr (std::is_same_v<T, Json>) {
    out = j;
  } else if constexpr (std::is_same_v<T, bool>) {
    if (!j.is_boolean()) { problems.push_back(d::type_problem(at, "true or false", j)); return; }
    out = j.get<bool>();
  } else if constexpr (std::is_integral_v<T>) {
    const bool whole = j.is_number_integer() || (j.is_number_float() && std::nearbyint(j.get<double>()) == j.get<double>() && std::abs(j.get<double>()) < 9007199254740992.0);
    if (!whole) { problems.push_back(d::type_problem(at, "a whole number", j)); return; }
    const double v = j.get<double>();
    if (v < lim.min || v > lim.max || v < static_cast<double>(std::numeric_limits<T>::min()) || v > static_cast<double>(std::numeric_limits<T>::max())) { problems.push_back(d::range_problem(at, v, lim)); return; }
    out = j.is_number_integer() ? j.get<T>() : static_cast<T>(v);
  } else if constexpr (std::is_floating_point_v<T>) {
    if (!j.is_number()) { problems.push_back(d::type_problem(at, "a number", j)); return; }
    out = j.get<double>();
    if (!(out >= lim.min && out <= lim.max)) problems.push_back(d::range_problem(at, out, lim));
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (!j.is_string()) { problems.push_back(d::type_problem(at, "a text", j)); return; }
    out = j.get<std::string>();
    if (out.size() > lim.length) problems.push_back({at, {"FIELD_RANGE", {{"value", "a text of " + std::to_string(out.size()) + " bytes"}, {"limits", "at most " + std::to_string(lim.length) + " bytes"}}}});
  } else if constexpr (NamedEnum<T>) {
    const auto names = enum_names(T{});
    const std::vector<std::string_view> choices(names.begin(), names.end());
    if (!j.is_string()) { problems.push_back(d::type_problem(at, "a text", j)); return; }
    const auto text = j.get<std::string>();
    for (std::size_t i = 0; i < choices.size(); ++i) {
      if (choices[i] == text) { out = static_cast<T>(i); return; }
    }
    problems.push_back(d::choice_problem(at, text, choices));
  } else if constexpr (d::is_vector<T>::value) {
    if (!j.is_array()) { problems.push_back(d::type_problem(at, "a list", j)); return; }
    if (j.size() > lim.length) { problems.push_back({at, {"FIELD_RANGE", {{"value", std::to_string(j.size()) + " items"}, {"limits", "at most " + std::to_string(lim.length)}}}}); return; }
    out.clear();
    for (std::size_t i = 0; i < j.size(); ++i) {
      typename T::value_type v{};
      read_value(j[i], v, at + "/" + std::to_string(i), lim, problems);
      out.push_back(std::move(v));
    }
  } else if constexpr (d::is_map<T>::value) {
    if (!j.is_object()) { problems.push_back(d::type_problem(at, "an object", j)); return; }
    out.clear();
    for (const auto& [key, item] : j.items()) {
      read_value(item, out[key], at + "/" + d::escape_pointer(key), lim, problems);
    }
  } else {
    static_assert(Record<T>, "a record member of this type is not supported");
    out = read_record<T>(j, at, problems);
  }
}

template <Record R>
R read_record(const Json& j, const std::string& at, std::vector<Problem>& problems) {
  namespace d = record_detail;
  R out{};
  if (!j.is_object()) {
    problems.push_back(d::type_problem(at, "an object", j));
    return out;
  }
  std::vector<std::string_view> known;
  for_each_field<R>([&](const auto& f) {
    known.push_back(f.name);
    const std::string here = at + "/" + d::escape_pointer(f.name);
    const auto it = j.find(f.name);
    if (it == j.end()) {
      if (f.is_required) problems.push_back({here, {"FIELD_REQUIRED", {{"field", f.name}}}});
      return;
    }
    read_value(*it, out.*(f.member), here, d::Limits{f.min, f.max, f.length_limit}, problems);
  });
  for (const auto& [key, item] : j.items()) {
    bool found = false;
    for (const auto k : known) found = found || k == key;
    if (!found) problems.push_back({at + "/" + d::escape_pointer(key), {"FIELD_UNKNOWN", {{"field", key}, {"suggestion", d::suggestion(key, known)}}}});
  }
  return out;
}

/// Strict: throws `code` (SPEC_INVALID by default) with every problem of the input.
template <Record R>
R parse_record(const Json& j, const std::string& code = "SPEC_INVALID") {
  std::vector<Problem> problems;
  R out = read_record<R>(j, "", problems);
  if (!problems.empty()) throw Error::of(code, std::move(problems));
  return out;
}

template <class T>
Json to_json_value(const T& v) {
  namespace d = record_detail;
  if constexpr (d::is_optional<T>::value) {
    return v ? to_json_value(*v) : Json();
  } else if constexpr (Record<T>) {
    Json out = Json::object();
    for_each_field<T>([&](const auto& f) {
      const auto& m = v.*(f.member);
      if constexpr (d::is_optional<std::remove_cvref_t<decltype(m)>>::value) {
        if (!m && !f.is_nullable) return;
      }
      out[f.name] = to_json_value(m);
    });
    return out;
  } else if constexpr (NamedEnum<T>) {
    return std::string(enum_name(v));
  } else if constexpr (d::is_vector<T>::value) {
    Json out = Json::array();
    for (const auto& item : v) out.push_back(to_json_value(typename T::value_type(item)));
    return out;
  } else if constexpr (d::is_map<T>::value) {
    Json out = Json::object();
    for (const auto& [key, item] : v) out[key] = to_json_value(item);
    return out;
  } else if constexpr (std::is_floating_point_v<T>) {
    return number_or_null(v);
  } else {
    return v;
  }
}

template <class T>
Json schema_value(const record_detail::Limits& lim);

/// JSON Schema 2020-12 of a record, nested records inline; units as "x-unit".
template <Record R>
Json schema() {
  Json properties = Json::object();
  Json required = Json::array();
  const R defaults{};
  for_each_field<R>([&](const auto& f) {
    using M = std::remove_cvref_t<decltype(defaults.*(f.member))>;
    Json s = schema_value<M>({f.min, f.max, f.length_limit});
    s["description"] = f.doc;
    if (*f.unit_text != '\0') s["x-unit"] = f.unit_text;
    if (f.is_required) {
      required.push_back(f.name);
    } else if constexpr (std::is_arithmetic_v<M> || std::is_same_v<M, std::string> || NamedEnum<M>) {
      s["default"] = to_json_value(defaults.*(f.member));
    }
    properties[f.name] = std::move(s);
  });
  Json out = {{"type", "object"}, {"additionalProperties", false}, {"properties", properties}};
  if (!required.empty()) out["required"] = required;
  return out;
}

template <class T>
Json schema_value(const record_detail::Limits& lim) {
  namespace d = record_detail;
  if constexpr (d::is_optional<T>::value) {
    return schema_value<typename T::value_type>(lim);
  } else if constexpr (std::is_same_v<T, Json>) {
    return Json::object();
  } else if constexpr (std::is_same_v<T, bool>) {
    return {{"type", "boolean"}};
  } else if constexpr (std::is_arithmetic_v<T>) {
    Json s = {{"type", std::is_integral_v<T> ? "integer" : "number"}};
    if (std::isfinite(lim.min)) s["minimum"] = lim.min;
    if (std::isfinite(lim.max)) s["maximum"] = lim.max;
    return s;
  } else if constexpr (std::is_same_v<T, std::string>) {
    return {{"type", "string"}};
  } else if constexpr (NamedEnum<T>) {
    Json choices = Json::array();
    for (const auto name : enum_names(T{})) choices.push_back(std::string(name));
    return {{"type", "string"}, {"enum", choices}};
  } else if constexpr (d::is_vector<T>::value) {
    return {{"type", "array"}, {"items", schema_value<typename T::value_type>(lim)}};
  } else if constexpr (d::is_map<T>::value) {
    return {{"type", "object"}, {"additionalProperties", schema_value<typename T::mapped_type>(lim)}};
  } else {
    return schema<T>();
  }
}

}  // namespace flyball
