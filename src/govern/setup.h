#pragma once
// How the first administrator comes to be: whoever reads the token that the program prints at its
// start on the machine itself. The first visitor of the page is nobody.
#include <optional>
#include <string>

#include "core/time.h"
#include "govern/audit.h"
#include "govern/users.h"
#include "store/sqlite.h"

namespace flyball::govern {

class Setup {
 public:
  static constexpr DurationUs kLasts = kDay;

  Setup(store::Database& db, Users& users, Audit& audit) : db_(db), users_(users), audit_(audit) {}

  /// A new token in the place of any older one; none when there is a user already. It is kept as a
  /// hash.
  std::optional<std::string> issue(TimeUs now);

  /// Makes the first administrator: a person with all rights on all lines. The token is spent by
  /// it, and by nothing that fails; it is a row of the audit trail. Throws SETUP_REFUSED (unknown,
  /// expired or spent token, or there is a user already) and what Users::add() throws.
  User claim(const std::string& token, const std::string& user_id, const std::string& display_name,
             const std::string& password, TimeUs now);

 private:
  store::Database& db_;
  Users& users_;
  Audit& audit_;
};

}  // namespace flyball::govern
