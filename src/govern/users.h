#pragma once
// Who may use the product. There is no user to begin with and none with a known password.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/record.h"
#include "core/time.h"
#include "govern/authorise.h"
#include "govern/passwords.h"
#include "store/sqlite.h"

namespace flyball::govern {

struct User {
  std::string id;
  std::string display_name;
  Kind kind = Kind::person;
  std::vector<Right> rights;
  Grant all_lines = Grant::none;
  std::map<std::string, Grant> lines;
  bool disabled = false;
  TimeUs created_at = 0;
  static constexpr auto fields() {
    using U = User;
    return FieldList{field("id", &U::id, "name to sign in with").required(),
                      field("displayName", &U::display_name, "name to show").max_length(200),
                      field("kind", &U::kind, "person, agent or system (another program)"),
                      field("rights", &U::rights, "what he may do where his grants say so"),
                      field("allLines", &U::all_lines, "grant on the lines not named in lines"),
                      field("lines", &U::lines, "grant by line"),
                      field("disabled", &U::disabled, "may do nothing; his records stay"),
                      field("createdAt", &U::created_at, "when").unit("us")};
  }
};

/// What changes; absent members stay.
struct UserChange {
  std::optional<std::string> display_name = {};
  std::optional<std::vector<Right>> rights = {};
  std::optional<std::string> password = {};
  std::optional<bool> disabled = {};
};

/// Each call is atomic by itself and takes part in a transaction that is open already.
class Users {
 public:
  Users(store::Database& db, const Passwords& passwords) : db_(db), passwords_(passwords) {}

  [[nodiscard]] bool any() const;
  [[nodiscard]] std::vector<User> list() const;  ///< by id
  [[nodiscard]] std::optional<User> find(const std::string& id) const;
  [[nodiscard]] User get(const std::string& id) const;  ///< throws NAME_MISSING

  /// Throws NAME_INVALID, NAME_EXISTS, NAME_MISSING (a line), PASSWORD_MISSING (of a person),
  /// PASSWORD_UNFIT (of any other), AGENT_RIGHT (a right that only persons have), and what
  /// check_password() throws. `createdAt` of the argument is not read.
  User add(const User& user, const std::optional<std::string>& password, TimeUs now);

  /// Another password, and disabling, end all of the user's sessions. Throws LAST_ADMIN (nobody
  /// would be left who may administer) and what add() throws.
  User change(const std::string& id, const UserChange& change);

  /// On `line`, or without it on all lines not named. `level` without value takes the line's own
  /// grant away: that of all lines holds again. Throws NAME_MISSING.
  User grant(const std::string& id, const std::optional<std::string>& line,
             std::optional<Grant> level);

  /// False for an unknown user, one without password and a disabled one, in the time that a wrong
  /// password takes.
  [[nodiscard]] bool password_matches(const std::string& id, const std::string& password) const;

 private:
  [[nodiscard]] User with_lines(User user) const;
  [[nodiscard]] bool has_admin() const;
  [[nodiscard]] std::string checked_hash(const User& user, const std::string& password) const;

  store::Database& db_;
  const Passwords& passwords_;
};

/// What a user may do when he has shown who he is. A disabled one is nobody.
Principal principal_of(const User& user, Credential credential, bool fresh = false);

}  // namespace flyball::govern
