#include "store/sqlite.h"

#include <sqlite3.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>

#include "core/error.h"
#include "store/sqlite_error.h"
#include "store/system_error.h"

namespace flyball::store {
namespace {

/// A service holds half a dozen connections, and each fills its cache in time: half a megabyte
/// each, the rest is the system's cache of the file.
constexpr const char* kCache = "PRAGMA cache_size = -512";

[[noreturn]] void fail(sqlite3* db, int result) {
  throw_sqlite_error(db, result, sqlite_name(db));
}

/// Readers of a write-ahead log share a file beside the database, which a folder that cannot be
/// written does not let them make; without a log there is nothing that they would have to share.
bool nothing_can_change(const std::filesystem::path& path) {
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  std::error_code ignored;
  return ::access(folder.c_str(), W_OK) != 0 &&
         !std::filesystem::exists(path.string() + "-wal", ignored);
}

std::string immutable_uri(const std::filesystem::path& path) {
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(path).string()) {
    if (c == '%' || c == '?' || c == '#') {
      constexpr auto kHex = "0123456789ABCDEF";
      uri += {'%', kHex[c >> 4], kHex[c & 15]};
    } else {
      uri += c;
    }
  }
  return uri + "?immutable=1";
}

void require_ok(sqlite3_stmt* stmt, int result) {
  if (result != SQLITE_OK) fail(sqlite3_db_handle(stmt), result);
}

}  // namespace

Statement::~Statement() {
  sqlite3_finalize(stmt_);
}

void Statement::reset([[maybe_unused]] std::size_t parameters) {
  assert(parameters == static_cast<std::size_t>(sqlite3_bind_parameter_count(stmt_)));
  sqlite3_reset(stmt_);
}

bool Statement::step() {
  const int result = sqlite3_step(stmt_);
  if (result == SQLITE_ROW) return true;
  if (result == SQLITE_DONE) return false;
  sqlite3* db = sqlite3_db_handle(stmt_);
  sqlite3_reset(stmt_);
  fail(db, result);
}

void Statement::run() {
  while (step()) {
  }
  sqlite3_reset(stmt_);
}

void Statement::finish() {
  sqlite3_reset(stmt_);
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(stmt_, column) == SQLITE_NULL;
}
std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(stmt_, column);
}
double Statement::real(int column) const {
  return sqlite3_column_double(stmt_, column);
}

std::string Statement::text(int column) const {
  const auto bytes = reinterpret_cast<const char*>(sqlite3_column_text(stmt_, column));
  return bytes == nullptr
             ? std::string()
             : std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(stmt_, column)));
}

std::span<const std::byte> Statement::blob(int column) const {
  const auto bytes = static_cast<const std::byte*>(sqlite3_column_blob(stmt_, column));
  return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(stmt_, column))};
}

std::optional<std::int64_t> Statement::integer_or_none(int column) const {
  return is_null(column) ? std::nullopt : std::optional(integer(column));
}
std::optional<double> Statement::real_or_none(int column) const {
  return is_null(column) ? std::nullopt : std::optional(real(column));
}
std::optional<std::string> Statement::text_or_none(int column) const {
  return is_null(column) ? std::nullopt : std::optional(text(column));
}

