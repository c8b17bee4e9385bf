#pragma once
// Turns a member function of App into a row of the operations table.
#include "app/app.h"
#include "app/operations.h"
#include "core/record.h"

namespace flyball::app {

std::string kebab_case(std::string_view camel);

namespace row_detail {

template <class T>
constexpr const char* type_text() {
  if constexpr (std::is_same_v<T, bool>) {
    return "boolean";
  } else if constexpr (std::is_integral_v<T>) {
    return "integer";
  } else if constexpr (std::is_floating_point_v<T>) {
    return "number";
  } else {
    return "text";
  }
}

template <class M>
void describe(Flag& flag) {
  namespace d = record_detail;
  if constexpr (d::is_optional<M>::value) {
    describe<typename M::value_type>(flag);
  } else if constexpr (d::is_vector<M>::value) {
    flag.repeatable = true;
    describe<typename M::value_type>(flag);
  } else {
    flag.type = type_text<M>();
    if constexpr (NamedEnum<M>) {
      for (const auto name : enum_names(M{})) flag.choices.emplace_back(name);
    }
  }
}

/// A record names its fields that nobody may read over a shoulder or in a trail: `kSecrets`.
template <class R>
bool is_secret(std::string_view name) {
  if constexpr (requires { R::kSecrets; }) {
    for (const std::string_view secret : R::kSecrets) {
      if (secret == name) return true;
    }
  }
  return false;
}

/// A record names the fields that are files of this machine: `kInputFile`, `kOutputFile`.
template <class R>
Local local_of(std::string_view name) {
  if constexpr (requires { R::kInputFile; }) {
    if (name == R::kInputFile) return Local::input;
  }
  if constexpr (requires { R::kOutputFile; }) {
    if (name == R::kOutputFile) return Local::output;
  }
  return Local::no;
}

/// What a flag cannot hold is given as JSON only.
template <class M>
constexpr bool is_flag() {
  namespace d = record_detail;
  if constexpr (d::is_optional<M>::value || d::is_vector<M>::value) {
    return is_flag<typename M::value_type>();
  } else {
    return !d::is_map<M>::value && !Record<M> && !std::is_same_v<M, Json>;
  }
}

template <class R>
std::vector<Flag> flags() {
  std::vector<Flag> out;
  const R defaults{};
  for_each_field<R>([&](const auto& f) {
    using M = std::remove_cvref_t<decltype(defaults.*(f.member))>;
    if constexpr (!is_flag<M>()) return;
    Flag flag;
    flag.name = f.name;
    flag.flag = kebab_case(f.name);
    flag.doc = f.doc;
    flag.unit = f.unit_text;
    flag.required = f.is_required;
    flag.positional = f.is_positional;
    flag.secret = is_secret<R>(f.name);
    flag.local = local_of<R>(f.name);
    describe<M>(flag);
    if constexpr (std::is_arithmetic_v<M> || std::is_same_v<M, std::string> || NamedEnum<M>) {
      const Json value = to_json_value(defaults.*(f.member));
      flag.default_text = value.is_string() ? value.get<std::string>() : canonical(value);
    }
    out.push_back(std::move(flag));
  });
  return out;
}

template <class Member>
struct Signature;
template <class Response, class Request>
struct Signature<Response (App::*)(const Request&, const Call&)> {
  using request = Request;
  using response = Response;
};

}  // namespace row_detail

/// The answer is "done" unless a room says otherwise by an overload for its response.
template <class Response>
int exit_code_of(const Response&) {
  return 0;
}

template <auto Member>
constexpr Operation operation(std::string_view name, std::string_view verb, std::string_view method,
                              std::string_view path, Scope scope, bool writes,
                              std::string_view summary, Special special = Special::none) {
  using Request = typename row_detail::Signature<decltype(Member)>::request;
  using Response = typename row_detail::Signature<decltype(Member)>::response;
  return {name,
          verb,
          method,
          path,
          scope,
          writes,
          summary,
          &row_detail::flags<Request>,
          &schema<Request>,
          &schema<Response>,
          [](App& app, const Json& request, const Call& call) {
            const Response response = (app.*Member)(parse_record<Request>(request), call);
            return Reply{to_json_value(response), exit_code_of(response)};
          },
          special};
}

}  // namespace flyball::app
