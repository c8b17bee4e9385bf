#pragma once
// What a person should look at, and what would settle it. A survey changes nothing.
#include <string>
#include <vector>

#include "core/words.h"

namespace flyball::survey {

struct Proposal {
  std::string code, text;
  Json params = Json::object();   ///< name → {value, unit?}
  std::vector<std::string> tags;  ///< names of tags or variables
  std::string field;              ///< flag or field that would apply it; "" when looking is all
  std::string value;              ///< what it would be set to
  static constexpr auto fields() {
    using P = Proposal;  // flyball::field: the member of that name hides it
    return FieldList{
        flyball::field("code", &P::code, "stable"),
        flyball::field("text", &P::text, "in plain words"),
        flyball::field("params", &P::params, "named values, with units where they have one"),
        flyball::field("tags", &P::tags, "tags or variables that it is about"),
        flyball::field("field", &P::field, "flag or field that would apply it; empty: look at it"),
        flyball::field("value", &P::value, "what it would be set to")};
  }
};

Proposal propose(const Message& message, std::vector<std::string> tags, std::string field = {},
                 std::string value = {});

/// "u1, u2, u3 and 4 more": at most six names.
std::string list_of(const std::vector<std::string>& names);

}  // namespace flyball::survey
