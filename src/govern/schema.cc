#include "govern/schema.h"

namespace flyball::govern {
namespace {

// A REPLACE deletes without asking the trigger of DELETE, hence audit_only_grows.
constexpr std::string_view kTables = R"sql(
CREATE TABLE users (
  id TEXT PRIMARY KEY,
  display_name TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('person', 'agent', 'system')),
  rights_json TEXT NOT NULL,
  all_lines TEXT NOT NULL CHECK (all_lines IN ('none', 'read', 'operate')),
  password_hash TEXT,
  disabled INTEGER NOT NULL CHECK (disabled IN (0, 1)),
  created_at INTEGER NOT NULL,
  CHECK ((kind = 'person') = (password_hash IS NOT NULL))
) STRICT;
CREATE TABLE user_line_grants (
  user_id TEXT NOT NULL REFERENCES users(id),
  line_id TEXT NOT NULL REFERENCES lines(id) ON DELETE CASCADE,
  level TEXT NOT NULL CHECK (level IN ('none', 'read', 'operate')),
  PRIMARY KEY (user_id, line_id)
) STRICT;
CREATE TABLE setup_tokens (
  hash TEXT PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE TABLE sessions (
  hash TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users(id),
  created_at INTEGER NOT NULL,
  authenticated_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL
) STRICT;
CREATE TABLE sign_in_tries (
  key_hash TEXT PRIMARY KEY,
  failures INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  blocked_until INTEGER NOT NULL
) STRICT;
CREATE TABLE api_tokens (
  id TEXT PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users(id),
  scopes_json TEXT NOT NULL,
  lines_json TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at INTEGER
) STRICT;
CREATE TABLE approvals (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  object TEXT NOT NULL,
  digest TEXT NOT NULL,
  line_id TEXT NOT NULL,
  requested_by TEXT NOT NULL,
  requested_at INTEGER NOT NULL,
  reason TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'expired')),
  decided_by TEXT,
  decided_at INTEGER,
  comment TEXT NOT NULL,
  CHECK (status NOT IN ('approved', 'rejected') OR
         (decided_by IS NOT NULL AND decided_at IS NOT NULL AND decided_by <> requested_by))
) STRICT;
CREATE UNIQUE INDEX one_pending_approval ON approvals(kind, object) WHERE status = 'pending';
CREATE TABLE audit (
  number INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  actor_kind TEXT NOT NULL,
  action TEXT NOT NULL,
  target_kind TEXT NOT NULL,
  target_id TEXT NOT NULL,
  line_id TEXT NOT NULL,
  outcome TEXT NOT NULL,
  before_json TEXT NOT NULL,
  after_json TEXT NOT NULL,
  reason TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
CREATE TRIGGER audit_only_grows BEFORE INSERT ON audit
WHEN NEW.number IS NOT (SELECT coalesce(max(number), 0) + 1 FROM audit)
BEGIN SELECT RAISE(ABORT, 'rows of the audit trail are only added at its end'); END;
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'rows of the audit trail are never changed'); END;
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, 'rows of the audit trail are never deleted'); END;
)sql";

constexpr std::string_view kIntents = R"sql(
CREATE TABLE audit_intents (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  owner TEXT NOT NULL,
  at INTEGER NOT NULL,
  entry_json TEXT NOT NULL
) STRICT;
)sql";

}  // namespace

store::Migration intent_migration(int number) {
  return {number, "what was begun and is not in the audit trail yet", kIntents};
}

store::Migration migration(int number) {
  return {number, "users, tokens, approvals, audit trail", kTables};
}

}  // namespace flyball::govern
