#include <algorithm>

#include "govern/users.h"
#include "plant/names.h"
#include "plant/plant_store.h"
#include "store/columns.h"
#include "store/savepoint.h"

namespace flyball::govern {
namespace {

constexpr std::string_view kAny = "SELECT 1 FROM users LIMIT 1";
constexpr std::string_view kUsers =
    "SELECT id, display_name, kind, rights_json, all_lines, disabled, created_at FROM users "
    "WHERE ?1 = '' OR id = ?1 ORDER BY id";
constexpr std::string_view kGrants =
    "SELECT line_id, level FROM user_line_grants WHERE user_id = ? ORDER BY line_id";
constexpr std::string_view kAdd =
    "INSERT INTO users(id, display_name, kind, rights_json, all_lines, password_hash, disabled, "
    "created_at) VALUES(?, ?, ?, ?, ?, ?, ?, ?)";
constexpr std::string_view kChange =
    "UPDATE users SET display_name = ?2, rights_json = ?3, disabled = ?4 WHERE id = ?1";
constexpr std::string_view kSetPassword = "UPDATE users SET password_hash = ?2 WHERE id = ?1";
constexpr std::string_view kPassword =
    "SELECT password_hash FROM users WHERE id = ? AND disabled = 0";
constexpr std::string_view kEndSessions = "DELETE FROM sessions WHERE user_id = ?";
constexpr std::string_view kSetAllLines = "UPDATE users SET all_lines = ?2 WHERE id = ?1";
constexpr std::string_view kSetGrant =
    "INSERT INTO user_line_grants(user_id, line_id, level) VALUES(?, ?, ?) "
    "ON CONFLICT(user_id, line_id) DO UPDATE SET level = excluded.level";
constexpr std::string_view kDropGrant =
    "DELETE FROM user_line_grants WHERE user_id = ? AND line_id = ?";

std::vector<Right> rights_of(const store::Statement& q, int column) {
  std::vector<Right> out;
  std::vector<Problem> problems;
  read_value(store::json_column(q, column), out, "", {0, 0, 100}, problems);
  if (!problems.empty()) throw Error::of("DATABASE_RECORD", std::move(problems));
  return out;
}

/// Without the grants by line.
User user_row(const store::Statement& q) {
  return {q.text(0),
          q.text(1),
          store::enum_column<Kind>(q, 2),
          rights_of(q, 3),
          store::enum_column<Grant>(q, 4),
          {},
          q.integer(5) != 0,
          q.integer(6)};
}

std::string rights_text(const std::vector<Right>& rights) {
  return canonical(to_json_value(sorted(rights)));
}

void check_rights(Kind kind, const std::vector<Right>& rights) {
  if (kind == Kind::person) return;
  for (const Right right : rights) {
    if (is_personal(right))
      throw Error("AGENT_RIGHT", {{"kind", enum_name(kind)}, {"right", enum_name(right)}},
                  "/rights");
  }
}

}  // namespace

bool Users::any() const {
  return db_.query(kAny).step();
}

std::vector<User> Users::list() const {
  std::vector<User> out;
  for (store::Statement q = db_.query(kUsers, ""); q.step();) out.push_back(user_row(q));
  for (User& user : out) user = with_lines(std::move(user));
  return out;
}

std::optional<User> Users::find(const std::string& id) const {
  if (id.empty()) return {};
  store::Statement q = db_.query(kUsers, id);
  if (!q.step()) return {};
  return with_lines(user_row(q));
}

User Users::with_lines(User user) const {
  for (store::Statement q = db_.query(kGrants, user.id); q.step();)
    user.lines[q.text(0)] = store::enum_column<Grant>(q, 1);
  return user;
}

User Users::get(const std::string& id) const {
  if (auto user = find(id)) return std::move(*user);
  const std::vector<User> all = list();
  std::vector<std::string_view> names;
  for (const User& u : all) names.push_back(u.id);
  throw Error("NAME_MISSING", {{"what", "user"},
                               {"name", id},
                               {"place", ""},
                               {"suggestion", record_detail::suggestion(id, names)}});
}

std::string Users::checked_hash(const User& user, const std::string& password) const {
  if (user.kind != Kind::person)
    throw Error("PASSWORD_UNFIT", {{"kind", enum_name(user.kind)}}, "/password");
  check_password(password, user.id, user.display_name);
  return passwords_.hash(password);
}

User Users::add(const User& user, const std::optional<std::string>& password, TimeUs now) {
  plant::check_slug("user", user.id);
  check_rights(user.kind, user.rights);
  if (user.kind == Kind::person && !password)
    throw Error("PASSWORD_MISSING", {{"user", user.id}}, "/password");
  std::optional<std::string> hash;
  if (password) hash = checked_hash(user, *password);
  store::Savepoint part(db_);
  if (find(user.id))
    throw Error("NAME_EXISTS", {{"what", "user"}, {"name", user.id}, {"place", ""}});
  const std::string& shown = user.display_name.empty() ? user.id : user.display_name;
  db_.run(kAdd, user.id, shown, enum_name(user.kind), rights_text(user.rights),
          enum_name(user.all_lines), hash, user.disabled, now);
  for (const auto& [line, level] : user.lines) grant(user.id, line, level);
  part.commit();
  return get(user.id);
}

User Users::change(const std::string& id, const UserChange& change) {
  std::optional<std::string> hash;
  if (change.password) {
    User named = get(id);
    if (change.display_name) named.display_name = *change.display_name;
    hash = checked_hash(named, *change.password);
  }
  store::Savepoint part(db_);
  const bool had_admin = has_admin();
  User user = get(id);
  if (change.display_name) user.display_name = *change.display_name;
  if (change.rights) {
    check_rights(user.kind, *change.rights);
    user.rights = *change.rights;
  }
  if (change.disabled) user.disabled = *change.disabled;
  db_.run(kChange, id, user.display_name, rights_text(user.rights), user.disabled);
  if (hash) db_.run(kSetPassword, id, *hash);
  if (hash || user.disabled) db_.run(kEndSessions, id);
  if (had_admin && !has_admin()) throw Error("LAST_ADMIN", {{"user", id}});
  part.commit();
  return get(id);
}

bool Users::has_admin() const {
  return std::ranges::any_of(
      list(), [](const User& u) { return !u.disabled && contains(u.rights, Right::admin); });
}

User Users::grant(const std::string& id, const std::optional<std::string>& line,
                  std::optional<Grant> level) {
  store::Savepoint part(db_);
  (void)get(id);
  if (!line) {
    db_.run(kSetAllLines, id, enum_name(level.value_or(Grant::none)));
  } else if (level) {
    (void)plant::PlantStore(db_).line(*line);
    db_.run(kSetGrant, id, *line, enum_name(*level));
  } else {
    db_.run(kDropGrant, id, *line);
  }
  part.commit();
  return get(id);
}

bool Users::password_matches(const std::string& id, const std::string& password) const {
  store::Statement q = db_.query(kPassword, id);
  if (!q.step() || q.is_null(0)) {
    q.finish();
    return passwords_.matches_none(password);
  }
  const std::string hash = q.text(0);
  q.finish();
  return passwords_.matches(hash, password);
}

Principal principal_of(const User& user, Credential credential, bool fresh) {
  if (user.disabled) return {};
  return {user.id, user.kind, credential, "", user.rights, user.all_lines, user.lines, fresh};
}

}  // namespace flyball::govern
