#include <sqlite3.h>

#include <memory>

#include "store/sqlite.h"
#include "store/sqlite_error.h"

namespace flyball::store {
namespace {

constexpr int kPagesAtOnce = 512;

struct Close {
  void operator()(sqlite3* db) const { sqlite3_close_v2(db); }
};
using Handle = std::unique_ptr<sqlite3, Close>;

Handle create(const std::filesystem::path& path) {
  sqlite3* db = nullptr;
  const int result = sqlite3_open_v2(
      path.c_str(), &db,
      SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
      nullptr);
  Handle out(db);
  if (result != SQLITE_OK) throw_sqlite_error(db, result, path.string());
  return out;
}

}  // namespace

void Database::copy_to(const std::filesystem::path& path, const std::function<void(double)>& step) {
  const Handle to = create(path);
  const auto fail = [&](int result) { throw_sqlite_error(to.get(), result, path.string()); };
  struct Finish {
    void operator()(sqlite3_backup* b) const { sqlite3_backup_finish(b); }
  };
  std::unique_ptr<sqlite3_backup, Finish> copy(sqlite3_backup_init(to.get(), "main", db_, "main"));
  if (!copy) fail(sqlite3_errcode(to.get()));
  for (int result = SQLITE_OK; result != SQLITE_DONE;) {
    result = sqlite3_backup_step(copy.get(), kPagesAtOnce);
    if (result != SQLITE_OK && result != SQLITE_DONE) {
      copy.reset();
      fail(result);
    }
    const int pages = sqlite3_backup_pagecount(copy.get());
    if (step && pages > 0) step(1 - double(sqlite3_backup_remaining(copy.get())) / pages);
  }
  if (const int result = sqlite3_backup_finish(copy.release()); result != SQLITE_OK) fail(result);
  // The copy says in its head that it has a log, as its source does.
  const int result =
      sqlite3_exec(to.get(), "PRAGMA journal_mode = DELETE", nullptr, nullptr, nullptr);
  if (result != SQLITE_OK) fail(result);
}

}  // namespace flyball::store
