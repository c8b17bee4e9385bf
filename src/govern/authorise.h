#pragma once
// The one place that says yes or no. Deny by default: what no rule allows is refused.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "govern/rights.h"

namespace flyball::govern {

/// How a caller showed who he is. local: he runs the program on the machine that keeps the data
/// folder, whose owner the operating system knows.
enum class Credential { none, local, session, token };
constexpr auto enum_names(Credential) {
  return std::array<std::string_view, 4>{"none", "local", "session", "token"};
}

/// Who calls, as found for this one call: rights and lines are those that hold now. The default is
/// nobody.
struct Principal {
  std::string id;
  Kind kind = Kind::person;
  Credential credential = Credential::none;
  std::string token_id = {};  ///< of the API token, if he came with one
  std::vector<Right> rights = {};
  Grant all_lines = Grant::none;            ///< on the lines that `lines` does not name
  std::map<std::string, Grant> lines = {};  ///< by line
  bool fresh = false;                       ///< the password was given within the last kFreshSignIn

  [[nodiscard]] Grant on(const std::string& line) const;
  [[nodiscard]] bool is_local() const { return credential == Credential::local; }
};

/// The owner of the data folder at the command line: everything but what needs two people.
Principal local_principal(std::string name);

/// What is asked for. Without `line` it concerns no one line (a list, a setting): what it shows of
/// lines is filtered by may_read().
struct Action {
  std::string operation;  ///< "models.show"
  Right right = Right::admin;
  std::optional<std::string> line = {};
  std::string object = {};  ///< id of what it is done to; only named in the explanation
};

/// `explanation.code` is the rule that decided: ACCESS_ALLOWED or LOCAL_OWNER; else what is thrown:
/// UNAUTHENTICATED, PERSON_NEEDED, RIGHT_MISSING, LINE_FORBIDDEN, LINE_READONLY,
/// FRESH_SIGN_IN_NEEDED.
struct Decision {
  bool allowed = false;
  Message explanation;
};

/// Pure. The rules, in this order, the first that applies:
///   local owner of the data folder            allowed
///   not signed in                             UNAUTHENTICATED
///   right is personal, caller is not a person with a session   PERSON_NEEDED
///   right is not among the caller's           RIGHT_MISSING
///   no grant on the line                      LINE_FORBIDDEN
///   grant below grant_for(right)              LINE_READONLY
///   approve, without a fresh sign-in          FRESH_SIGN_IN_NEEDED
///   otherwise                                 allowed
Decision authorise(const Principal& principal, const Action& action);

/// Throws the refusal.
void require(const Decision& decision);

/// Whether a list shows what belongs to this line.
bool may_read(const Principal& principal, const std::string& line);

}  // namespace flyball::govern
