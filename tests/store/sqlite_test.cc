#include "store/sqlite.h"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <limits>

#include "store/files.h"
#include "store/migrations.h"
#include "support/expect_error.h"
#include "support/temp_folder.h"

namespace flyball::store {
namespace {

using namespace std::chrono_literals;
using testing::TempFolder;

TEST(Database, ReturnsTheValuesThatWereBound) {
  Database db(":memory:");
  db.exec("CREATE TABLE t(i, r, s, b, n)");
  const std::vector<std::byte> blob{std::byte{0}, std::byte{255}};
  const std::string awkward("Robert'); DROP TABLE t;--\0°C", 29);
  db.run("INSERT INTO t VALUES(?, ?, ?, ?, ?)", std::numeric_limits<std::int64_t>::min(), 0.1,
         awkward, std::span<const std::byte>(blob), std::nullopt);
  Statement q = db.query("SELECT * FROM t WHERE i < ?", 0);
  ASSERT_TRUE(q.step());
  EXPECT_EQ(q.integer(0), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(q.real(1), 0.1);
  EXPECT_EQ(q.text(2), awkward);
  ASSERT_EQ(q.blob(3).size(), 2u);
  EXPECT_EQ(q.blob(3)[1], std::byte{255});
  EXPECT_TRUE(q.is_null(4));
  EXPECT_EQ(q.integer_or_none(4), std::nullopt);
  EXPECT_EQ(q.real_or_none(1), 0.1);
  EXPECT_EQ(q.text_or_none(2), awkward);
  EXPECT_FALSE(q.step());
}

TEST(Database, BindsOptionalsEmptyTextsAndNaN) {
  Database db(":memory:");
  Statement q = db.query("SELECT ?, ?, ?, ?, ?", std::optional<double>(2.5),
                         std::optional<std::string>(), "", std::nan(""), true);
  ASSERT_TRUE(q.step());
  EXPECT_EQ(q.real(0), 2.5);
  EXPECT_TRUE(q.is_null(1));
  EXPECT_FALSE(q.is_null(2)) << "an empty text is a text";
  EXPECT_TRUE(q.is_null(3));
  EXPECT_EQ(q.integer(4), 1);
}

TEST(Database, AStatementRunsAgainWithOtherValues) {
  Database db(":memory:");
  db.exec("CREATE TABLE t(i INTEGER)");
  Statement insert = db.prepare("INSERT INTO t VALUES(?)");
  for (int i = 1; i <= 3; ++i) insert.bind(i).run();
  Statement sum = db.query("SELECT sum(i) FROM t");
  ASSERT_TRUE(sum.step());
  EXPECT_EQ(sum.integer(0), 6);
  EXPECT_EQ(db.last_row_id(), 3);
  EXPECT_EQ(db.run("DELETE FROM t WHERE i > ?", 1), 2);
}

TEST(Database, EnforcesUniqueAndForeignKeys) {
  Database db(":memory:");
  db.exec("CREATE TABLE a(id TEXT PRIMARY KEY); CREATE TABLE b(a TEXT REFERENCES a(id))");
  db.run("INSERT INTO a VALUES(?)", "x");
  EXPECT_ERROR(db.run("INSERT INTO a VALUES(?)", "x"), "DATABASE_CONSTRAINT");
  EXPECT_ERROR(db.run("INSERT INTO b VALUES(?)", "y"), "DATABASE_CONSTRAINT");
}

TEST(Database, UsesAWriteAheadLogWithFullSync) {
  const TempFolder folder;
  Database db(folder / "f.db");
  Statement mode = db.query("PRAGMA journal_mode");
  ASSERT_TRUE(mode.step());
  EXPECT_EQ(mode.text(0), "wal");
  Statement sync = db.query("PRAGMA synchronous");
  ASSERT_TRUE(sync.step());
  EXPECT_EQ(sync.integer(0), 2);
}

TEST(Database, AReaderSeesWhatWasCommittedWhileAWriterIsAtWork) {
  const TempFolder folder;
  Database writer(folder / "f.db");
  writer.exec("CREATE TABLE t(i)");
  Database reader(folder / "f.db", {.read_only = true});
  Transaction transaction(writer);
  writer.run("INSERT INTO t VALUES(1)");
  Statement count = reader.query("SELECT count(*) FROM t");
  ASSERT_TRUE(count.step());
  EXPECT_EQ(count.integer(0), 0);
}

TEST(Database, ASecondWriterIsRefusedAfterTheTimeout) {
  const TempFolder folder;
  Database first(folder / "f.db");
  Database second(folder / "f.db", {.busy_timeout = 10ms});
  const Transaction transaction(first);
  EXPECT_ERROR(Transaction{second}, "DATABASE_BUSY");
}

TEST(Database, DamageIsNamed) {
  const TempFolder folder;
  write_file(folder / "f.db", std::string(4096, 'x'));
  EXPECT_ERROR(Database(folder / "f.db"), "DATABASE_CORRUPT");
}

TEST(Database, AFlippedPageIsFoundByTheIntegrityCheck) {
  const TempFolder folder;
  {
    Database db(folder / "f.db");
    db.exec("CREATE TABLE t(i INTEGER PRIMARY KEY, s TEXT)");
    Transaction filling(db);
    for (int i = 0; i < 500; ++i) db.run("INSERT INTO t VALUES(?, ?)", i, std::string(50, 'a'));
    filling.commit();
  }
  std::string bytes = read_file(folder / "f.db");
  for (std::size_t i = 2 * 4096; i < 3 * 4096; ++i) bytes[i] = static_cast<char>(~bytes[i]);
  write_file(folder / "f.db", bytes);
  Database db(folder / "f.db");
  EXPECT_ERROR(db.check_integrity(), "DATABASE_CORRUPT");
}

TEST(Database, ReadOnlyNeedsTheFile) {
  const TempFolder folder;
  EXPECT_ERROR(Database(folder / "missing.db", {.read_only = true}), "FILE_NOT_FOUND");
  EXPECT_FALSE(fs::exists(folder / "missing.db"));
}

TEST(Database, AWrongStatementIsAFailureOfOurs) {
  Database db(":memory:");
  EXPECT_ERROR(db.exec("SELEC 1"), "DATABASE_FAILED");
}

TEST(Transaction, IsUndoneWithoutCommit) {
  Database db(":memory:");
  db.exec("CREATE TABLE t(i)");
  {
    const Transaction transaction(db);
    db.run("INSERT INTO t VALUES(1)");
  }
  {
    Transaction transaction(db);
    db.run("INSERT INTO t VALUES(2)");
    transaction.commit();
  }
  Statement q = db.query("SELECT i FROM t");
  ASSERT_TRUE(q.step());
  EXPECT_EQ(q.integer(0), 2);
  EXPECT_FALSE(q.step());
}

constexpr Migration kTwo[] = {{1, "runs", "CREATE TABLE runs(id TEXT PRIMARY KEY)"},
                              {2, "line of a run", "ALTER TABLE runs ADD COLUMN line TEXT"}};

TEST(Database, AReaderRollsBackWhatAKilledWriterLeftInAJournal) {
  const TempFolder folder;
  const auto path = folder / "a.db";
  const pid_t child = ::fork();
  if (child == 0) {
    // As a database is before it has its write-ahead log: killed within a transaction that is so
    // large that it has spilled into the file.
    sqlite3* db = nullptr;
    sqlite3_open(path.c_str(), &db);
    sqlite3_exec(db,
                 "PRAGMA cache_size = 1; CREATE TABLE t(x); INSERT INTO t VALUES('kept'); BEGIN; "
                 "UPDATE t SET x = 'lost'; INSERT INTO t SELECT randomblob(20000) FROM "
                 "(VALUES(1),(2),(3),(4),(5),(6),(7),(8))",
                 nullptr, nullptr, nullptr);
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(std::filesystem::exists(path.string() + "-journal"));
  Database reader(path, {.read_only = true});
  Statement q = reader.query("SELECT x FROM t");
  ASSERT_TRUE(q.step());
  EXPECT_EQ(q.text(0), "kept");
  EXPECT_FALSE(q.step());
}

TEST(Migrations, AreAppliedOnceAndInOrder) {
  Database db(":memory:");
  EXPECT_EQ(schema_version(db), 0);
  EXPECT_EQ(migrate(db, std::span(kTwo).first(1)), 1);
  EXPECT_EQ(schema_version(db), 1);
  EXPECT_EQ(migrate(db, kTwo), 1);
  EXPECT_EQ(migrate(db, kTwo), 0);
  db.run("INSERT INTO runs(id, line) VALUES(?, ?)", "r", "l");
}

TEST(Migrations, AFailedOneLeavesTheDatabaseAsItWas) {
  constexpr Migration broken[] = {kTwo[0], {2, "broken", "CREATE TABLE other(x); SELEC 1"}};
  Database fresh(":memory:"), old(":memory:");
  EXPECT_ERROR(migrate(fresh, broken), "DATABASE_FAILED");
  EXPECT_EQ(schema_version(fresh), 0);
  migrate(old, std::span(kTwo).first(1));
  EXPECT_ERROR(migrate(old, broken), "DATABASE_FAILED");
  EXPECT_EQ(schema_version(old), 1);
  EXPECT_ERROR(old.exec("SELECT * FROM other"), "DATABASE_FAILED");
}

TEST(Migrations, ANewerSchemaIsRefused) {
  Database db(":memory:");
  migrate(db, kTwo);
  EXPECT_ERROR(migrate(db, std::span(kTwo).first(1)), "DATABASE_TOO_NEW");
}

TEST(Database, ACopyIsTheStateInWhichItsTransactionBegan) {
  const TempFolder folder;
  Database writer(folder / "a.db");
  writer.exec("CREATE TABLE t(i INTEGER); INSERT INTO t VALUES(1)");
  Database reader(folder / "a.db", {.read_only = true});
  reader.exec("BEGIN");
  (void)reader.query("SELECT count(*) FROM t").step();
  writer.exec("INSERT INTO t VALUES(2)");
  double done = 0;
  reader.copy_to(folder / "b.db", [&](double share) {
    done = share;
    writer.exec("INSERT INTO t VALUES(3)");
  });
  EXPECT_EQ(done, 1);
  for (const char* beside : {"b.db-wal", "b.db-shm", "b.db-journal"})
    EXPECT_FALSE(std::filesystem::exists(folder / beside)) << beside;
  {
    Database copy(folder / "b.db", {.read_only = true});
    copy.check_integrity();
    Statement q = copy.query("SELECT count(*) FROM t");
    ASSERT_TRUE(q.step());
    EXPECT_EQ(q.integer(0), 1);
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "b.db-wal")) << "reading needs no log";
}

TEST(Database, ARowThatRefersToNothingIsFound) {
  Database db(":memory:");
  db.exec(
      "CREATE TABLE a(id INTEGER PRIMARY KEY); CREATE TABLE b(a INTEGER REFERENCES a(id));"
      "PRAGMA foreign_keys = OFF; INSERT INTO b VALUES(7)");
  EXPECT_ERROR(db.check_references(), "DATABASE_CORRUPT");
  db.exec("INSERT INTO a VALUES(7)");
  EXPECT_NO_THROW(db.check_references());
}

}  // namespace
}  // namespace flyball::store
