#include <algorithm>

#include "govern/secret.h"
#include "govern/tokens.h"
#include "plant/plant_store.h"
#include "store/columns.h"

namespace flyball::govern {
namespace {

constexpr std::string_view kAdd =
    "INSERT INTO api_tokens(id, hash, name, user_id, scopes_json, lines_json, created_at, "
    "expires_at) VALUES(?, ?, ?, ?, ?, ?, ?, ?)";
constexpr std::string_view kTokens =
    "SELECT id, name, user_id, scopes_json, lines_json, created_at, expires_at, last_used_at, "
    "revoked_at FROM api_tokens WHERE (?1 = '' OR user_id = ?1) AND (?2 = '' OR id = ?2) "
    "AND (?3 = '' OR hash = ?3) ORDER BY rowid DESC";
constexpr std::string_view kUsed = "UPDATE api_tokens SET last_used_at = ?2 WHERE id = ?1";
constexpr std::string_view kRevoke =
    "UPDATE api_tokens SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL";

template <class T>
T value_of(const store::Statement& q, int column) {
  T out{};
  std::vector<Problem> problems;
  read_value(store::json_column(q, column), out, "", {0, 0, 10'000}, problems);
  if (!problems.empty()) throw Error::of("DATABASE_RECORD", std::move(problems));
  return out;
}

std::vector<Token> tokens(store::Database& db, const std::string& user_id, const std::string& id,
                          const std::string& hash) {
  std::vector<Token> out;
  for (store::Statement q = db.query(kTokens, user_id, id, hash); q.step();)
    out.push_back({q.text(0), q.text(1), q.text(2), value_of<std::vector<Right>>(q, 3),
                   value_of<std::vector<std::string>>(q, 4), q.integer(5), q.integer(6),
                   q.integer_or_none(7), q.integer_or_none(8)});
  return out;
}

void check_scopes(const User& user, const std::vector<Right>& scopes) {
  if (scopes.empty())
    throw Error("TOKEN_SCOPE", {{"right", "nothing"}, {"user", user.id}}, "/scope");
  for (const Right right : scopes) {
    if (is_personal(right) || !contains(user.rights, right))
      throw Error("TOKEN_SCOPE", {{"right", enum_name(right)}, {"user", user.id}}, "/scope");
  }
}

}  // namespace

NewToken Tokens::create(Token token, TimeUs now) {
  const User user = users_.get(token.user_id);
  if (token.name.empty() || token.name.size() > 100) throw Error("TOKEN_NAME", {}, "/name");
  check_scopes(user, token.scopes);
  const Principal owner = principal_of(user, Credential::token);
  for (const std::string& line : token.lines) {
    (void)plant::PlantStore(db_).line(line);
    if (!may_read(owner, line))
      throw Error("LINE_FORBIDDEN", {{"user", user.id}, {"line", line}}, "/line");
  }
  if (token.expires_at <= now || token.expires_at - now > kLongest)
    throw Error("TOKEN_EXPIRY", {{"days", kLongest / kDay}}, "/days");
  token.id = random_id("tok");
  token.scopes = sorted(token.scopes);
  token.created_at = now;
  const std::string text = std::string(kPrefix) + random_secret();
  db_.run(kAdd, token.id, secret_hash(text), token.name, token.user_id,
          canonical(to_json_value(token.scopes)), canonical(to_json_value(token.lines)), now,
          token.expires_at);
  return {get(token.id), text};
}

Principal Tokens::authenticate(const std::string& text, TimeUs now, bool used) {
  const std::vector<Token> found = tokens(db_, "", "", secret_hash(text));
  if (!text.starts_with(kPrefix) || found.empty()) throw Error("TOKEN_REFUSED");
  const Token& token = found.front();
  const std::optional<User> user = users_.find(token.user_id);
  if (token.revoked_at || now >= token.expires_at || !user || user->disabled)
    throw Error("TOKEN_REFUSED");
  if (used && (!token.last_used_at || now - *token.last_used_at >= kUsedStep))
    db_.run(kUsed, token.id, now - now % kUsedStep);
  Principal out = principal_of(*user, Credential::token);
  out.token_id = token.id;
  out.rights = common(out.rights, token.scopes);
  std::erase_if(out.rights, is_personal);
  if (token.lines.empty()) return out;
  const Principal owner = out;
  out.all_lines = Grant::none;
  out.lines.clear();
  for (const std::string& line : token.lines) out.lines[line] = owner.on(line);
  return out;
}

std::vector<Token> Tokens::list(const std::string& user_id) const {
  return tokens(db_, user_id, "", "");
}

Token Tokens::get(const std::string& id) const {
  if (!id.empty()) {
    if (const std::vector<Token> found = tokens(db_, "", id, ""); !found.empty())
      return found.front();
  }
  throw Error("NAME_MISSING", {{"what", "token"}, {"name", id}, {"place", ""}, {"suggestion", ""}});
}

Token Tokens::revoke(const std::string& id, TimeUs now) {
  (void)get(id);
  db_.run(kRevoke, id, now);
  return get(id);
}

}  // namespace flyball::govern
