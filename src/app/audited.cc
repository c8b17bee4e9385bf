#include "app/audited.h"

#include <filesystem>

#include "app/app.h"
#include "app/caller.h"

namespace flyball::app {
namespace {

std::string text(const Json& request, const char* field) {
  const auto it = request.is_object() ? request.find(field) : request.end();
  return it != request.end() && it->is_string() ? it->get<std::string>() : "";
}

std::string object_of(const Json& request) {
  for (const char* field : {"id", "dataset", "name", "key", "file"}) {
    if (std::string found = text(request, field); !found.empty()) return found;
  }
  return "";
}

govern::AuditEntry entry_of(const Operation& operation, const Json& request,
                            const govern::Principal& who) {
  govern::AuditEntry e;
  e.actor = who.id;
  e.actor_kind = who.kind;
  e.action = operation.name;
  e.target_kind = operation.name.substr(0, operation.name.find('.'));
  e.target_id = object_of(request);
  e.line_id = e.target_kind == "lines" ? e.target_id : text(request, "line");
  e.reason = text(request, "reason");
  e.after = {{"request", without_secrets(operation, request)}};
  if (!who.token_id.empty()) e.after["token"] = who.token_id;
  return e;
}

/// The line for the trail; an object that is gone or never was has none.
void add_line(govern::AuditEntry& e, const Operation& operation, App& app, const Json& request) {
  if (!e.line_id.empty()) return;
  try {
    const std::vector<std::string> lines = app.lines_of(operation, request);
    if (!lines.empty()) e.line_id = lines.front();
  } catch (const Error&) {
    e.line_id.clear();
  }
}

bool has_records(const App& app) {
  return std::filesystem::exists(app.data().path / "flyball.db");
}

/// This process, as long as it lives.
const std::string& owner() {
  static const std::string kOwner = registry::random_id("process");
  return kOwner;
}

/// What is about to be done is kept first: a process that is killed leaves it behind, and the next
/// one that writes makes a row of it. Making room must go where nothing can be written any more.
std::optional<std::int64_t> begin(const Operation& operation, App& app,
                                  const govern::AuditEntry& e) {
  if (!operation.writes || !has_records(app)) return {};
  const TimeUs now = app.clock().now();
  try {
    govern::Audit& audit = app.governance(true).audit;
    audit.settle(owner(), now);
    return audit.begin(e, owner(), now);
  } catch (const Error& error) {
    if (operation.special == Special::makes_room && error.code() == "DISK_FULL") return {};
    throw;
  }
}

void write_down(App& app, const govern::AuditEntry& e, std::optional<std::int64_t> intent) {
  govern::Audit& audit = app.governance(true).audit;
  if (intent) {
    audit.end(*intent, e, app.clock().now());
  } else {
    audit.append(e, app.clock().now());
  }
}

void add_failure(App& app, govern::AuditEntry e, const std::string& outcome,
                 std::optional<std::int64_t> intent) {
  if (!has_records(app)) return;
  e.outcome = outcome;
  try {
    write_down(app, e, intent);
  } catch (const Error&) {
    // The caller hears of the failure itself, which may well have the same cause.
  }
}

}  // namespace

Json without_secrets(const Operation& operation, const Json& request) {
  Json out = request;
  for (const Flag& flag : operation.flags()) {
    if (flag.secret && out.is_object() && out.contains(flag.name)) out[flag.name] = "(secret)";
  }
  return out;
}

void authorise(const Operation& operation, App& app, const Json& request, const Call& call) {
  const govern::Principal who = caller(call);
  govern::Action action{std::string(operation.name), operation.scope, {}, object_of(request)};
  govern::require(govern::authorise(who, action));
  if (who.is_local()) return;
  for (const std::string& line : app.lines_of(operation, request)) {
    action.line = line;
    govern::require(govern::authorise(who, action));
  }
}

Reply run_audited(const Operation& operation, App& app, const Json& request, const Call& call) {
  if (!operation.writes && operation.special != Special::noted) {
    authorise(operation, app, request, call);
    return operation.invoke(app, request, call);
  }
  const govern::Principal who = caller(call);
  // Whoever is not known writes nothing: the trail is not his to fill.
  if (who.credential == govern::Credential::none) authorise(operation, app, request, call);
  govern::AuditEntry e = entry_of(operation, request, who);
  if (has_records(app)) add_line(e, operation, app, request);  // before a deletion
  Change change;
  Call inner = call;
  inner.change = &change;
  Reply reply;
  std::optional<std::int64_t> intent;
  try {
    authorise(operation, app, request, call);
    if (operation.writes && operation.special != Special::makes_room) app.check_disk();
    intent = begin(operation, app, e);
    reply = operation.invoke(app, request, inner);
  } catch (const Error& error) {
    add_failure(app, std::move(e), error.code(), intent);
    throw;
  } catch (const std::exception&) {
    add_failure(app, std::move(e), "internal", intent);
    throw;
  }
  if (!change.target.empty()) e.target_id = change.target;
  if (!change.line.empty()) e.line_id = change.line;
  e.before = change.before;
  if (!change.after.is_null()) e.after["became"] = change.after;
  if (!has_records(app)) return reply;
  try {
    write_down(app, e, intent);
  } catch (const Error& error) {
    throw Error("AUDIT_NOT_WRITTEN", {{"operation", operation.name}, {"reason", error.what()}});
  }
  return reply;
}

}  // namespace flyball::app
