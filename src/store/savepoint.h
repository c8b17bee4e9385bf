#pragma once
#include "store/sqlite.h"

namespace flyball::store {

/// A transaction, or a part of the one that is open already; undone when destroyed without
/// commit().
class Savepoint {
 public:
  explicit Savepoint(Database& db) : db_(db) { db_.exec("SAVEPOINT part"); }
  ~Savepoint() {
    if (!open_) return;
    try {
      db_.exec("ROLLBACK TO part; RELEASE part");
    } catch (...) {
      // SQLite has already rolled back (full disk, I/O error): nothing is open any more.
    }
  }
  Savepoint(const Savepoint&) = delete;
  Savepoint& operator=(const Savepoint&) = delete;
  void commit() {
    db_.exec("RELEASE part");
    open_ = false;
  }

 private:
  Database& db_;
  bool open_ = true;
};

}  // namespace flyball::store
