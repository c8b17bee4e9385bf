#include "serve/etag.h"

#include <nlohmann/json.hpp>

#include "core/digest.h"

namespace flyball::serve {

std::string etag(std::string_view body) {
  return '"' + sha256(body).substr(0, 32) + '"';
}

bool holds(std::string_view list, std::string_view tag) {
  while (!list.empty()) {
    const auto comma = list.find(',');
    std::string_view one = list.substr(0, comma);
    while (!one.empty() && one.front() == ' ') one.remove_prefix(1);
    while (!one.empty() && one.back() == ' ') one.remove_suffix(1);
    if (one == "*" || one == tag) return true;
    if (comma == std::string_view::npos) break;
    list.remove_prefix(comma + 1);
  }
  return false;
}

void answer_condition(const Request& request, Response& response) {
  const std::string tag = etag(response.body);
  response.with("ETag", tag);
  const std::string* known = request.header("if-none-match");
  if (known == nullptr || !holds(*known, tag)) return;
  response.status = 304;
  response.body.clear();
}

void check_condition(const Router& router, const Route& route, const Request& request,
                     const Json& json, const app::Call& call, app::App& app) {
  const std::string_view method = route.operation->method;
  if (method != "PATCH" && method != "DELETE") return;
  const Route* get = router.sibling(route);
  if (get == nullptr) return;
  Json ask = Json::object();
  for (const app::Flag& flag : get->flags) {
    if (json.contains(flag.name)) ask[flag.name] = json[flag.name];
  }
  const std::string* wanted = request.header("if-match");
  std::string current;
  try {
    current = etag(canonical(get->operation->invoke(app, ask, call).body));
  } catch (const Error& e) {
    if (e.errc() != Errc::not_found) throw;
    if (wanted == nullptr) return;
    throw Refused(412, "PRECONDITION_FAILED", {{"path", request.place()}});
  }
  if (wanted == nullptr) throw Refused(428, "PRECONDITION_MISSING", {{"path", request.place()}});
  if (!holds(*wanted, current))
    throw Refused(412, "PRECONDITION_FAILED", {{"path", request.place()}});
}

}  // namespace flyball::serve
