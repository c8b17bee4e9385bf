#pragma once
// An enumerator by the name that a table keeps.
#include <algorithm>
#include <string>

#include "core/error.h"
#include "core/record.h"

namespace flyball::plant {

/// Throws DATABASE_CORRUPT.
template <class E>
E enum_of(const std::string& text) {
  const auto names = enum_names(E{});
  const auto it = std::ranges::find(names, text);
  if (it == names.end())
    throw Error("DATABASE_CORRUPT", {{"path", "flyball.db"}, {"reason", "unknown value " + text}});
  return static_cast<E>(it - names.begin());
}

}  // namespace flyball::plant
