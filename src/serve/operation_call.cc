#include "serve/operation_call.h"

#include <nlohmann/json.hpp>

#include "app/audited.h"
#include "serve/etag.h"
#include "serve/head.h"

namespace flyball::serve {
namespace {

bool is_dry_run(const Json& json) {
  const auto it = json.find("dryRun");
  return it != json.end() && it->is_boolean() && it->get<bool>();
}

/// Of a change, what those who may read its line are told: never who was given which right.
class Announcement {
 public:
  /// `id`: what the path names; "": nothing.
  Announcement(const app::Operation& operation, const std::string& id, const Json& json,
               app::App& app, const std::string& caller)
      : operation_(operation) {
    if (operation_.name.starts_with("notices.")) user_ = caller;  // his alone
    if (operation_.scope == app::Scope::admin || is_dry_run(json)) return;
    if (!id.empty()) data_["id"] = id;
    try {
      // Before the change: a thing that is deleted has no line afterwards.
      const std::vector<std::string> lines = app.lines_of(operation_, json);
      if (!lines.empty()) line_ = lines.front();
    } catch (const Error&) {
      line_.clear();
    }
  }

  void publish(Hub& hub, const Json& body) {
    if (operation_.scope == app::Scope::admin) return hub_change(hub);
    if (const auto id = body.find("id"); id != body.end() && id->is_string()) data_["id"] = *id;
    if (const auto line = body.find("line");
        line_.empty() && line != body.end() && line->is_string())
      line_ = line->get<std::string>();
    if (!line_.empty()) data_["line"] = line_;
    hub_change(hub);
  }

 private:
  void hub_change(Hub& hub) {
    data_["operation"] = operation_.name;
    const bool dataset = operation_.name == "datasets.build";
    hub.publish({dataset ? "dataset.built" : "change", line_, canonical(data_), user_});
  }

  const app::Operation& operation_;
  std::string line_, user_;
  Json data_ = Json::object();
};

/// Last part of X-File-Name, which is escaped as in a path where it holds more than ASCII.
std::string file_name(const Request& request) {
  const std::string* given = request.header("x-file-name");
  std::string name = given == nullptr ? "upload" : *given;
  if (name.find('%') != std::string::npos) {
    try {
      name = parse_target("/?name=" + name).query.at(0).second;
    } catch (const std::exception&) {
      name = "upload";
    }
  }
  if (const auto slash = name.find_last_of("/\\"); slash != std::string::npos)
    name.erase(0, slash + 1);
  return name.empty() || name.size() > 200 ? "upload" : name;
}

/// If-Match, for who may make the change; whoever may not hears that from app::run.
void check_if_match(const Match& match, const Request& request, const Json& json,
                    const app::Call& call, Worker& worker, const CallContext& context) {
  try {
    app::authorise(*match.route->operation, worker.app, json, call);
  } catch (const Error&) {
    return;
  }
  check_condition(context.router, *match.route, request, json, call, worker.app);
}

Response perform(Worker& worker, const Match& match, const Request& request, const Json& json,
                 const app::Call& call, const CallContext& context) {
  const app::Operation& operation = *match.route->operation;
  if (!operation.writes) {
    Response response = json_response(app::run(operation, worker.app, json, call).body);
    if (operation.method == "GET") answer_condition(request, response);
    return response;
  }
  check_if_match(match, request, json, call, worker, context);
  Announcement announcement(operation, match.parameters.empty() ? "" : match.parameters.front(),
                            json, worker.app, call.principal->id);
  const app::Reply reply = app::run(operation, worker.app, json, call);
  if (!is_dry_run(json)) announcement.publish(context.hub, reply.body);
  Response response = json_response(reply.body);
  const std::string id = reply.body.is_object() ? reply.body.value("id", "") : "";
  if (operation.method == "POST" && operation.name.starts_with("jobs.") && !id.empty()) {
    response.status = 202;
    response.with("Location", "/api/v1/jobs/" + id);
  }
  return response;
}

}  // namespace

Json run_tool(Worker& worker, const app::Operation& operation, const Json& json,
              const Caller& caller, const CallContext& context) {
  app::Call call;
  call.stop = context.stop;
  call.principal = caller.principal;
  call.remote = true;
  call.owns_data = true;
  if (!operation.writes) return app::run(operation, worker.app, json, call).body;
  const auto id = json.find("id");
  Announcement announcement(operation,
                            id != json.end() && id->is_string() ? id->get<std::string>() : "", json,
                            worker.app, caller.principal.id);
  Json body = app::run(operation, worker.app, json, call).body;
  announcement.publish(context.hub, body);
  return body;
}

Response call_operation(Worker& worker, const Match& match, const Request& request,
                        const CallContext& context) {
  const Caller caller = worker.gate.authenticate(request);
  const app::Operation& operation = *match.route->operation;
  Json json = request_json(match, request);
  app::Call call;
  call.stop = context.stop;
  call.principal = caller.principal;
  call.content = take_content(*match.route, request, json, file_name(request));
  call.remote = true;
  call.owns_data = true;

  const std::string* key = request.header("idempotency-key");
  if (key == nullptr || operation.method != "POST" || !operation.writes)
    return perform(worker, match, request, json, call, context);
  const std::string who = caller.principal.id + "/" + caller.principal.token_id;
  if (auto stored = context.answers.begin(who, *key, request_digest(request), context.clock.now()))
    return *stored;
  Response response;
  try {
    response = perform(worker, match, request, json, call, context);
  } catch (const Error& e) {
    response = problem(e);
  } catch (...) {
    Response failed;
    failed.status = 500;
    context.answers.end(who, *key, failed);
    throw;
  }
  // A secret is shown once and kept nowhere.
  const bool secret = operation.name == "tokens.create" && response.status < 300;
  context.answers.end(who, *key, secret ? problem(Error("ANSWER_HELD_A_SECRET")) : response);
  return response;
}

}  // namespace flyball::serve
