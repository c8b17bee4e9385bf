#pragma once
#include "store/sqlite.h"

namespace flyball::plant {

/// A transaction, or a part of the one that is open already; undone when destroyed without
/// commit().
class Savepoint {
 public:
  explicit Savepoint(store::Database& db) : db_(db) { db_.exec("SAVEPOINT plant"); }
  ~Savepoint() {
    if (!open_) return;
    try {
      db_.exec("ROLLBACK TO plant; RELEASE plant");
    } catch (...) {
      // SQLite has already rolled back (full disk, I/O error): nothing is open any more.
    }
  }
  Savepoint(const Savepoint&) = delete;
  Savepoint& operator=(const Savepoint&) = delete;
  void commit() {
    db_.exec("RELEASE plant");
    open_ = false;
  }

 private:
  store::Database& db_;
  bool open_ = true;
};

}  // namespace flyball::plant
