#include "govern/sign_in.h"

namespace flyball::govern {

Principal SignIn::person(const std::string& user_id, const std::string& password,
                         const std::string& address, TimeUs now) {
  throttle_.begin(user_id, address, now);
  const bool right = users_.password_matches(user_id, password);
  const std::optional<User> user = users_.find(user_id);
  AuditEntry entry;
  // A name that is no user's may be a password in the wrong field.
  entry.actor = user ? user->id : "unknown";
  entry.actor_kind = Kind::person;
  entry.action = "auth.sign-in";
  entry.target_kind = "users";
  entry.target_id = entry.actor;
  entry.outcome = right ? "done" : "SIGN_IN_REFUSED";
  entry.after = {{"address", address}};
  audit_.append(entry, now);
  if (!right) throw Error("SIGN_IN_REFUSED");
  throttle_.succeeded(user_id, address);
  return principal_of(users_.get(user_id), Credential::session, true);
}

NewSession SignIn::sign_in(const std::string& user_id, const std::string& password,
                           const std::string& address, TimeUs now) {
  return sessions_.create(person(user_id, password, address, now).id, now);
}

void SignIn::confirm(const std::string& session, const std::string& password,
                     const std::string& address, TimeUs now) {
  person(sessions_.authenticate(session, now).id, password, address, now);
  sessions_.freshen(session, now);
}

}  // namespace flyball::govern
