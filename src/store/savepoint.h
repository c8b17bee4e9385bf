#pragma once
#include "store/sqlite.h"

namespace flyball::store {

/// A transaction (BEGIN IMMEDIATE), or a part of the one that is open already; undone when
/// destroyed without commit().
class Savepoint {
 public:
  explicit Savepoint(Database& db) : db_(db), outermost_(!db.in_transaction()) {
    db_.exec(outermost_ ? "BEGIN IMMEDIATE" : "SAVEPOINT part");
  }
  ~Savepoint() {
    if (!open_) return;
    try {
      db_.exec(outermost_ ? "ROLLBACK" : "ROLLBACK TO part; RELEASE part");
    } catch (...) {
      // SQLite has already rolled back (full disk, I/O error): nothing is open any more.
    }
  }
  Savepoint(const Savepoint&) = delete;
  Savepoint& operator=(const Savepoint&) = delete;
  void commit() {
    db_.exec(outermost_ ? "COMMIT" : "RELEASE part");
    open_ = false;
  }

  /// commit() makes it durable; false: that is the doing of who opened the transaction.
  [[nodiscard]] bool outermost() const { return outermost_; }

 private:
  Database& db_;
  bool outermost_;
  bool open_ = true;
};

}  // namespace flyball::store
