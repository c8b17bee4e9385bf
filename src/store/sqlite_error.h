#pragma once
// What SQLite says as a named error, in one place.
#include <string>

struct sqlite3;

namespace flyball::store {

/// Path of the file; ":memory:" without one.
std::string sqlite_name(sqlite3* db);

/// Throws what store/sqlite.h names for `result`; `db` may be null.
[[noreturn]] void throw_sqlite_error(sqlite3* db, int result, const std::string& path);

}  // namespace flyball::store