void Statement::bind_integer(int at, std::int64_t value) {
  require_ok(stmt_, sqlite3_bind_int64(stmt_, at, value));
}
void Statement::bind_real(int at, double value) {
  require_ok(stmt_, sqlite3_bind_double(stmt_, at, value));
}
void Statement::bind_text(int at, std::string_view value) {
  const char* bytes = value.data() == nullptr ? "" : value.data();
  require_ok(stmt_,
             sqlite3_bind_text64(stmt_, at, bytes, value.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}
void Statement::bind_blob(int at, std::span<const std::byte> value) {
  const void* bytes = value.empty() ? "" : static_cast<const void*>(value.data());
  require_ok(stmt_, sqlite3_bind_blob64(stmt_, at, bytes, value.size(), SQLITE_TRANSIENT));
}
void Statement::bind_null(int at) {
  require_ok(stmt_, sqlite3_bind_null(stmt_, at));
}

namespace {

/// A writer that was killed before the database had its write-ahead log left a journal, and only
/// who may write can roll it back. Where that is not allowed, reading says so.
void roll_back_left_over(const std::filesystem::path& path, std::chrono::milliseconds busy) {
  std::error_code ignored;
  if (!std::filesystem::exists(path.string() + "-journal", ignored)) return;
  sqlite3* db = nullptr;
  if (sqlite3_open_v2(path.c_str(), &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr) ==
      SQLITE_OK) {
    sqlite3_busy_timeout(db, static_cast<int>(busy.count()));
    sqlite3_exec(db, "SELECT count(*) FROM sqlite_schema", nullptr, nullptr, nullptr);
  }
  sqlite3_close_v2(db);
}

}  // namespace

Database::Database(const std::filesystem::path& path, const DatabaseOptions& options) {
  std::error_code ignored;
  if (options.read_only && !std::filesystem::exists(path, ignored)) throw_read_error(ENOENT, path);
  if (options.read_only) roll_back_left_over(path, options.busy_timeout);
  try {
    open(path, options);
    sqlite3_busy_timeout(db_, static_cast<int>(options.busy_timeout.count()));
    if (!options.read_only && sqlite3_db_readonly(db_, "main") == 1) {
      throw Error("FOLDER_NOT_WRITABLE",
                  {{"path", path.string()}, {"reason", "the database can only be read"}});
    }
    exec("PRAGMA foreign_keys = ON");
    exec(kCache);
    if (!options.read_only) {
      exec("PRAGMA page_size = " + std::to_string(options.page_size));
      exec("PRAGMA journal_mode = WAL");
      exec(options.durability == Durability::full ? "PRAGMA synchronous = FULL"
                                                  : "PRAGMA synchronous = NORMAL");
    }
  } catch (...) {
    sqlite3_close_v2(db_);
    throw;
  }
}

void Database::open(const std::filesystem::path& path, const DatabaseOptions& options) {
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  flags |= options.read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  std::string name = path.string();
  if (options.read_only && nothing_can_change(path)) {
    flags |= SQLITE_OPEN_URI;
    name = immutable_uri(path);
  }
  const int result = sqlite3_open_v2(name.c_str(), &db_, flags, nullptr);
  if (result != SQLITE_OK) throw_sqlite_error(db_, result, path.string());
}

Database::~Database() {
  sqlite3_close_v2(db_);
}

void Database::exec(const std::string& sql) {
  const int result = sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr);
  if (result != SQLITE_OK) fail(db_, result);
}

Statement Database::prepare(std::string_view sql) {
  sqlite3_stmt* stmt = nullptr;
  const int result =
      sqlite3_prepare_v2(db_, sql.data(), static_cast<int>(sql.size()), &stmt, nullptr);
  if (result != SQLITE_OK) fail(db_, result);
  return Statement(stmt);
}

bool Database::in_transaction() const {
  return sqlite3_get_autocommit(db_) == 0;
}

std::int64_t Database::changes() const {
  return sqlite3_changes64(db_);
}
std::int64_t Database::last_row_id() const {
  return sqlite3_last_insert_rowid(db_);
}

void Database::check_integrity() {
  Statement q = prepare("PRAGMA integrity_check(1)");
  if (q.step() && q.text(0) != "ok") {
    throw Error("DATABASE_CORRUPT", {{"path", sqlite_name(db_)}, {"reason", q.text(0)}});
  }
}

void Database::check_references() {
  Statement q = prepare("PRAGMA foreign_key_check");
  if (q.step()) {
    const std::string reason =
        "a row of " + q.text(0) + " refers to a row of " + q.text(2) + " that is not there";
    throw Error("DATABASE_CORRUPT", {{"path", sqlite_name(db_)}, {"reason", reason}});
  }
}

Transaction::Transaction(Database& db) : db_(db) {
  db_.exec("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (!open_) return;
  try {
    db_.exec("ROLLBACK");
  } catch (...) {
    // SQLite has already rolled back (full disk, I/O error): nothing is open any more.
  }
}

void Transaction::commit() {
  db_.exec("COMMIT");
  open_ = false;
}

}  // namespace flyball::store
