#include "store/migrations.h"

#include <cassert>

#include "core/error.h"

namespace flyball::store {
namespace {

constexpr auto kCreate =
    "CREATE TABLE IF NOT EXISTS schema_version(number INTEGER PRIMARY KEY, name TEXT NOT NULL)";
constexpr auto kExists =
    "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'schema_version'";
constexpr auto kNewest = "SELECT coalesce(max(number), 0) FROM schema_version";
constexpr auto kRecord = "INSERT INTO schema_version(number, name) VALUES(?, ?)";

std::int64_t single(Database& db, std::string_view sql) {
  Statement q = db.query(sql);
  q.step();
  return q.integer(0);
}

}  // namespace

int schema_version(Database& db) {
  return single(db, kExists) == 0 ? 0 : static_cast<int>(single(db, kNewest));
}

int migrate(Database& db, std::span<const Migration> migrations) {
  int applied = 0;
  for (std::size_t i = 0; i < migrations.size(); ++i) {
    assert(migrations[i].number == static_cast<int>(i) + 1 &&
           "migrations are numbered 1, 2, 3, ...");
  }
  const int known = static_cast<int>(migrations.size());
  if (const int found = schema_version(db); found > known) {
    throw Error("DATABASE_TOO_NEW", {{"found", found}, {"known", known}});
  } else if (found == known) {
    return 0;
  }
  Transaction transaction(db);
  db.exec(kCreate);
  // Read inside the transaction: another process may have migrated while this one waited.
  const int done = schema_version(db);
  for (const Migration& m : migrations) {
    if (m.number <= done) continue;
    db.exec(std::string(m.sql));
    db.run(kRecord, m.number, m.name);
    ++applied;
  }
  transaction.commit();
  return applied;
}

}  // namespace flyball::store
