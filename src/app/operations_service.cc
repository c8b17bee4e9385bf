// Operations on settings, users, tokens, approvals, the audit trail and backups.
#include <array>

#include "app/operation_row.h"
#include "app/operation_tables.h"

namespace flyball::app {
namespace {

using S = Scope;

// clang-format off
constexpr std::array kOperations{
    operation<&App::show_config>("config.show", "config show", "GET", "/config", S::view, false, "settings, each with its source"),
    operation<&App::set_config>("config.set", "config set", "PATCH", "/config/{key}", S::admin, true, "change a setting; loosening a gate needs a reason", Special::makes_room),
    operation<&App::explain_right>("auth.explain", "auth explain", "GET", "/auth/explain/{user}/{operation}", S::view, false, "may a user do this, and which rule says so"),
    operation<&App::set_password>("auth.password", "auth password", "POST", "/auth/password", S::view, true, "a person changes the own password; every session ends"),
    operation<&App::list_users>("users.list", "users list", "GET", "/users", S::admin, false, "who may use the product, with rights and grants"),
    operation<&App::add_user>("users.add", "users add", "POST", "/users", S::admin, true, "add a user without grants on any line, unless --all-lines says otherwise"),
    operation<&App::set_user>("users.set", "users set", "PATCH", "/users/{id}", S::admin, true, "change name, password or rights of a user"),
    operation<&App::disable_user>("users.disable", "users disable", "POST", "/users/{id}/disable", S::admin, true, "a user may do nothing any more; what he did stays", Special::makes_room),
    operation<&App::grant_user>("users.grant", "users grant", "POST", "/users/{id}/grants", S::admin, true, "what a user may do on a line, or on all"),
    operation<&App::list_tokens>("tokens.list", "tokens list", "GET", "/tokens", S::view, false, "API tokens, newest first; never their texts"),
    operation<&App::create_token>("tokens.create", "tokens create", "POST", "/tokens", S::view, true, "an API token for a program or an agent; its text is shown once"),
    operation<&App::revoke_token>("tokens.revoke", "tokens revoke", "POST", "/tokens/{id}/revoke", S::view, true, "an API token is no longer good", Special::makes_room),
    operation<&App::list_approvals>("approvals.list", "approvals list", "GET", "/approvals", S::view, false, "what waits for the decision of another person, and what was decided"),
    operation<&App::show_approval>("approvals.show", "approvals show", "GET", "/approvals/{id}", S::view, false, "one request for an approval"),
    operation<&App::approve>("approvals.approve", "approvals approve", "POST", "/approvals/{id}/approve", S::approve, true, "another person than the requester says yes"),
    operation<&App::reject>("approvals.reject", "approvals reject", "POST", "/approvals/{id}/reject", S::approve, true, "another person than the requester says no, and why"),
    operation<&App::list_audit>("audit.list", "audit list", "GET", "/audit", S::view, false, "who did what, newest first"),
    operation<&App::verify_audit>("audit.verify", "audit verify", "POST", "/audit/verify", S::view, false, "check every row of the audit trail, and that none is missing at its end"),
    operation<&App::backup>("backup", "backup", "POST", "/backup", S::admin, false, "copy all that is stored into a folder, also while the service runs", Special::noted),
    operation<&App::restore>("restore", "restore", "POST", "/restore", S::admin, false, "check a backup, or put it back into an empty data folder", Special::noted),
    operation<&App::system>("system", "system", "GET", "/system", S::view, false, "how full the disk is, and what takes the room"),
    operation<&App::retain>("retention.run", "retention run", "POST", "/retention", S::admin, true, "remove what is too old and nobody needs: the rules are settings", Special::makes_room),
    operation<&App::version>("version", "version", "GET", "/version", S::view, false, "version of the product"),
};
// clang-format on

}  // namespace

std::span<const Operation> service_operations() {
  return kOperations;
}

}  // namespace flyball::app
