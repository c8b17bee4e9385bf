#include "store/row_page.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"

namespace flyball::store {
namespace {

/// Pages of `limit` over rows 1..n, until there is no next one.
std::vector<std::vector<std::int64_t>> pages(Database& db, std::int64_t limit) {
  std::vector<std::vector<std::int64_t>> out;
  std::optional<std::string> cursor;
  do {
    auto page = read_page<std::int64_t>(
        db.query("SELECT n FROM t WHERE n < ? ORDER BY n DESC LIMIT ?", cursor_number('t', cursor),
                 limit + 1),
        't', 0, limit, [](const Statement& q) { return q.integer(0); });
    out.push_back(std::move(page.rows));
    cursor = page.next_cursor;
  } while (cursor);
  return out;
}

TEST(RowPage, EveryRowIsOnOnePageAndTheLastHasNoCursor) {
  Database db(":memory:");
  db.exec("CREATE TABLE t(n INTEGER)");
  EXPECT_EQ(pages(db, 2), (std::vector<std::vector<std::int64_t>>{{}}));
  for (int n = 1; n <= 5; ++n) db.run("INSERT INTO t VALUES(?)", n);
  EXPECT_EQ(pages(db, 2), (std::vector<std::vector<std::int64_t>>{{5, 4}, {3, 2}, {1}}));
  EXPECT_EQ(pages(db, 5).size(), 1U);
}

TEST(RowPage, ACursorIsOfItsListAndANumber) {
  EXPECT_EQ(cursor_number('t', cursor_text('t', 12)), 12);
  EXPECT_EQ(cursor_number('t', std::nullopt), INT64_MAX);
  for (const char* wrong : {"", "t", "r12", "t-1", "t12x", "t 1", "t99999999999999999999"})
    EXPECT_ERROR((void)cursor_number('t', wrong), "CURSOR_INVALID");
}

}  // namespace
}  // namespace flyball::store
