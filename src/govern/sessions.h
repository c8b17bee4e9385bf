#pragma once
// Sessions of people who signed in. The secret is in the hands of the browser; here is its hash.
#include <string>

#include "core/time.h"
#include "govern/users.h"
#include "store/sqlite.h"

namespace flyball::govern {

inline constexpr DurationUs kFreshSignIn = 300 * kSecond;

/// What the browser gets, once: `secret` as a cookie that scripts cannot read, `csrf` for the
/// header of every request that changes something.
struct NewSession {
  std::string secret, csrf;
  TimeUs expires_at = 0;
};

class Sessions {
 public:
  static constexpr DurationUs kIdle = 1800 * kSecond;
  static constexpr DurationUs kLongest = 12 * 3600 * kSecond;
  static constexpr DurationUs kSeenStep = 60 * kSecond;  ///< how coarse the last use is kept

  Sessions(store::Database& db, const Users& users) : db_(db), users_(users) {}

  NewSession create(const std::string& user_id, TimeUs now);

  /// Who holds it, with the rights that he has now. Throws SESSION_OVER: unknown, ended, idle for
  /// kIdle, older than kLongest, or its user is disabled. `used`: this is a use, which keeps it
  /// alive.
  Principal authenticate(const std::string& secret, TimeUs now, bool used = true);

  /// The password was given anew.
  void freshen(const std::string& secret, TimeUs now);

  void end(const std::string& secret);  ///< signing out; unknown ones are no error
  void sweep(TimeUs now);               ///< deletes those that are over

  /// What a request that changes something must bring along.
  [[nodiscard]] static bool csrf_matches(const std::string& secret, const std::string& csrf);

 private:
  store::Database& db_;
  const Users& users_;
};

}  // namespace flyball::govern
