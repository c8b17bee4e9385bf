#pragma once
// Requests and responses of users, tokens, approvals, the audit trail and questions on rights.
#include <optional>
#include <string>
#include <vector>

#include "core/record.h"
#include "core/words.h"
#include "govern/govern.h"

namespace flyball::app {

struct ExplainRequest {
  std::string user, operation;
  std::optional<std::string> line;
  static constexpr auto fields() {
    using R = ExplainRequest;
    return FieldList{
        field("user", &R::user, "who").required().positional(),
        field("operation", &R::operation, "name or verb: models.promote, \"models promote\"")
            .required()
            .positional(),
        field("line", &R::line, "on which line; default: on no one line")};
  }
};

struct ExplainResponse {
  bool allowed = false;
  std::string rule, explanation, user, operation;
  govern::Right right = govern::Right::admin;
  std::optional<govern::Grant> grant, needed;
  std::vector<govern::Right> rights;
  static constexpr auto fields() {
    using R = ExplainResponse;
    return FieldList{field("allowed", &R::allowed, "freshly signed in"),
                     field("rule", &R::rule, "which decided"),
                     field("explanation", &R::explanation, "in plain words"),
                     field("user", &R::user, "who"),
                     field("operation", &R::operation, "what"),
                     field("right", &R::right, "that the operation needs"),
                     field("grant", &R::grant, "of the user on the line"),
                     field("needed", &R::needed, "grant that the right needs there"),
                     field("rights", &R::rights, "of the user")};
  }
};

struct UserAddRequest {
  static constexpr std::array<std::string_view, 1> kSecrets{"password"};
  std::string id, display_name;
  govern::Kind kind = govern::Kind::person;
  std::vector<govern::Right> right;
  govern::Grant all_lines = govern::Grant::none;
  std::optional<std::string> password;
  static constexpr auto fields() {
    using R = UserAddRequest;
    return FieldList{
        field("id", &R::id, "name to sign in with").required().positional(),
        field("displayName", &R::display_name, "name to show; default: the id").max_length(200),
        field("kind", &R::kind, "person, agent, or system: another program"),
        field("right", &R::right, "what he may do; repeat for more"),
        field("allLines", &R::all_lines, "grant on every line that has no grant of its own"),
        field("password", &R::password, "of a person").max_length(1024)};
  }
};

struct UserSetRequest {
  static constexpr std::array<std::string_view, 1> kSecrets{"password"};
  std::string id;
  std::optional<std::string> display_name, password;
  std::vector<govern::Right> right;
  bool no_right = false;
  std::string reason;
  static constexpr auto fields() {
    using R = UserSetRequest;
    return FieldList{
        field("id", &R::id, "user").required().positional(),
        field("displayName", &R::display_name, "name to show").max_length(200),
        field("password", &R::password, "a new one; ends his sessions").max_length(1024),
        field("right", &R::right, "all that he may do from now on; repeat for more"),
        field("noRight", &R::no_right, "takes every right"),
        field("reason", &R::reason, "why").max_length(500)};
  }
};

struct UserDisableRequest {
  std::string id;
  bool undo = false;
  std::string reason;
  static constexpr auto fields() {
    using R = UserDisableRequest;
    return FieldList{field("id", &R::id, "user").required().positional(),
                     field("undo", &R::undo, "he may sign in again"),
                     field("reason", &R::reason, "why").max_length(500)};
  }
};

struct UserGrantRequest {
  std::string id;
  govern::Grant level = govern::Grant::none;
  std::optional<std::string> line;
  bool remove = false;
  std::string reason;
  static constexpr auto fields() {
    using R = UserGrantRequest;
    return FieldList{
        field("id", &R::id, "user").required().positional(),
        field("level", &R::level, "what he may do there").positional(),
        field("line", &R::line, "on this line; default: on all that have no grant of their own"),
        field("remove", &R::remove, "the line has no grant of its own any more"),
        field("reason", &R::reason, "why").max_length(500)};
  }
};

struct PasswordRequest {
  static constexpr std::array<std::string_view, 2> kSecrets{"password", "newPassword"};
  std::string password, new_password;
  static constexpr auto fields() {
    using R = PasswordRequest;
    return FieldList{
        field("password", &R::password, "the one so far").required().max_length(1024),
        field("newPassword", &R::new_password, "the one from now on").required().max_length(1024)};
  }
};

struct TokenListRequest {
  std::optional<std::string> user;
  static constexpr auto fields() {
    return FieldList{field("user", &TokenListRequest::user,
                           "of this user; default: one's own, at the command line all")};
  }
};

struct TokenCreateRequest {
  std::string name;
  std::optional<std::string> user;
  std::vector<govern::Right> scope;
  std::vector<std::string> line;
  std::int64_t days = 90;
  static constexpr auto fields() {
    using R = TokenCreateRequest;
    return FieldList{field("name", &R::name, "what it is for").required().positional(),
                     field("user", &R::user, "in whose name; default: one's own"),
                     field("scope", &R::scope, "what it may do; repeat for more").required(),
                     field("line", &R::line,
                           "only on this line; repeat for more; default: on all of the user's"),
                     field("days", &R::days, "how long it is good").range(1, 365).unit("d")};
  }
};

struct TokenCreateResponse {
  std::string text;
  govern::Token token;
  static constexpr auto fields() {
    using R = TokenCreateResponse;
    return FieldList{field("text", &R::text, "the token itself: shown now and never again"),
                     field("token", &R::token, "what is kept of it")};
  }
};

struct TokenRevokeRequest {
  std::string id;
  std::string reason;
  static constexpr auto fields() {
    using R = TokenRevokeRequest;
    return FieldList{field("id", &R::id, "tok-…").required().positional(),
                     field("reason", &R::reason, "why").max_length(500)};
  }
};

struct AuditListRequest {
  std::optional<std::string> actor, action, target, line, cursor;
  std::optional<TimeUs> from, to;
  std::int64_t limit = 100;
  static constexpr auto fields() {
    using R = AuditListRequest;
    return FieldList{field("actor", &R::actor, "by whom"),
                     field("action", &R::action, "which operation: models.promote"),
                     field("target", &R::target, "done to this object"),
                     field("line", &R::line, "on this line"),
                     field("from", &R::from, "not before").unit("us"),
                     field("to", &R::to, "before").unit("us"),
                     field("limit", &R::limit, "items a page").range(1, 1000),
                     field("cursor", &R::cursor, "nextCursor of the page before")};
  }
};

struct AuditVerifyRequest {
  std::optional<std::int64_t> row;
  std::optional<std::string> hash;
  static constexpr auto fields() {
    using R = AuditVerifyRequest;
    return FieldList{
        field("row", &R::row, "number of a row whose hash was noted elsewhere").range(1, 9e15),
        field("hash", &R::hash, "that hash")};
  }
};

struct AuditVerifyResponse {
  bool ok = false;
  std::int64_t rows = 0;
  govern::AuditHead head;
  std::optional<std::int64_t> first_broken;
  std::optional<Words> problem;
  static constexpr auto fields() {
    using R = AuditVerifyResponse;
    return FieldList{field("ok", &R::ok, "every row holds, and none is missing at the end"),
                     field("rows", &R::rows, "rows that were read"),
                     field("head", &R::head, "the newest row: note it in a place of your own"),
                     field("firstBroken", &R::first_broken, "row from which on nothing is proved"),
                     field("problem", &R::problem, "what does not hold")};
  }
};

/// A proof that fails is exit code 1.
inline int exit_code_of(const AuditVerifyResponse& response) {
  return response.ok ? 0 : 1;
}

struct ApprovalListRequest {
  std::optional<govern::ApprovalStatus> status;
  std::optional<std::string> line, object, cursor;
  std::int64_t limit = 100;
  static constexpr auto fields() {
    using R = ApprovalListRequest;
    return FieldList{field("status", &R::status, "with this status"),
                     field("line", &R::line, "of this line; default: of all"),
                     field("object", &R::object, "on this object"),
                     field("limit", &R::limit, "items a page").range(1, 1000),
                     field("cursor", &R::cursor, "nextCursor of the page before")};
  }
};

struct ApprovalDecideRequest {
  static constexpr std::array<std::string_view, 1> kSecrets{"password"};
  std::string id;
  std::optional<std::string> digest;
  std::string comment;
  std::optional<std::string> user, password;
  static constexpr auto fields() {
    using R = ApprovalDecideRequest;
    return FieldList{
        field("id", &R::id, "ap-…").required().positional(),
        field("digest", &R::digest, "of what was looked at; default: as in the request"),
        field("comment", &R::comment, "why; a rejection needs one").max_length(2000),
        field("user", &R::user, "who decides, at the command line"),
        field("password", &R::password, "of who decides, at the command line").max_length(1024)};
  }
};

}  // namespace flyball::app
