// Signing in and out, the first start, and the stream of events.
#include <charconv>
#include <nlohmann/json.hpp>

#include "govern/secret.h"
#include "serve/service.h"

namespace flyball::serve {
namespace {

Json body_of(const Request& request) {
  if (request.content_type() != "application/json")
    throw Refused(415, "HTTP_TYPE", {{"type", "not JSON"}, {"expected", "application/json"}});
  return parse_json(request.content(), "the body");
}

std::string cookie(const Request& request, const std::string& secret, std::int64_t seconds) {
  std::string out = Gate::cookie_name(request.secure) + "=" + secret +
                    "; Path=/; HttpOnly; SameSite=Strict; Max-Age=" + std::to_string(seconds);
  return request.secure ? out + "; Secure" : out;
}

Response signed_in(const Request& request, const SignedIn& session, TimeUs now) {
  Response out = json_response({{"user", session.user},
                                {"csrf", session.csrf},
                                {"expiresAt", format_time(session.expires_at)}});
  out.with("Set-Cookie", cookie(request, session.cookie, (session.expires_at - now) / kSecond));
  return out;
}

Json describe(const Caller& caller) {
  const govern::Principal& p = caller.principal;
  Json rights = Json::array(), lines = Json::object();
  for (const govern::Right r : p.rights) rights.push_back(enum_name(r));
  for (const auto& [line, grant] : p.lines) lines[line] = enum_name(grant);
  Json out = {{"user", p.id},   {"kind", enum_name(p.kind)}, {"rights", rights},
              {"lines", lines}, {"fresh", p.fresh},          {"allLines", enum_name(p.all_lines)}};
  if (!caller.session.empty()) out["csrf"] = govern::csrf_token(caller.session);
  return out;
}

[[noreturn]] void no_method(const Request& request, std::string_view allowed) {
  throw Refused(405, "METHOD_NOT_ALLOWED",
                {{"method", request.method}, {"path", request.place()}, {"allowed", allowed}});
}

}  // namespace

Response Service::session(Worker& worker, const Request& request) {
  Gate& gate = worker.gate;
  const std::string_view place = request.place();
  if (place == "/api/v1/session/confirm") {
    if (request.method != "POST") no_method(request, "POST");
    gate.confirm(gate.authenticate(request), body_of(request), request.remote);
    return json_response({{"fresh", true}});
  }
  if (place != "/api/v1/session") throw Refused(404, "ROUTE_MISSING", {{"path", place}});
  if (request.method == "POST")
    return signed_in(request, gate.sign_in(body_of(request), request.remote), clock_.now());
  if (request.method == "GET") return json_response(describe(gate.authenticate(request)));
  if (request.method == "DELETE") {
    gate.sign_out(gate.authenticate(request));
    Response out;
    out.status = 204;
    out.with("Set-Cookie", cookie(request, "", 0));
    return out;
  }
  no_method(request, "GET, POST, DELETE");
}

Response Service::setup(Worker& worker, const Request& request) {
  if (request.method == "GET") return json_response({{"needed", worker.gate.needs_setup()}});
  if (request.method != "POST") no_method(request, "GET, POST");
  return signed_in(request, worker.gate.claim_setup(body_of(request), request.remote),
                   clock_.now());
}

std::optional<bool> Service::may_read_now(const Request& request, const std::string& line) {
  try {
    const std::lock_guard lock(watch_guard_);
    if (!watch_) watch_.emplace(data_.path, clock_);
    const Caller caller = watch_->authenticate(request, false);
    return line.empty() || govern::may_read(caller.principal, line);
  } catch (const Error&) {
    return std::nullopt;  // the reader asks anew, and hears why or goes on where he was
  }
}

Response Service::events(Worker& worker, const Request& request) {
  const Caller caller = worker.gate.authenticate(request);
  std::optional<std::int64_t> after;
  const std::string* given = request.header("last-event-id");
  if (given != nullptr) {
    std::int64_t id = 0;
    const auto [end, ec] = std::from_chars(given->data(), given->data() + given->size(), id);
    if (ec == std::errc{} && end == given->data() + given->size()) after = id;
  }
  Response out;
  out.feed = hub_.subscribe([this, asked = std::make_shared<const Request>(request)](
                                const std::string& line) { return may_read_now(*asked, line); },
                            after, caller.principal.id);
  out.with("Content-Type", "text/event-stream").with("X-Accel-Buffering", "no");
  return out;
}

}  // namespace flyball::serve
