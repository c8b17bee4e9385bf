#pragma once
// What a person or a program may do, in general and on a line.
#include <array>
#include <string_view>
#include <vector>

namespace flyball::govern {

/// What an operation needs of its caller. None implies another.
enum class Right { view, train, evaluate, request, approve, operate, admin };
constexpr auto enum_names(Right) {
  return std::array<std::string_view, 7>{"view",    "train",   "evaluate", "request",
                                         "approve", "operate", "admin"};
}

/// What one may do on a line: nothing; look and judge; all that one's rights say.
enum class Grant { none, read, operate };
constexpr auto enum_names(Grant) {
  return std::array<std::string_view, 3>{"none", "read", "operate"};
}

/// person: signs in with a password; agent and system (another program) have API tokens only.
enum class Kind { person, agent, system };
constexpr auto enum_names(Kind) {
  return std::array<std::string_view, 3>{"person", "agent", "system"};
}

/// Those of a person only, signed in: no token and no agent ever has them.
constexpr bool is_personal(Right right) {
  return right == Right::approve || right == Right::admin;
}

/// The least grant on a line under which a right counts there.
constexpr Grant grant_for(Right right) {
  return right == Right::view || right == Right::evaluate ? Grant::read : Grant::operate;
}

bool contains(const std::vector<Right>& rights, Right right);

/// Each once, in the order of the enum.
std::vector<Right> sorted(const std::vector<Right>& rights);

/// Those that both have.
std::vector<Right> common(const std::vector<Right>& a, const std::vector<Right>& b);

std::vector<Right> all_rights();

}  // namespace flyball::govern
