// Who may do what, and what was done.
#include "core/catalogue_tables.h"

namespace flyball {
namespace {

using E = Errc;

// clang-format off
constexpr CatalogueEntry kEntries[] = {
    // govern: authorise
    {"ACCESS_ALLOWED", {}, "{user} may: the right {right} and the grants that {operation}{object} needs are there"},
    {"LOCAL_OWNER", {}, "{user} runs the program on the data folder itself: the operating system guards its files, and who may write them may do all but decide alone what two people decide"},
    {"UNAUTHENTICATED", E::unauthenticated, "this needs a caller who is known: sign in, or send an API token"},
    {"PERSON_NEEDED", E::permission_denied, "{operation}{object} needs the right {right}, which only a person who signed in can use: no API token and no agent has it"},
    {"RIGHT_MISSING", E::permission_denied, "{user} does not have the right {right} that {operation}{object} needs: an administrator gives it with flyball users set"},
    {"LINE_FORBIDDEN", E::permission_denied, "{user} has no grant on line {line}: an administrator gives one with flyball users grant"},
    {"LINE_READONLY", E::permission_denied, "{user} may only read on line {line}, and {operation}{object} needs the grant operate there: an administrator gives it with flyball users grant"},
    {"FRESH_SIGN_IN_NEEDED", E::permission_denied, "{operation}{object} needs the password once more: it was given more than 5 minutes ago"},
    // govern: users, passwords, sign-in
    {"PASSWORD_SHORT", E::invalid_argument, "the password has {length} characters: take at least {least}"},
    {"PASSWORD_LONG", E::invalid_argument, "the password has {length} bytes: take at most {most}"},
    {"PASSWORD_HAS_NAME", E::invalid_argument, "the password is little more than the name of its user: without it at least {least} characters must be left"},
    {"PASSWORD_MISSING", E::invalid_argument, "{user} is a person and needs a password: with --password it is asked for, or read from standard input"},
    {"PASSWORD_UNFIT", E::invalid_argument, "a user of the kind {kind} has no password: give it an API token with flyball tokens create"},
    {"AGENT_RIGHT", E::invalid_argument, "a user of the kind {kind} never has the right {right}: it is for persons"},
    {"LAST_ADMIN", E::failed_precondition, "{user} is the last one who may administer: give another person the right admin first"},
    {"HASH_MEMORY", E::unavailable, "a password could not be hashed: it needs {memory} of memory; try again in a moment"},
    {"RANDOM_UNAVAILABLE", E::unavailable, "the system gives no random numbers"},
    {"SIGN_IN_REFUSED", E::unauthenticated, "user and password do not fit"},
    {"SIGN_IN_WAIT", E::resource_exhausted, "too many tries with a wrong password: the next one counts in {wait}"},
    {"SESSION_OVER", E::unauthenticated, "the session is over: sign in again"},
    {"SETUP_REFUSED", E::permission_denied, "the set-up token is not valid: it serves once, for 24 hours and while there is no user; the program prints a new one when it starts"},
    {"TOKEN_REFUSED", E::unauthenticated, "the API token is unknown, expired or revoked: create one with flyball tokens create"},
    {"TOKEN_NAME", E::invalid_argument, "an API token needs a name of 1 to 100 bytes that says what it is for"},
    {"TOKEN_SCOPE", E::invalid_argument, "an API token of {user} cannot have the scope {right}: scopes are rights that its user has, at least one, and never approve or admin"},
    {"TOKEN_EXPIRY", E::invalid_argument, "an API token is good for 1 to {days} days"},
    // govern: approvals
    {"APPROVAL_PENDING", E::already_exists, "a request for {object} waits already: {id}"},
    {"APPROVAL_EXPIRY", E::invalid_argument, "a request that expires at {at} could not be decided on: give a time to come"},
    {"APPROVAL_EXPIRED", E::failed_precondition, "request {id} expired at {at}: it must be made anew"},
    {"APPROVAL_DECIDED", E::failed_precondition, "request {id} is {status} already, by {by}"},
    {"APPROVAL_STALE", E::failed_precondition, "{object} is not any more what request {id} was made for: it must be made anew"},
    {"APPROVER_NOT_PERSON", E::permission_denied, "request {id} is decided by a person who signs in: at the command line give --user and --password"},
    {"APPROVER_IS_REQUESTER", E::permission_denied, "{user} made request {id}: another person decides on it"},
    {"COMMENT_MISSING", E::invalid_argument, "who rejects request {id} says why: give --comment"},
    // app: rights
    {"AUTHOR_OTHER", E::permission_denied, "{user} is signed in and cannot act as {by}: leave the field out"},
    {"LINE_UNKNOWN", E::internal, "{operation} does not say which line it concerns, so only the local user may call it"},
    {"TOKEN_FROM_TOKEN", E::permission_denied, "an API token does not create another: sign in"},
    {"SECRET_MISSING", E::invalid_argument, "{secret} is needed: it is asked for on a terminal, else read from standard input, a line each"},
    {"AUDIT_NOT_WRITTEN", E::unavailable, "{operation} was done, but not written into the audit trail: {reason}; make room or repair the database before you go on"},
    // govern: audit
    {"AUDIT_ROW_CHANGED", {}, "row {row} of the audit trail does not hold: it, or one before it, was changed"},
    {"AUDIT_ROW_MISSING", {}, "row {row} of the audit trail is missing: row {found} stands in its place"},
    {"AUDIT_CUT_OFF", {}, "the audit trail once reached row {row} and now has {rows} rows: its end was cut off"},
    {"AUDIT_REWRITTEN", {}, "row {row} of the audit trail is another one than that whose hash was kept: the trail was written anew"},
};
// clang-format on

}  // namespace

std::span<const CatalogueEntry> catalogue_govern() {
  return kEntries;
}

}  // namespace flyball
