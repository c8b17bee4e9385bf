#pragma once
// The schema of a database as a numbered list that only grows. Which numbers were applied stands in
// the table schema_version(number, name). All that are missing are applied in one transaction: a
// database is never between two of them, and a fresh one waits for the disk once.
#include <span>
#include <string_view>

#include "store/sqlite.h"

namespace flyball::store {

struct Migration {
  int number;             ///< 1, 2, 3, ... without gaps
  std::string_view name;  ///< what it does, in a few words
  std::string_view sql;   ///< one or more statements
};

/// Applies what is missing, in order and all or nothing; how many. Throws DATABASE_TOO_NEW when the
/// file holds a number beyond the list: a newer program wrote it.
int migrate(Database& db, std::span<const Migration> migrations);

/// The highest number applied; 0 for a fresh file.
int schema_version(Database& db);

}  // namespace flyball::store
