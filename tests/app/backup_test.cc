// A backup is a copy of one moment, complete or nothing, and whatever happens to it is found.
#include <fstream>
#include <map>

#include "store/copy.h"
#include "stored_fixture.h"
#include "support/small_disk.h"

namespace flyball::app {
namespace {

namespace fs = std::filesystem;

class BackupTest : public StoredTest {
 protected:
  Json back_up(const Call& c = {}) { return call("backup", {{"folder", backup_.string()}}, c); }
  Json check() { return call("restore", {{"folder", backup_.string()}, {"check", true}}); }
  Json restore() { return call_on(restored_, clock_, "restore", {{"folder", backup_.string()}}); }
  Json in_restored(const char* verb, const Json& request = Json::object()) {
    return call_on(restored_, clock_, verb, request);
  }

  static std::map<std::string, std::string> digests(const fs::path& folder) {
    std::map<std::string, std::string> out;
    for (const fs::path& file : store::files_under(folder))
      out[file.string()] = store::digest_file(folder / file).sha256;
    return out;
  }

  const fs::path backup_ = temp_ / "backup", restored_ = temp_ / "restored";
};

TEST_F(BackupTest, GivesBackEveryFileAndRow) {
  const Json made = back_up();
  EXPECT_EQ(made["datasets"], 2);
  EXPECT_EQ(made["models"], 1);
  EXPECT_TRUE(made["problems"].empty());
  EXPECT_TRUE(check()["ok"].get<bool>());
  EXPECT_EQ(restore()["restoredTo"], restored_.string());
  for (const char* part : {"datasets", "models", "reports"})
    EXPECT_EQ(digests(data_ / part), digests(restored_ / part)) << part;
  for (const char* list : {"models list", "datasets list", "experiments list", "lines list"})
    EXPECT_EQ(in_restored(list), call(list, Json::object())) << list;
  const Json window{{"tag", "y"}, {"line", "L"}, {"limit", 1000}};
  EXPECT_EQ(in_restored("samples list", window), call("samples list", window));
  EXPECT_TRUE(in_restored("samples verify")["ok"].get<bool>());
  EXPECT_TRUE(in_restored("entities list")["ok"].get<bool>());
  EXPECT_TRUE(in_restored("audit verify")["ok"].get<bool>());
  EXPECT_TRUE(in_restored("models verify", {{"id", model_}})["ok"].get<bool>());
}

TEST_F(BackupTest, TheTrailSaysWhoTookItAndWhoRestoredIt) {
  back_up();
  EXPECT_EQ(call("audit list", {{"action", "backup"}})["items"].size(), 1u);
  restore();
  EXPECT_EQ(in_restored("audit list", {{"action", "backup"}})["items"].size(), 0u)
      << "it was written when the copy was complete";
  EXPECT_EQ(in_restored("audit list", {{"action", "restore"}})["items"].size(), 1u);
}

TEST_F(BackupTest, OneFlippedBitInAnyFileIsFoundByName) {
  back_up();
  for (const fs::path& file : store::files_under(backup_ / "data")) {
    const fs::path path = backup_ / "data" / file;
    const std::string whole = store::read_file(path);
    if (whole.empty()) continue;
    std::string flipped = whole;
    flipped[whole.size() / 2] ^= 1;
    std::ofstream(path, std::ios::binary) << flipped;
    const Json found = check();
    EXPECT_FALSE(found["ok"].get<bool>()) << file;
    EXPECT_EQ(found["findings"][0]["code"], "BACKUP_FILE_CHANGED");
    EXPECT_EQ(found["findings"][0]["id"], file.string());
    std::ofstream(path, std::ios::binary) << whole;
  }
  EXPECT_TRUE(check()["ok"].get<bool>());
}

TEST_F(BackupTest, WhatIsMissingOrExtraIsFound) {
  back_up();
  const fs::path file = *store::files_under(backup_ / "data/models").begin();
  fs::rename(backup_ / "data/models" / file, temp_ / "aside");
  Json found = check();
  EXPECT_EQ(found["findings"][0]["code"], "BACKUP_FILE_MISSING");
  EXPECT_ERROR(restore(), "BACKUP_DAMAGED");
  EXPECT_FALSE(fs::exists(restored_ / "flyball.db"));
  fs::rename(temp_ / "aside", backup_ / "data/models" / file);
  store::write_file(backup_ / "data/models/x", "x");
  EXPECT_EQ(check()["findings"][0]["code"], "BACKUP_FILE_UNKNOWN");
}

TEST_F(BackupTest, CheckingWritesNothing) {
  back_up();
  std::map<std::string, fs::file_time_type> before, after;
  const auto times = [&](auto& out) {
    for (const auto& entry : fs::recursive_directory_iterator(backup_))
      out[entry.path().string()] = entry.last_write_time();
  };
  times(before);
  const fs::path nowhere = temp_ / "nowhere";
  EXPECT_TRUE(
      call_on(nowhere, clock_, "restore", {{"folder", backup_.string()}, {"check", true}})["ok"]
          .get<bool>());
  times(after);
  EXPECT_EQ(before, after);
  EXPECT_FALSE(fs::exists(nowhere));
}

TEST_F(BackupTest, AFolderWithoutAManifestIsNoBackup) {
  back_up();
  fs::remove(backup_ / "manifest.json");
  EXPECT_ERROR(check(), "BACKUP_INCOMPLETE");
  EXPECT_ERROR(restore(), "BACKUP_INCOMPLETE");
  EXPECT_ERROR(back_up(), "BACKUP_FOLDER_NOT_EMPTY");
  fs::remove_all(backup_);
  EXPECT_ERROR(check(), "BACKUP_MISSING");
}

TEST_F(BackupTest, AManifestThatWasEditedIsRefused) {
  back_up();
  const fs::path file = backup_ / "manifest.json";
  const Json whole = parse_json(store::read_file(file), "manifest.json");
  const auto with = [&](const std::function<void(Json&)>& edit) {
    Json changed = whole;
    edit(changed);
    store::write_file(file, canonical(changed));
  };
  with([](Json& m) { m["files"][0]["sha256"] = std::string(64, '0'); });
  EXPECT_ERROR(check(), "BACKUP_MANIFEST");
  with([](Json& m) { m["files"].erase(0); });
  EXPECT_ERROR(check(), "BACKUP_MANIFEST");
  with([](Json& m) { m["format"] = "another"; });
  EXPECT_ERROR(check(), "BACKUP_MANIFEST");
  store::write_file(file, "{");
  EXPECT_ERROR(check(), "BACKUP_MANIFEST");
}

TEST_F(BackupTest, GoesIntoNoFolderThatItWouldCopy) {
  EXPECT_ERROR(call("backup", {{"folder", (data_ / "reports/b").string()}}), "BACKUP_INSIDE");
  EXPECT_ERROR(call("backup", {{"folder", data_.string()}}), "BACKUP_INSIDE");
  const Json made = call("backup", Json::object());
  EXPECT_EQ(fs::path(made["folder"].get<std::string>()).parent_path(), data_ / "backups");
  EXPECT_TRUE(call("restore", {{"check", true}})["ok"].get<bool>()) << "the newest";
}

TEST_F(BackupTest, IsRestoredIntoAnEmptyFolderOnly) {
  back_up();
  EXPECT_ERROR(call("restore", {{"folder", backup_.string()}}), "RESTORE_NOT_EMPTY");
  store::write_file(restored_ / "mine.txt", "x");
  EXPECT_ERROR(restore(), "RESTORE_NOT_EMPTY");
  fs::remove(restored_ / "mine.txt");
  restore();
  EXPECT_ERROR(restore(), "RESTORE_NOT_EMPTY");
}

TEST_F(BackupTest, NothingOpensAFolderWhoseRestoreWasKilled) {
  store::write_file(restored_ / "RESTORING", "x");
  EXPECT_ERROR(in_restored("lines add", {{"id", "L"}}), "RESTORE_UNFINISHED");
  EXPECT_ERROR(in_restored("models list"), "RESTORE_UNFINISHED");
  back_up();
  EXPECT_ERROR(restore(), "RESTORE_UNFINISHED");
}

TEST_F(BackupTest, WhatIsDeletedWhileItIsCopiedIsNotInIt) {
  bool deleted = false;
  const Call call_back{[&](const Progress& p) {
                         if (p.stage != "datasets" || deleted) return;
                         deleted = true;
                         call_on(data_, clock_, "datasets delete", {{"id", other_}});
                       },
                       {}};
  const Json made = back_up(call_back);
  EXPECT_TRUE(deleted);
  EXPECT_EQ(made["datasets"], 1);
  EXPECT_TRUE(made["problems"].empty());
  EXPECT_TRUE(check()["ok"].get<bool>());
  EXPECT_FALSE(fs::exists(backup_ / "data/datasets" / other_));
}

TEST_F(BackupTest, WhatIsStoredWhileTheDatabasesAreCopiedIsInNeither) {
  bool imported = false;
  const Call call_back{
      [&](const Progress& p) {
        if (p.stage != "databases" || imported) return;
        imported = true;
        call_on(data_, clock_, "import",
                {{"file", (temp_ / "a.csv").string()}, {"line", "L2"}, {"period", 1'000'000}});
      },
      {}};
  back_up(call_back);
  ASSERT_TRUE(imported);
  restore();
  EXPECT_EQ(call("lines list", Json::object())["items"].size(), 2u);
  EXPECT_EQ(in_restored("lines list")["items"].size(), 1u);
  EXPECT_EQ(in_restored("imports list")["items"].size(), 1u);
  EXPECT_EQ(in_restored("imports list", {{"line", "L2"}})["items"].size(), 0u);
}

TEST_F(BackupTest, ARowWithoutItsFolderIsNamedAndTheRestIsCopied) {
  fs::remove_all(data_ / "datasets" / other_);
  const Json made = back_up();
  ASSERT_EQ(made["problems"].size(), 1u);
  EXPECT_NE(made["problems"][0].get<std::string>().find(other_), std::string::npos);
  const Json found = check();
  ASSERT_EQ(found["findings"].size(), 1u);
  EXPECT_EQ(found["findings"][0]["code"], "ENTITY_ISSUE");
}

TEST_F(BackupTest, OneThatIsStoppedLeavesNothing) {
  std::stop_source stop;
  Call call_back{[&](const Progress& p) {
                   if (p.stage == "models") stop.request_stop();
                 },
                 stop.get_token()};
  EXPECT_ERROR(back_up(call_back), "CANCELLED");
  EXPECT_FALSE(fs::exists(backup_));
  EXPECT_FALSE(back_up().empty());
  std::stop_source again;
  call_back = {[&](const Progress& p) {
                 if (p.stage == "restore" && p.fraction > 0.5) again.request_stop();
               },
               again.get_token()};
  EXPECT_ERROR(call_on(restored_, clock_, "restore", {{"folder", backup_.string()}}, call_back),
               "CANCELLED");
  EXPECT_TRUE(restore()["ok"].get<bool>()) << "nothing was left in its way";
}

TEST_F(BackupTest, AFullDiskIsSaidBefore) {
  testing::SmallDisk disk(64);
  FLYBALL_NEEDS_DISK(disk);
  EXPECT_ERROR(call("backup", {{"folder", (disk.path() / "b").string()}}), "BACKUP_NO_ROOM");
  EXPECT_FALSE(fs::exists(disk.path() / "b"));
}

TEST_F(BackupTest, IsForAdministrators) {
  Call ann;
  ann.principal = govern::Principal{"ann", govern::Kind::person, govern::Credential::session};
  ann.principal->rights = {govern::Right::view, govern::Right::operate};
  EXPECT_ERROR(back_up(ann), "RIGHT_MISSING");
  EXPECT_ERROR(call("restore", {{"check", true}}, ann), "RIGHT_MISSING");
}

}  // namespace
}  // namespace flyball::app
