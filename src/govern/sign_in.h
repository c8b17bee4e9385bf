#pragma once
// A password becomes a session. Every try is throttled and stands in the audit trail.
#include <string>

#include "govern/audit.h"
#include "govern/sessions.h"
#include "govern/throttle.h"
#include "govern/users.h"

namespace flyball::govern {

class SignIn {
 public:
  SignIn(Users& users, Sessions& sessions, Throttle& throttle, Audit& audit)
      : users_(users), sessions_(sessions), throttle_(throttle), audit_(audit) {}

  /// `address` is that of the peer, "" at the command line. Throws SIGN_IN_WAIT (throttled) or
  /// SIGN_IN_REFUSED, which does not tell a wrong password from an unknown or disabled user.
  NewSession sign_in(const std::string& user_id, const std::string& password,
                     const std::string& address, TimeUs now);

  /// The password again, for what needs a fresh sign-in. Throws SESSION_OVER and the above.
  void confirm(const std::string& session, const std::string& password, const std::string& address,
               TimeUs now);

  /// Without a session: a person who shows for this one call who he is.
  Principal person(const std::string& user_id, const std::string& password,
                   const std::string& address, TimeUs now);

 private:
  Users& users_;
  Sessions& sessions_;
  Throttle& throttle_;
  Audit& audit_;
};

}  // namespace flyball::govern
