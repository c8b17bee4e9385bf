// Use cases of users, tokens, approvals, the audit trail and questions on rights.
#include <algorithm>
#include <charconv>

#include "app/app.h"
#include "app/caller.h"
#include "app/promotion.h"
#include "app/items.h"
#include "app/records.h"
#include "store/savepoint.h"

namespace flyball::app {
namespace {

using govern::Governance;
using govern::Right;

/// One page of rows that have an id each: the cursor is that of the last row.
template <class Row>
ItemsResponse page_of(const std::vector<Row>& rows, std::int64_t limit,
                      const std::optional<std::string>& cursor) {
  auto at = rows.begin();
  if (cursor) {
    at = std::ranges::find(rows, *cursor, &Row::id);
    if (at == rows.end()) throw Error("CURSOR_INVALID", {{"cursor", *cursor}}, "/cursor");
    ++at;
  }
  ItemsResponse out;
  for (; at != rows.end() && std::ssize(out.items) < limit; ++at)
    out.items.push_back(to_json_value(*at));
  if (at != rows.end()) out.next_cursor = std::prev(at)->id;
  return out;
}

/// What concerns another user is administration.
void require_own(const Call& call, std::string_view operation, const std::string& user) {
  if (caller(call).id != user) require_right(call, operation, Right::admin, {});
}

void note(const Call& call, const std::string& target, const Json& before, const Json& after) {
  if (call.change == nullptr) return;
  call.change->target = target;
  call.change->before = before;
  call.change->after = after;
}

const Operation& named_operation(const std::string& name) {
  std::vector<std::string_view> names;
  for (const Operation& o : operations()) {
    if (o.name == name || o.verb == name) return o;
    names.push_back(o.name);
  }
  throw Error("NAME_MISSING", {{"what", "operation"},
                               {"name", name},
                               {"place", ""},
                               {"suggestion", record_detail::suggestion(name, names)}});
}

std::int64_t cursor_number(const std::string& cursor) {
  std::int64_t out = 0;
  const auto [end, ec] = std::from_chars(cursor.data(), cursor.data() + cursor.size(), out);
  if (ec != std::errc{} || end != cursor.data() + cursor.size())
    throw Error("CURSOR_INVALID", {{"cursor", cursor}}, "/cursor");
  return out;
}

}  // namespace

Governance& App::governance(bool writes) {
  return records(writes).govern;
}

ExplainResponse App::explain_right(const ExplainRequest& request, const Call& call) {
  require_own(call, "auth.explain", request.user);
  const Operation& operation = named_operation(request.operation);
  const govern::User user = governance().users.get(request.user);
  const auto credential =
      user.kind == govern::Kind::person ? govern::Credential::session : govern::Credential::token;
  const govern::Principal who = govern::principal_of(user, credential, true);
  const govern::Decision decision =
      govern::authorise(who, {std::string(operation.name), operation.scope, request.line, {}});
  ExplainResponse out;
  out.allowed = decision.allowed;
  out.rule = decision.explanation.code;
  out.explanation = decision.explanation.text();
  out.user = user.id;
  out.operation = operation.name;
  out.right = operation.scope;
  out.rights = user.rights;
  if (request.line) {
    out.grant = who.on(*request.line);
    out.needed = govern::grant_for(operation.scope);
  }
  return out;
}

govern::User App::set_password(const PasswordRequest& request, const Call& call) {
  const govern::Principal who = caller(call);
  if (who.credential != govern::Credential::session)
    throw Error("PERSON_NEEDED",
                {{"operation", "auth.password"}, {"object", ""}, {"right", "view"}});
  Governance& g = governance(true);
  (void)g.sign_in.person(who.id, request.password, "", clock_.now());
  govern::User user = g.users.change(who.id, {.password = request.new_password});
  note(call, user.id, nullptr, nullptr);
  return user;
}

ItemsResponse App::list_users(const ListRequest& request, const Call&) {
  return page_of(governance().users.list(), request.limit, request.cursor);
}

govern::User App::add_user(const UserAddRequest& request, const Call& call) {
  govern::User user;
  user.id = request.id;
  user.display_name = request.display_name;
  user.kind = request.kind;
  user.rights = request.right;
  user.all_lines = request.all_lines;
  govern::User made = governance(true).users.add(user, request.password, clock_.now());
  note(call, made.id, nullptr, to_json_value(made));
  return made;
}

govern::User App::set_user(const UserSetRequest& request, const Call& call) {
  govern::Users& users = governance(true).users;
  const govern::User before = users.get(request.id);
  govern::UserChange change;
  change.display_name = request.display_name;
  change.password = request.password;
  if (!request.right.empty() || request.no_right) change.rights = request.right;
  govern::User after = users.change(request.id, change);
  note(call, after.id, to_json_value(before), to_json_value(after));
  return after;
}

govern::User App::disable_user(const UserDisableRequest& request, const Call& call) {
  govern::Users& users = governance(true).users;
  const govern::User before = users.get(request.id);
  govern::User after = users.change(request.id, {.disabled = !request.undo});
  note(call, after.id, to_json_value(before), to_json_value(after));
  return after;
}

govern::User App::grant_user(const UserGrantRequest& request, const Call& call) {
  govern::Users& users = governance(true).users;
  const govern::User before = users.get(request.id);
  const auto level = request.remove ? std::nullopt : std::optional(request.level);
  govern::User after = users.grant(request.id, request.line, level);
  note(call, after.id, to_json_value(before), to_json_value(after));
  if (call.change != nullptr) call.change->line = request.line.value_or("");
  return after;
}

ItemsResponse App::list_tokens(const TokenListRequest& request, const Call& call) {
  const govern::Principal who = caller(call);
  const std::string user = request.user.value_or(who.is_local() ? "" : who.id);
  require_own(call, "tokens.list", user);
  ItemsResponse out;
  for (const govern::Token& t : governance().tokens.list(user))
    out.items.push_back(to_json_value(t));
  return out;
}

TokenCreateResponse App::create_token(const TokenCreateRequest& request, const Call& call) {
  const govern::Principal who = caller(call);
  if (who.credential == govern::Credential::token) throw Error("TOKEN_FROM_TOKEN");
  govern::Token token;
  token.name = request.name;
  token.user_id = request.user.value_or(who.id);
  require_own(call, "tokens.create", token.user_id);
  token.scopes = request.scope;
  token.lines = request.line;
  const TimeUs now = clock_.now();
  token.expires_at = now + request.days * kDay;
  const govern::NewToken made = governance(true).tokens.create(token, now);
  note(call, made.token.id, nullptr, to_json_value(made.token));
  return {made.text, made.token};
}

govern::Token App::revoke_token(const TokenRevokeRequest& request, const Call& call) {
  govern::Tokens& tokens = governance(true).tokens;
  const govern::Token before = tokens.get(request.id);
  require_own(call, "tokens.revoke", before.user_id);
  govern::Token after = tokens.revoke(request.id, clock_.now());
  note(call, after.id, to_json_value(before), to_json_value(after));
  return after;
}

ItemsResponse App::list_audit(const AuditListRequest& request, const Call& call) {
  govern::AuditFilter filter;
  filter.actor = request.actor.value_or("");
  filter.action = request.action.value_or("");
  filter.target_id = request.target.value_or("");
  filter.line_id = request.line.value_or("");
  filter.from = request.from;
  filter.to = request.to;
  std::optional<std::int64_t> before;
  if (request.cursor) before = cursor_number(*request.cursor);
  const govern::AuditPage page = governance().audit.list(filter, request.limit, before);
  const govern::Principal who = caller(call);
  ItemsResponse out;
  for (const govern::AuditRow& row : page.rows) {
    const bool readable = row.line_id.empty() ? govern::contains(who.rights, Right::admin)
                                              : govern::may_read(who, row.line_id);
    if (readable || row.actor == who.id) out.items.push_back(to_json_value(row));
  }
  if (page.next) out.next_cursor = std::to_string(*page.next);
  return out;
}

AuditVerifyResponse App::verify_audit(const AuditVerifyRequest& request, const Call&) {
  if (request.row.has_value() != request.hash.has_value())
    throw Error("FIELD_REQUIRED", {{"field", request.row ? "hash" : "row"}});
  std::optional<govern::AuditHead> noted;
  if (request.row) noted = {*request.row, *request.hash};
  const govern::AuditVerdict v = governance().audit.verify(noted);
  AuditVerifyResponse out{!v.problem, v.rows, v.head, v.first_broken, {}};
  if (v.problem) out.problem = words(*v.problem);
  return out;
}

ItemsResponse App::list_approvals(const ApprovalListRequest& request, const Call& call) {
  const govern::ApprovalFilter filter{request.status, request.line.value_or(""),
                                      request.object.value_or("")};
  return page_of(readable(call, governance().approvals.list(filter, clock_.now())), request.limit,
                 request.cursor);
}

govern::Approval App::show_approval(const IdRequest& request, const Call&) {
  return governance().approvals.get(request.id, clock_.now());
}

govern::Approval App::decide(const ApprovalDecideRequest& request, govern::Verdict verdict,
                             const Call& call) {
  Records& r = records(true);
  govern::Governance& g = r.govern;
  const TimeUs now = clock_.now();
  govern::Principal who = caller(call);
  if (who.is_local() && request.user)
    who = g.sign_in.person(*request.user, request.password.value_or(""), "", now);
  store::Savepoint part(r.db);
  const govern::Approval before = g.approvals.get(request.id, now);
  // What is decided on is what is there now; a caller who looked at something else says so.
  const bool promotion = before.kind == kPromotion;
  const std::string present =
      promotion ? promotion_digest(r.registry, r.registry.model(before.object)) : before.digest;
  if (request.digest && *request.digest != present)
    throw Error("APPROVAL_STALE", {{"id", before.id}, {"object", before.object}}, "/digest");
  govern::Approval after =
      g.approvals.decide(request.id, verdict, who, present, request.comment, now);
  if (promotion && after.status == govern::ApprovalStatus::approved)
    carry_out_promotion(r.registry, r.stages, after, now);
  part.commit();
  note(call, after.id, to_json_value(before), to_json_value(after));
  if (call.change != nullptr) call.change->line = after.line_id;
  return after;
}

govern::Approval App::approve(const ApprovalDecideRequest& request, const Call& call) {
  return decide(request, govern::Verdict::approve, call);
}

govern::Approval App::reject(const ApprovalDecideRequest& request, const Call& call) {
  return decide(request, govern::Verdict::reject, call);
}

}  // namespace flyball::app
