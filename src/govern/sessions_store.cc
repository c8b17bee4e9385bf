#include "govern/secret.h"
#include "govern/sessions.h"

namespace flyball::govern {
namespace {

constexpr std::string_view kAdd =
    "INSERT INTO sessions(hash, user_id, created_at, authenticated_at, last_seen_at) "
    "VALUES(?, ?, ?, ?, ?)";
constexpr std::string_view kSession =
    "SELECT user_id, created_at, authenticated_at, last_seen_at FROM sessions WHERE hash = ?";
constexpr std::string_view kSeen = "UPDATE sessions SET last_seen_at = ?2 WHERE hash = ?1";
constexpr std::string_view kFreshen = "UPDATE sessions SET authenticated_at = ?2 WHERE hash = ?1";
constexpr std::string_view kEnd = "DELETE FROM sessions WHERE hash = ?";
constexpr std::string_view kSweep =
    "DELETE FROM sessions WHERE last_seen_at <= ? OR created_at <= ?";

}  // namespace

NewSession Sessions::create(const std::string& user_id, TimeUs now) {
  sweep(now);
  const std::string secret = random_secret();
  db_.run(kAdd, secret_hash(secret), user_id, now, now, now);
  return {secret, csrf_token(secret), now + kLongest};
}

Principal Sessions::authenticate(const std::string& secret, TimeUs now, bool used) {
  const std::string hash = secret_hash(secret);
  store::Statement q = db_.query(kSession, hash);
  if (!q.step()) throw Error("SESSION_OVER");
  const std::string user_id = q.text(0);
  const TimeUs created = q.integer(1), authenticated = q.integer(2), seen = q.integer(3);
  q.finish();
  const std::optional<User> user = users_.find(user_id);
  if (now - seen >= kIdle || now - created >= kLongest || !user || user->disabled) {
    if (used) end(secret);
    throw Error("SESSION_OVER");
  }
  if (used && now - seen >= kSeenStep) db_.run(kSeen, hash, now);
  const bool fresh = now >= authenticated && now - authenticated <= kFreshSignIn;
  return principal_of(*user, Credential::session, fresh);
}

void Sessions::freshen(const std::string& secret, TimeUs now) {
  db_.run(kFreshen, secret_hash(secret), now);
}

void Sessions::end(const std::string& secret) {
  db_.run(kEnd, secret_hash(secret));
}

void Sessions::sweep(TimeUs now) {
  db_.run(kSweep, now - kIdle, now - kLongest);
}

bool Sessions::csrf_matches(const std::string& secret, const std::string& csrf) {
  return same_text(csrf_token(secret), csrf);
}

}  // namespace flyball::govern
