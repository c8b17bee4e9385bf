#pragma once
// Pages of a list that is ordered by a number of its rows, falling. The cursor is a letter of the
// list and the number of the last row of the page before.
//
//   read_page<Model>(db.query("... WHERE number < ? ... ORDER BY number DESC LIMIT ?",
//                             cursor_number('r', cursor), limit + 1), 'r', 0, limit, read);
#include <optional>
#include <string>
#include <vector>

#include "store/sqlite.h"

namespace flyball::store {

template <class Row>
struct RowPage {
  std::vector<Row> rows;
  std::optional<std::string> next_cursor;
};

/// Rows with a smaller number follow; without a cursor all do. Throws CURSOR_INVALID.
std::int64_t cursor_number(char list, const std::optional<std::string>& cursor);
std::string cursor_text(char list, std::int64_t number);

/// The first `limit` rows of a query that asks for one more; `read` makes a row, the integer in
/// `column` is its number.
template <class Row, class Read>
RowPage<Row> read_page(Statement q, char list, int column, std::int64_t limit, Read read) {
  RowPage<Row> out;
  std::int64_t last = 0;
  while (q.step()) {
    if (static_cast<std::int64_t>(out.rows.size()) == limit) {
      out.next_cursor = cursor_text(list, last);
      break;
    }
    last = q.integer(column);
    out.rows.push_back(read(q));
  }
  return out;
}

}  // namespace flyball::store
