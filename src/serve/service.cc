#include "serve/service.h"

#include <chrono>
#include <nlohmann/json.hpp>

#include "govern/secret.h"
#include "serve/etag.h"
#include "serve/mcp.h"
#include "serve/openapi.h"
#include "serve/operation_call.h"
#include "serve/page.h"

namespace flyball::serve {
namespace {

bool is_api(const Request& request) {
  return request.path.size() >= 2 && request.path[0] == "api" && request.path[1] == "v1";
}

/// Path behind /api/v1.
std::span<const std::string> api_path(const Request& request) {
  return std::span(request.path).subspan(2);
}

bool has_body(const Request& request) {
  const std::string* length = request.header("content-length");
  return request.header("transfer-encoding") != nullptr || (length != nullptr && *length != "0");
}

bool is_upload_type(const std::string& type) {
  return type == "text/csv" || type == "text/plain" || type == "application/octet-stream";
}

bool takes_content(const Route& route) {
  for (const app::Flag& flag : route.flags) {
    if (flag.local == app::Local::input) return true;
  }
  return false;
}

/// 415 and 400 by the head alone.
void check_body_type(const Request& request, const Route* route) {
  if (request.method == "GET" || request.method == "HEAD" || request.method == "DELETE")
    throw Refused(400, "BODY_UNEXPECTED", {{"method", request.method}});
  const std::string type = request.content_type();
  if (type == "application/json") return;
  const bool upload = route != nullptr && takes_content(*route);
  if (upload && is_upload_type(type)) return;
  throw Refused(415, "HTTP_TYPE",
                {{"type", type.empty() ? "without a type" : type},
                 {"expected", upload ? "application/json, text/csv or application/octet-stream"
                                     : "application/json"}});
}

void check_accept(const Request& request, std::string_view type) {
  const std::string* accept = request.header("accept");
  if (accept == nullptr) return;
  const std::string group = std::string(type.substr(0, type.find('/'))) + "/*";
  if (accept->find("*/*") != std::string::npos || accept->find(type) != std::string::npos ||
      accept->find(group) != std::string::npos)
    return;
  throw Refused(406, "HTTP_ACCEPT", {{"type", type}});
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

Service::Service(ServiceOptions options, const app::DataFolder& data, const Clock& clock,
                 Pool& pool, Hub& hub)
    : options_(std::move(options)),
      data_(data),
      clock_(clock),
      pool_(pool),
      router_(app::operations()),
      safety_(options_.hosts),
      hub_(hub),
      answers_(data.path),
      openapi_(canonical(openapi(app::operations()))) {}

void Service::gauge(const std::string& name, std::function<double()> value) {
  gauges_[name] = std::move(value);
}

Handlers Service::handlers() {
  return {[this](const Request& r) { return body_rule(r); },
          [this](std::shared_ptr<Request> r, Done d) { admit(std::move(r), std::move(d)); },
          [this](std::shared_ptr<Request> r, Done d) { handle(std::move(r), std::move(d)); },
          [this](Response& r) {
            metrics_.count("refused", r.status, 0);
            add_safety_headers(r);
          }};
}

BodyRule Service::body_rule(const Request& request) const {
  if (!has_body(request)) return {};
  const Route* route = nullptr;
  if (is_api(request)) {
    try {
      route = router_.match(request.method, api_path(request)).route;
    } catch (const Error&) {
      // not an operation: small bodies only, handle() says the rest
    }
  }
  check_body_type(request, route);
  if (route == nullptr) return {.limit = 16 * 1024};
  const bool upload = is_upload_type(request.content_type());
  const std::string* length = request.header("content-length");
  const bool small = length != nullptr && length->size() <= 4;  // below 10 kB
  return {upload ? options_.upload_limit : options_.body_limit, upload && !small, !small};
}

void Service::admit(std::shared_ptr<Request> request, Done done) {
  post(
      Lane::read,
      [this, request](Worker& worker) {
        safety_.check(*request);
        const Match match = router_.match(request->method, api_path(*request));
        const Caller caller = worker.gate.authenticate(*request);
        worker.gate.authorise(caller, *match.route->operation, std::nullopt, "");
        return Response{};
      },
      [done = std::move(done)](Response response) {
        if (response.status != 200) add_safety_headers(response);
        done(std::move(response));
      });
}

void Service::handle(std::shared_ptr<Request> request, Done done) {
  if (options_.behind_proxy) {
    if (const std::string* from = request->header("x-forwarded-for"))
      request->remote = from->substr(from->find_last_of(", ") + 1);
    if (const std::string* scheme = request->header("x-forwarded-proto"))
      request->secure = *scheme == "https";
  }
  const auto start = std::chrono::steady_clock::now();
  const Done counted = [this, start, request, done = std::move(done)](Response response) {
    metrics_.count(operation_name(*request), response.status, seconds_since(start));
    add_safety_headers(response);
    done(std::move(response));
  };
  try {
    safety_.check(*request);
    dispatch(request, counted);
  } catch (const Error& e) {
    Response refusal = problem(e);
    if (refusal.status == 405)
      refusal.with("Allow", is_api(*request)             ? router_.allowed(api_path(*request))
                            : request->place() == "/mcp" ? "POST"
                                                         : "GET, HEAD");
    counted(std::move(refusal));
  } catch (const std::exception& e) {
    counted(failed(e));
  }
}

std::string Service::operation_name(const Request& request) const {
  if (!is_api(request)) {
    const std::string_view place = request.place();
    return place == "/healthz" || place == "/readyz" || place == "/metrics" || place == "/mcp"
               ? "service"
               : "page";
  }
  try {
    return std::string(router_.match(request.method, api_path(request)).route->operation->name);
  } catch (const Error&) {
    return "service";
  }
}

void Service::dispatch(const std::shared_ptr<Request>& request, const Done& done) {
  const bool reads = request->method == "GET" || request->method == "HEAD";
  const std::string_view place = request->place();
  if (reads && place == "/healthz") return done(json_response({{"status", "ok"}}));
  if (reads && (place == "/readyz" || place == "/metrics")) {
    return post(
        Lane::read,
        [this, request](Worker& worker) {
          (void)worker.gate.authenticate(*request);
          return request->place() == "/readyz" ? ready(worker) : metrics_page();
        },
        done);
  }
  if (is_api(*request)) return api(request, done);
  if (place == "/mcp") return mcp(request, done);
  done(page(*request));
}

void Service::mcp(const std::shared_ptr<Request>& request, const Done& done) {
  if (request->method != "POST")
    throw Refused(405, "METHOD_NOT_ALLOWED",
                  {{"method", request->method}, {"path", "/mcp"}, {"allowed", "POST"}});
  const app::Operation* operation = operation_of_mcp(request->content());
  post(
      operation == nullptr ? Lane::read : lane_of(*operation),
      [this, request](Worker& worker) {
        const Caller caller = worker.gate.authenticate(*request);
        const CallContext context{router_, hub_, answers_, clock_, stop_.get_token()};
        const auto answer =
            answer_mcp(request->content(),
                       {[&](const app::Operation& o, const Json& json) {
                          return run_tool(worker, o, json, caller, context);
                        },
                        [&](const app::Operation& o) {
                          return govern::contains(caller.principal.rights, o.scope);
                        }},
                       {true, request->header("mcp-protocol-version"),
                        request->header("mcp-method"), request->header("mcp-name")});
        Response response;
        response.status = 202;
        if (!answer) return response;
        return json_response(*answer, answer->contains("error") ? 400 : 200);
      },
      done);
}

void Service::api(const std::shared_ptr<Request>& request, const Done& done) {
  const auto path = api_path(*request);
  const std::string_view word = path.empty() ? std::string_view{} : path.front();
  if (word == "session" || (word == "setup" && path.size() == 1)) {
    return post(
        Lane::read,
        [this, request, word](Worker& w) {
          return word == "setup" ? setup(w, *request) : session(w, *request);
        },
        done);
  }
  if (path.size() == 1 && request->method == "GET" && word == "events")
    return post(
        Lane::read, [this, request](Worker& w) { return events(w, *request); }, done);
  if (path.size() == 1 && request->method == "GET" && word == "openapi.json") {
    return post(
        Lane::read,
        [this, request](Worker& worker) {
          (void)worker.gate.authenticate(*request);
          Response response;
          response.body = openapi_;
          response.with("Content-Type", "application/json");
          answer_condition(*request, response);
          return response;
        },
        done);
  }
  check_accept(*request, "application/json");
  Match match = router_.match(request->method, path);
  const Lane lane = lane_of(*match.route->operation);
  post(
      lane,
      [this, request, match = std::move(match)](Worker& worker) {
        return call_operation(worker, match, *request,
                              {router_, hub_, answers_, clock_, stop_.get_token()});
      },
      done);
}

void Service::post(Lane lane, Work work, const Done& done) {
  const bool taken = pool_.post(lane, [this, work = std::move(work), done](Worker& worker) {
    Response response;
    try {
      response = work(worker);
    } catch (const Error& e) {
      response = problem(e);
    } catch (const std::exception& e) {
      response = failed(e);
    }
    done(std::move(response));
  });
  if (!taken) done(problem(Error("TOO_MANY_REQUESTS", {{"limit", pool_.limit()}})));
}

Response Service::failed(const std::exception& error) const {
  const std::string id = govern::random_id("err");
  options_.log(canonical({{"event", "request.failed"}, {"id", id}, {"reason", error.what()}}));
  return problem(Error("SERVICE_FAILED", {{"id", id}}));
}

}  // namespace flyball::serve
