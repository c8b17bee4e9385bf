#include "store/sqlite_error.h"

#include <sqlite3.h>

#include <cerrno>

#include "core/error.h"
#include "store/system_error.h"

namespace flyball::store {

std::string sqlite_name(sqlite3* db) {
  const char* name = db == nullptr ? nullptr : sqlite3_db_filename(db, "main");
  return name == nullptr || *name == '\0' ? ":memory:" : name;
}

void throw_sqlite_error(sqlite3* db, int result, const std::string& path) {
  const std::string reason = db == nullptr ? sqlite3_errstr(result) : sqlite3_errmsg(db);
  const int error = db == nullptr ? 0 : sqlite3_system_errno(db);
  switch (result & 0xff) {
    case SQLITE_FULL:
      throw Error("DISK_FULL", {{"path", path}});
    case SQLITE_IOERR:
      if (error == ENOSPC || error == EDQUOT || error == EROFS) throw_write_error(error, path);
      throw Error("DATABASE_FAILED", {{"path", path}, {"reason", reason}});
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      throw Error("DATABASE_CORRUPT", {{"path", path}, {"reason", reason}});
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      throw Error("DATABASE_BUSY", {{"path", path}});
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN:
      if (error == ENOSPC || error == EDQUOT) throw_write_error(error, path);
      throw Error("FOLDER_NOT_WRITABLE", {{"path", path}, {"reason", reason}});
    case SQLITE_CONSTRAINT:
      throw Error("DATABASE_CONSTRAINT", {{"path", path}, {"reason", reason}});
    default:
      throw Error("DATABASE_FAILED", {{"path", path}, {"reason", reason}});
  }
}

}  // namespace flyball::store
