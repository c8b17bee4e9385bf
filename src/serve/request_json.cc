// From a request over HTTP to the Json that an operation's record parses.
#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "core/json.h"
#include "core/record.h"
#include "core/time.h"
#include "serve/router.h"

namespace flyball::serve {
namespace {

using record_detail::escape_pointer;

Problem value_problem(const app::Flag& flag, const std::string& text, const char* type) {
  return {"/" + flag.name, {"QUERY_VALUE", {{"value", text}, {"type", type}}}};
}

template <class T>
bool read_number(const std::string& text, T& out) {
  const char* const last = text.data() + text.size();
  const auto [end, ec] = std::from_chars(text.data(), last, out);
  return ec == std::errc{} && end == last;
}

/// A whole number of microseconds, a time with a colon or a T, or a duration.
bool read_time(const std::string& text, std::int64_t& out) {
  if (read_number(text, out)) return true;
  try {
    out = text.find_first_of("T:") != std::string::npos ? parse_time(text) : parse_duration(text);
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// The text of a query as Json of the flag's type; null and a problem when it is not of it.
Json typed(const app::Flag& flag, const std::string& text, std::vector<Problem>& problems) {
  if (flag.type == "text") return text;
  if (flag.type == "boolean") {
    if (text == "true" || text == "false") return text == "true";
    problems.push_back(value_problem(flag, text, "true or false"));
    return {};
  }
  if (flag.type == "integer") {
    std::int64_t value = 0;
    const bool is_time = flag.unit == "us";
    if (is_time ? read_time(text, value) : read_number(text, value)) return value;
    problems.push_back(
        value_problem(flag, text, is_time ? "a time or duration" : "a whole number"));
    return {};
  }
  double value = 0;
  if (read_number(text, value) && std::isfinite(value)) return value;
  problems.push_back(value_problem(flag, text, "a number"));
  return {};
}

const app::Flag* find_flag(const Route& route, std::string_view name) {
  const auto it = std::ranges::find(route.flags, name, &app::Flag::name);
  return it == route.flags.end() ? nullptr : &*it;
}

void add_query(const Route& route, const Request& request, Json& out,
               std::vector<Problem>& problems) {
  std::vector<std::string_view> known;
  for (const app::Flag& f : route.flags) known.push_back(f.name);
  for (const auto& [name, text] : request.query) {
    const std::string at = "/" + escape_pointer(name);
    const app::Flag* flag = find_flag(route, name);
    if (flag == nullptr) {
      problems.push_back(
          {at,
           {"FIELD_UNKNOWN",
            {{"field", name}, {"suggestion", record_detail::suggestion(name, known)}}}});
    } else if (flag->local != app::Local::no) {
      problems.push_back({at, {"FIELD_LOCAL", {{"field", name}}}});
    } else if (flag->repeatable) {
      out[name].push_back(typed(*flag, text, problems));
    } else if (out.contains(name)) {
      problems.push_back({at, {"FIELD_TWICE", {{"field", name}}}});
    } else {
      out[name] = typed(*flag, text, problems);
    }
  }
}

void add_body(const Route& route, const Json& body, Json& out, std::vector<Problem>& problems) {
  if (!body.is_object()) {
    problems.push_back(record_detail::type_problem("", "an object", body));
    return;
  }
  for (const auto& [name, value] : body.items()) {
    const app::Flag* flag = find_flag(route, name);
    const std::string at = "/" + escape_pointer(name);
    if (out.contains(name)) {
      problems.push_back({at, {"FIELD_TWICE", {{"field", name}}}});
    } else if (flag != nullptr && flag->local == app::Local::output && !value.is_null()) {
      problems.push_back({at, {"FIELD_LOCAL", {{"field", name}}}});
    } else {
      out[name] = value;
    }
  }
}

}  // namespace

Json request_json(const Match& match, const Request& request) {
  const Route& route = *match.route;
  Json out = Json::object();
  std::vector<Problem> problems;
  auto parameter = match.parameters.begin();
  for (const Route::Part& part : route.parts) {
    if (!part.parameter) continue;
    const app::Flag* flag = find_flag(route, part.text);
    out[part.text] = flag == nullptr ? Json(*parameter) : typed(*flag, *parameter, problems);
    ++parameter;
  }
  add_query(route, request, out, problems);
  if (request.content_type() == "application/json" && !request.content().empty())
    add_body(route, parse_json(request.content(), "the body"), out, problems);
  if (!problems.empty()) throw Error::of("SPEC_INVALID", std::move(problems));
  return out;
}

std::optional<app::Content> take_content(const Route& route, const Request& request, Json& json,
                                         const std::string& name) {
  const auto flag = std::ranges::find(route.flags, app::Local::input, &app::Flag::local);
  if (flag == route.flags.end()) return std::nullopt;
  app::Content out;
  if (request.content_type() != "application/json") {
    if (request.content().empty()) return std::nullopt;
    out.bytes = request.content();
  } else if (!json.contains(flag->name) || json[flag->name].is_null()) {
    return std::nullopt;
  } else {
    const Json& given = json[flag->name];
    out.owned = std::make_shared<const std::string>(given.is_string() ? given.get<std::string>()
                                                                      : canonical(given));
    out.bytes = *out.owned;
  }
  out.name = name;
  json[flag->name] = out.name;
  return out;
}

}  // namespace flyball::serve
