// The store on a full disk and in a folder that cannot be written.
#include <gtest/gtest.h>

#include "store/files.h"
#include "store/sqlite.h"
#include "support/expect_error.h"
#include "support/small_disk.h"

namespace flyball::store {
namespace {

using testing::SmallDisk;

std::size_t files_under(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::recursive_directory_iterator(folder), fs::recursive_directory_iterator()));
}

TEST(FullDisk, KeepsTheOldFileAndLeavesNoPartOfTheNew) {
  const SmallDisk disk(64);
  FLYBALL_NEEDS_DISK(disk);
  write_file(disk.path() / "f", "old");
  EXPECT_ERROR(write_file(disk.path() / "f", std::string(256 * 1024, 'x')), "DISK_FULL");
  EXPECT_EQ(read_file(disk.path() / "f"), "old");
  EXPECT_EQ(files_under(disk.path()), 1u);
}

TEST(FullDisk, LeavesNoPartOfAStagedFolder) {
  const SmallDisk disk(64);
  FLYBALL_NEEDS_DISK(disk);
  {
    StagedFolder staged(disk.path() / "ds-1");
    staged.write("small", "x");
    EXPECT_ERROR(staged.write("arrays/big", std::string(256 * 1024, 'x')), "DISK_FULL");
  }
  EXPECT_EQ(files_under(disk.path()), 0u);
}

TEST(FullDisk, UndoesATransactionAndKeepsWhatWasCommitted) {
  const SmallDisk disk(256);
  FLYBALL_NEEDS_DISK(disk);
  {
    Database db(disk.path() / "f.db");
    db.exec("CREATE TABLE t(s TEXT)");
    db.run("INSERT INTO t VALUES(?)", "kept");
    const auto fill = [&] {
      Transaction transaction(db);
      for (int i = 0; i < 1000; ++i) db.run("INSERT INTO t VALUES(?)", std::string(4000, 'x'));
      transaction.commit();
    };
    EXPECT_ERROR(fill(), "DISK_FULL");
    Statement count = db.query("SELECT count(*) FROM t");
    ASSERT_TRUE(count.step());
    EXPECT_EQ(count.integer(0), 1);
  }
  Database again(disk.path() / "f.db");
  again.check_integrity();
}

TEST(FullDisk, ANewDatabaseSaysSo) {
  const SmallDisk disk(64);
  FLYBALL_NEEDS_DISK(disk);
  EXPECT_ERROR(write_file(disk.path() / "filler", std::string(56 * 1024, 'x'));
               Database db(disk.path() / "f.db"); db.exec("CREATE TABLE t(s TEXT)"), "DISK_FULL");
}

TEST(ReadOnlyFolder, IsNamedByEveryWriter) {
  SmallDisk disk(1024);
  FLYBALL_NEEDS_DISK(disk);
  { Database(disk.path() / "old.db").exec("CREATE TABLE t(i)"); }
  ASSERT_TRUE(disk.make_read_only());
  EXPECT_ERROR(write_file(disk.path() / "f", "x"), "FOLDER_NOT_WRITABLE");
  EXPECT_ERROR(make_folder(disk.path() / "sub/sub"), "FOLDER_NOT_WRITABLE");
  EXPECT_ERROR(StagedFolder(disk.path() / "ds-1"), "FOLDER_NOT_WRITABLE");
  EXPECT_ERROR(DataLock(disk.path(), "test"), "FOLDER_NOT_WRITABLE");
  EXPECT_ERROR(Database(disk.path() / "new.db"), "FOLDER_NOT_WRITABLE");
  EXPECT_ERROR(Database(disk.path() / "old.db"), "FOLDER_NOT_WRITABLE");
}

}  // namespace
}  // namespace flyball::store
