#include "govern/secret.h"
#include "govern/setup.h"
#include "store/savepoint.h"

namespace flyball::govern {
namespace {

constexpr std::string_view kClear = "DELETE FROM setup_tokens";
constexpr std::string_view kAdd = "INSERT INTO setup_tokens(hash, expires_at) VALUES(?, ?)";
constexpr std::string_view kValid = "SELECT 1 FROM setup_tokens WHERE hash = ? AND expires_at > ?";

}  // namespace

std::optional<std::string> Setup::issue(TimeUs now) {
  store::Savepoint part(db_);
  if (users_.any()) return {};
  const std::string token = random_secret();
  db_.run(kClear);
  db_.run(kAdd, secret_hash(token), now + kLasts);
  part.commit();
  return token;
}

User Setup::claim(const std::string& token, const std::string& user_id,
                  const std::string& display_name, const std::string& password, TimeUs now) {
  store::Savepoint part(db_);
  if (users_.any() || !db_.query(kValid, secret_hash(token), now).step())
    throw Error("SETUP_REFUSED");
  User user;
  user.id = user_id;
  user.display_name = display_name;
  user.rights = all_rights();
  user.all_lines = Grant::operate;
  const User made = users_.add(user, password, now);
  db_.run(kClear);
  AuditEntry entry;
  entry.actor = entry.target_id = made.id;
  entry.actor_kind = Kind::person;
  entry.action = "auth.setup";
  entry.target_kind = "users";
  entry.after = to_json_value(made);
  audit_.append(entry, now);
  part.commit();
  if (part.outermost()) audit_.seal();
  return made;
}

}  // namespace flyball::govern
