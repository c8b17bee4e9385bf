#pragma once
// API tokens: for programs and agents, in the name of a user and with no more than his rights. The
// text is shown once; here is its hash.
#include <string>
#include <vector>

#include "core/record.h"
#include "core/time.h"
#include "govern/users.h"
#include "store/sqlite.h"

namespace flyball::govern {

struct Token {
  std::string id, name, user_id;
  std::vector<Right> scopes;
  std::vector<std::string> lines;
  TimeUs created_at = 0, expires_at = 0;
  std::optional<TimeUs> last_used_at, revoked_at;
  static constexpr auto fields() {
    using T = Token;
    return FieldList{field("id", &T::id, "tok-…"),
                     field("name", &T::name, "what it is for"),
                     field("userId", &T::user_id, "in whose name"),
                     field("scopes", &T::scopes, "what it may do, of what its user may"),
                     field("lines", &T::lines, "only on these; empty: on all of its user's"),
                     field("createdAt", &T::created_at, "when").unit("us"),
                     field("expiresAt", &T::expires_at, "good until").unit("us"),
                     field("lastUsedAt", &T::last_used_at, "to a quarter of an hour").unit("us"),
                     field("revokedAt", &T::revoked_at, "no longer good since").unit("us")};
  }
};

struct NewToken {
  Token token;
  std::string text;  ///< fbt_ and 64 hexadecimal digits
};

class Tokens {
 public:
  static constexpr std::string_view kPrefix = "fbt_";
  static constexpr DurationUs kLongest = 365 * kDay;
  static constexpr DurationUs kUsedStep = 900 * kSecond;

  Tokens(store::Database& db, const Users& users) : db_(db), users_(users) {}

  /// `token` says name, user, scopes, lines and expiry. Throws NAME_MISSING (user, line),
  /// TOKEN_NAME, TOKEN_SCOPE (none, personal, or beyond the user's rights), LINE_FORBIDDEN (a line
  /// on which the user has no grant), TOKEN_EXPIRY.
  NewToken create(Token token, TimeUs now);

  /// Who comes with it: the rights that token and user share now. Throws TOKEN_REFUSED: unknown,
  /// expired, revoked, or its user is disabled. `used`: this is a use, which is noted.
  Principal authenticate(const std::string& text, TimeUs now, bool used = true);

  [[nodiscard]] std::vector<Token> list(
      const std::string& user_id) const;                 ///< "": all; newest first
  [[nodiscard]] Token get(const std::string& id) const;  ///< throws NAME_MISSING
  Token revoke(const std::string& id, TimeUs now);       ///< again is no error

 private:
  store::Database& db_;
  const Users& users_;
};

}  // namespace flyball::govern
