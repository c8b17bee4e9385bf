#include "govern/authorise.h"

#include "core/record.h"

namespace flyball::govern {

Grant Principal::on(const std::string& line) const {
  if (is_local()) return Grant::operate;
  const auto it = lines.find(line);
  return it == lines.end() ? all_lines : it->second;
}

Principal local_principal(std::string name) {
  return {std::move(name), Kind::system, Credential::local, "", all_rights(), Grant::operate, {}};
}

Decision authorise(const Principal& principal, const Action& action) {
  const std::string right(enum_name(action.right));
  const std::string object = action.object.empty() ? "" : " " + action.object;
  const std::vector<Param> named{{"user", principal.id},
                                 {"operation", action.operation},
                                 {"object", object},
                                 {"right", right},
                                 {"line", action.line.value_or("")}};
  if (principal.is_local()) return {true, {"LOCAL_OWNER", named}};
  if (principal.credential == Credential::none || principal.id.empty())
    return {false, {"UNAUTHENTICATED", named}};
  if (is_personal(action.right) &&
      (principal.kind != Kind::person || principal.credential != Credential::session))
    return {false, {"PERSON_NEEDED", named}};
  if (!contains(principal.rights, action.right)) return {false, {"RIGHT_MISSING", named}};
  if (action.line) {
    const Grant grant = principal.on(*action.line);
    if (grant == Grant::none) return {false, {"LINE_FORBIDDEN", named}};
    if (grant < grant_for(action.right)) return {false, {"LINE_READONLY", named}};
  }
  if (action.right == Right::approve && !principal.fresh)
    return {false, {"FRESH_SIGN_IN_NEEDED", named}};
  return {true, {"ACCESS_ALLOWED", named}};
}

void require(const Decision& decision) {
  if (!decision.allowed) throw Error(decision.explanation.code, decision.explanation.params);
}

bool may_read(const Principal& principal, const std::string& line) {
  return principal.on(line) != Grant::none;
}

}  // namespace flyball::govern
