#include "serve/router.h"

#include <algorithm>

namespace flyball::serve {
namespace {

std::vector<Route::Part> parts_of(std::string_view path) {
  std::vector<Route::Part> out;
  while (!path.empty()) {
    path.remove_prefix(1);
    const auto slash = path.find('/');
    const std::string_view word = path.substr(0, slash);
    const bool parameter = word.starts_with('{');
    out.push_back({std::string(parameter ? word.substr(1, word.size() - 2) : word), parameter});
    if (slash == std::string_view::npos) break;
    path.remove_prefix(slash);
  }
  return out;
}

bool same_path(const Route& route, std::span<const std::string> path,
               std::vector<std::string>* parameters) {
  if (route.parts.size() != path.size()) return false;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (!route.parts[i].parameter && route.parts[i].text != path[i]) return false;
  }
  if (parameters == nullptr) return true;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (route.parts[i].parameter) parameters->push_back(path[i]);
  }
  return true;
}

/// Words sort before parameters, place by place: the first route that matches is the right one.
bool is_more_special(const Route& a, const Route& b) {
  return std::ranges::lexicographical_compare(a.parts, b.parts, {}, &Route::Part::parameter,
                                              &Route::Part::parameter);
}

}  // namespace

Router::Router(std::span<const app::Operation> operations) {
  for (const app::Operation& o : operations) {
    const bool has_policy = o.scope >= app::Scope::view && o.scope <= app::Scope::admin;
    if (!has_policy || (o.method == "GET" && o.writes))
      throw Error("ROUTE_WITHOUT_POLICY",
                  {{"route", std::string(o.method) + " " + std::string(o.path)}});
    routes_.push_back({&o, parts_of(o.path), o.flags()});
  }
  std::ranges::stable_sort(routes_, is_more_special);
}

Match Router::match(std::string_view method, std::span<const std::string> path) const {
  // HEAD is a GET whose body is not sent.
  const std::string_view wanted = method == "HEAD" ? "GET" : method;
  for (const Route& route : routes_) {
    Match match{&route, {}};
    if (route.operation->method == wanted && same_path(route, path, &match.parameters))
      return match;
  }
  std::string place = "/api/v1";
  for (const std::string& segment : path) place += "/" + segment;
  const std::string methods = allowed(path);
  if (methods.empty()) throw Refused(404, "ROUTE_MISSING", {{"path", place}});
  throw Refused(405, "METHOD_NOT_ALLOWED",
                {{"method", method}, {"path", place}, {"allowed", methods}});
}

std::string Router::allowed(std::span<const std::string> path) const {
  std::string out;
  for (const Route& route : routes_) {
    if (!same_path(route, path, nullptr)) continue;
    const std::string method(route.operation->method);
    if (out.find(method) == std::string::npos) out += (out.empty() ? "" : ", ") + method;
  }
  return out;
}

const Route* Router::sibling(const Route& route) const {
  for (const Route& other : routes_) {
    if (other.operation->method == "GET" && other.operation->path == route.operation->path)
      return &other;
  }
  return nullptr;
}

}  // namespace flyball::serve
