#pragma once
// A thin owner of SQLite handles: values are bound, never written into the text of a statement.
//
//   Database db(folder / "flyball.db");
//   db.run("INSERT INTO runs(id, started_at) VALUES(?, ?)", id, started_at);
//   for (Statement q = db.query("SELECT id FROM runs WHERE line = ?", line); q.step();)
//   use(q.text(0));
//
// Opened with WAL, foreign keys and a busy timeout of 5 s. A connection belongs to one thread at a
// time. A read-only one needs nothing written, also where the folder cannot be, as long as the last
// writer closed the file (else FOLDER_NOT_WRITABLE). Errors: DISK_FULL, DATABASE_CORRUPT (also: not a database), DATABASE_BUSY (another process
// wrote for longer than the timeout), FOLDER_NOT_WRITABLE, DATABASE_CONSTRAINT (unique, foreign
// key, check, not null), FILE_NOT_FOUND (read_only of a missing file), DATABASE_FAILED (anything
// else).
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

struct sqlite3;
struct sqlite3_stmt;

namespace flyball::store {

/// A prepared statement; columns and parameters count from 0 and 1 as in SQLite.
class Statement {
 public:
  Statement(Statement&& other) noexcept : stmt_(std::exchange(other.stmt_, nullptr)) {}
  Statement& operator=(Statement&&) = delete;
  ~Statement();

  /// Resets the statement and binds all of its parameters in order. Texts and blobs are copied.
  /// Takes whole numbers, bool, double (NaN becomes NULL), texts, spans of bytes, std::nullopt and
  /// optionals of these.
  template <class... T>
  Statement& bind(const T&... values) {
    reset(sizeof...(values));
    int at = 0;
    (bind_value(++at, values), ...);
    return *this;
  }

  /// True while there is a row.
  bool step();
  /// Steps to the end; for statements without rows.
  void run();
  /// Ends a statement that is not stepped to its end: until then it holds what it reads.
  void finish();

  [[nodiscard]] bool is_null(int column) const;
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] double real(int column) const;
  [[nodiscard]] std::string text(int column) const;
  /// Valid until the next step() or bind().
  [[nodiscard]] std::span<const std::byte> blob(int column) const;
  [[nodiscard]] std::optional<std::int64_t> integer_or_none(int column) const;
  [[nodiscard]] std::optional<double> real_or_none(int column) const;
  [[nodiscard]] std::optional<std::string> text_or_none(int column) const;

 private:
  friend class Database;
  explicit Statement(sqlite3_stmt* stmt) : stmt_(stmt) {}

  void reset(std::size_t parameters);
  void bind_integer(int at, std::int64_t value);
  void bind_real(int at, double value);
  void bind_text(int at, std::string_view value);
  void bind_blob(int at, std::span<const std::byte> value);
  void bind_null(int at);

  template <class T>
  void bind_value(int at, const T& value) {
    if constexpr (std::is_same_v<T, std::nullopt_t>) {
      bind_null(at);
    } else if constexpr (std::is_integral_v<T>) {
      bind_integer(at, static_cast<std::int64_t>(value));
    } else if constexpr (std::is_floating_point_v<T>) {
      bind_real(at, value);
    } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
      bind_text(at, value);
    } else if constexpr (std::is_convertible_v<const T&, std::span<const std::byte>>) {
      bind_blob(at, value);
    } else {
      value ? bind_value(at, *value) : bind_null(at);
    }
  }

  sqlite3_stmt* stmt_;
};

/// normal: a commit survives a crash of the program, and of the machine but for the newest;
/// full: every commit survives both.
enum class Durability { normal, full };

struct DatabaseOptions {
  bool read_only = false;
  Durability durability = Durability::full;
  std::chrono::milliseconds busy_timeout{5000};
  int page_size = 4096;  ///< bytes, of a file that is created
};

class Database {
 public:
  /// Opens, and creates when it is missing (not its folder) unless read_only. ":memory:" is
  /// private.
  explicit Database(const std::filesystem::path& path, const DatabaseOptions& options = {});
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// Runs one or more statements without parameters.
  void exec(const std::string& sql);

  [[nodiscard]] Statement prepare(std::string_view sql);

  template <class... T>
  Statement query(std::string_view sql, const T&... values) {
    Statement statement = prepare(sql);
    statement.bind(values...);
    return statement;
  }

  /// One statement; the number of rows that it changed.
  template <class... T>
  std::int64_t run(std::string_view sql, const T&... values) {
    query(sql, values...).run();
    return changes();
  }

  /// Whether a transaction is open on this connection.
  [[nodiscard]] bool in_transaction() const;

  [[nodiscard]] std::int64_t changes() const;
  [[nodiscard]] std::int64_t last_row_id() const;

  /// Throws DATABASE_CORRUPT naming the first finding of `PRAGMA integrity_check`. Reads the whole
  /// file.
  void check_integrity();
  /// Throws DATABASE_CORRUPT naming the first row that refers to a row that is not there.
  void check_references();

  /// Writes all that this connection sees to a new file, which needs no log beside it; durable when
  /// it returns. In a transaction that has read already it is the state of its beginning, whatever
  /// others commit meanwhile. `step` hears the share that is done, and may throw.
  void copy_to(const std::filesystem::path& path, const std::function<void(double)>& step = {});

 private:
  void open(const std::filesystem::path& path, const DatabaseOptions& options);

  sqlite3* db_ = nullptr;
};

/// BEGIN IMMEDIATE; rolled back when destroyed without commit(). Does not nest.
class Transaction {
 public:
  explicit Transaction(Database& db);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& db_;
  bool open_ = true;
};

}  // namespace flyball::store
