#pragma once
// Who calls, as the use cases ask for it.
#include <optional>
#include <string>
#include <vector>

#include "app/operations.h"

namespace flyball::app {

/// The one who calls; the local user where nobody else is named, nobody for what came over a wire.
govern::Principal caller(const Call& call);

/// His name for what he changes. `by` is a name that the request gives: only the local user may
/// give another than his own (AUTHOR_OTHER).
std::string author_of(const Call& call, const std::optional<std::string>& by);

/// For what only shows within an operation: throws what authorise() refuses.
void require_right(const Call& call, std::string_view operation, Scope right,
                   const std::optional<std::string>& line);

/// Without the rows of lines that the caller may not read.
template <class Row>
std::vector<Row> readable(const Call& call, std::vector<Row> rows) {
  const govern::Principal who = caller(call);
  std::erase_if(rows, [&](const Row& row) {
    if constexpr (requires { row.line_id; }) {
      return !govern::may_read(who, row.line_id);
    } else {
      return !govern::may_read(who, row.id);  // of a line
    }
  });
  return rows;
}

}  // namespace flyball::app
