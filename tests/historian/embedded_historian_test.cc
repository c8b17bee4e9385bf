#include "historian/embedded_historian.h"

#include <gtest/gtest.h>

#include <fstream>

#include "contract/aggregate_contract.h"
#include "store/files.h"
#include "store/sqlite.h"
#include "support/small_disk.h"
#include "support/temp_folder.h"

namespace flyball::historian {
namespace {

using testing::TempFolder;
using namespace std::chrono_literals;

struct EmbeddedFactory {
  TempFolder folder;
  std::unique_ptr<Historian> make() { return std::make_unique<EmbeddedHistorian>(folder.path()); }
  std::unique_ptr<Historian> make_impatient() {
    return std::make_unique<EmbeddedHistorian>(folder.path(), EmbeddedOptions{.patience = 10ms});
  }
};

/// Sizes so small that every way through the store is met.
struct TinyFactory {
  TempFolder folder;
  std::unique_ptr<Historian> make() { return make_with(5s); }
  std::unique_ptr<Historian> make_impatient() { return make_with(10ms); }
  std::unique_ptr<Historian> make_with(std::chrono::milliseconds patience) {
    return std::make_unique<EmbeddedHistorian>(
        folder.path(),
        EmbeddedOptions{.patience = patience, .chunk_samples = 4, .direct_samples = 3});
  }
};

INSTANTIATE_TYPED_TEST_SUITE_P(Embedded, HistorianContract, EmbeddedFactory);
INSTANTIATE_TYPED_TEST_SUITE_P(Embedded, AggregateContract, EmbeddedFactory);
INSTANTIATE_TYPED_TEST_SUITE_P(Tiny, HistorianContract, TinyFactory);
INSTANTIATE_TYPED_TEST_SUITE_P(Tiny, AggregateContract, TinyFactory);

std::vector<Sample> all(const Historian& store, const std::string& node,
                        const Filter& filter = {}) {
  PageRequest request;
  request.node_id = node;
  request.filter = filter;
  return read_all(store, request);
}

std::int64_t count(const std::filesystem::path& folder, const std::string& what) {
  store::Database db(folder / "historian.db", {.read_only = true});
  store::Statement q = db.query("SELECT count(*) FROM " + what);
  q.step();
  return q.integer(0);
}

TEST(EmbeddedHistorian, KeepsEverythingWhenItIsOpenedAgain) {
  const TempFolder folder;
  plant::Tag tag;
  tag.name = "T";
  tag.line_id = "L1";
  tag.unit = "°C";
  tag.kind = plant::TagKind::digital;
  tag.states = {"AUTO", "MAN"};
  tag.role = plant::Role::cv;
  tag.stepped = true;
  tag.min = -40;
  tag.mode_tag = "T-mode";
  plant::Run run = run_of("r");
  run.started_at = 1'780'000'000'123'456;
  run.ended_at = run.started_at + 1;
  run.evidence = plant::EvidenceSource::real;
  {
    EmbeddedHistorian store(folder.path());
    const auto writer = store.begin();
    writer->put_tag(tag);
    writer->append(run, "L1/T", ramp(0, 7, 5000));
    writer->append(run, "L1/T", ramp(100'000, 7, 5));
    writer->put_import({"a.csv", "00ff", "L1", 42, "{\"rows\":5005}"});
    writer->commit();
  }
  const EmbeddedHistorian store(folder.path(), {.read_only = true});
  EXPECT_EQ(all(store, "L1/T").size(), 5005u);
  ASSERT_EQ(store.tags("").size(), 1u);
  EXPECT_EQ(to_json_value(store.tags("")[0]), to_json_value(tag));
  ASSERT_EQ(store.runs({}).size(), 1u);
  EXPECT_EQ(to_json_value(store.runs({})[0]), to_json_value(run));
  ASSERT_EQ(store.imports("", 9).size(), 1u);
  EXPECT_EQ(store.imports("", 9)[0].account_json, "{\"rows\":5005}");
}

TEST(EmbeddedHistorian, GivesBackTheBitsOfHotAndSealedValues) {
  const double special[] = {
      -0.0, 0.1, 1e300, 5e-324, 3, 9007199254740993.0, std::numeric_limits<double>::infinity()};
  for (const std::size_t direct : {1u, 1000u}) {
    const TempFolder folder;
    EmbeddedHistorian store(folder.path(), {.direct_samples = direct});
    std::vector<Sample> given;
    for (const double v : special) given.push_back({std::ssize(given), v, kGood});
    store.append(run_of("r"), "L1/T", given);
    EXPECT_EQ(count(folder.path(), "hot") == 0, direct == 1);
    const auto read = all(store, "L1/T");
    ASSERT_EQ(read.size(), given.size());
    for (std::size_t i = 0; i < given.size(); ++i)
      EXPECT_EQ(std::bit_cast<std::uint64_t>(read[i].value),
                std::bit_cast<std::uint64_t>(given[i].value));
  }
}

TEST(EmbeddedHistorian, SealsHotRowsOnceThereAreAChunkOfThem) {
  const TempFolder folder;
  EmbeddedHistorian store(folder.path());
  for (int i = 0; i < 150; ++i) store.append(run_of("r"), "L1/T", ramp(10 * i, 1, 10));
  EXPECT_EQ(count(folder.path(), "chunks"), 1);
  EXPECT_EQ(count(folder.path(), "hot"), 1500 - 1030);
  EXPECT_EQ(times(all(store, "L1/T")), times(ramp(0, 1, 1500)));
}

TEST(EmbeddedHistorian, AChunkNeverSpansRuns) {
  const TempFolder folder;
  EmbeddedHistorian store(folder.path());
  const auto writer = store.begin();
  for (int i = 0; i < 1100; ++i)
    writer->append(run_of(i % 2 == 0 ? "even" : "odd"), "L1/T", ramp(i, 1, 1));
  writer->commit();
  EXPECT_EQ(count(folder.path(), "chunks"), 2);
  EXPECT_EQ(times(all(store, "L1/T", {.run_id = "odd"})), times(ramp(1, 2, 550)));
}

TEST(EmbeddedHistorian, SmallAppendsOfHundredsEndUpInChunksOfAThousand) {
  const TempFolder folder;
  EmbeddedHistorian store(folder.path());
  for (int i = 0; i < 100; ++i) store.append(run_of("r"), "L1/T", ramp(i * 200, 1, 200));
  EXPECT_LE(count(folder.path(), "chunks"), 40);
  EXPECT_EQ(all(store, "L1/T").size(), 20'000u);
}

TEST(EmbeddedHistorian, AnImportGivenTwiceIsMergedAndStoredOnce) {
  const TempFolder folder;
  EmbeddedHistorian store(folder.path());
  const auto given = ramp(0, 1000, 10'000);
  store.append(run_of("r"), "L1/T", given);
  const auto again = store.append(run_of("r"), "L1/T", given);
  EXPECT_EQ(again.stored, 0);
  EXPECT_EQ(again.merged, 10'000);
  EXPECT_EQ(times(all(store, "L1/T")), times(given));
  EXPECT_EQ(count(folder.path(), "chunks"), 10);
}

TEST(EmbeddedHistorian, IsNotMadeByReading) {
  const TempFolder folder;
  EXPECT_FALSE(EmbeddedHistorian::exists(folder.path()));
  EXPECT_ERROR(EmbeddedHistorian(folder.path(), {.read_only = true}), "FILE_NOT_FOUND");
  EXPECT_FALSE(EmbeddedHistorian::exists(folder.path()));
  { const EmbeddedHistorian made(folder.path()); }
  EXPECT_TRUE(EmbeddedHistorian::exists(folder.path()));
}

TEST(EmbeddedHistorian, AFileWithoutTablesIsReadAsAnEmptyOne) {
  const TempFolder folder;
  { std::ofstream(folder / "historian.db"); }
  const EmbeddedHistorian store(folder.path(), {.read_only = true});
  EXPECT_TRUE(store.tags("").empty());
  EXPECT_TRUE(all(store, "L1/T").empty());
}

TEST(EmbeddedHistorian, ANewerSchemaIsRefused) {
  const TempFolder folder;
  { const EmbeddedHistorian made(folder.path()); }
  store::Database(folder / "historian.db").exec("INSERT INTO schema_version VALUES(99, 'later')");
  EXPECT_ERROR(EmbeddedHistorian(folder.path()), "DATABASE_TOO_NEW");
  EXPECT_ERROR(EmbeddedHistorian(folder.path(), {.read_only = true}), "DATABASE_TOO_NEW");
}

TEST(EmbeddedHistorian, OneOpenedForReadingHasNoWriter) {
  const TempFolder folder;
  { const EmbeddedHistorian made(folder.path()); }
  EmbeddedHistorian store(folder.path(), {.read_only = true});
  EXPECT_ERROR((void)store.begin(), "FOLDER_NOT_WRITABLE");
}

TEST(EmbeddedHistorian, IsReadInAFolderThatCannotBeWritten) {
  testing::SmallDisk disk(4096);
  FLYBALL_NEEDS_DISK(disk);
  EmbeddedHistorian(disk.path()).append(run_of("r"), "L1/T", ramp(0, 1, 2000));
  ASSERT_TRUE(disk.make_read_only());
  EXPECT_EQ(all(EmbeddedHistorian(disk.path(), {.read_only = true}), "L1/T").size(), 2000u);
  EXPECT_ERROR(EmbeddedHistorian(disk.path()), "FOLDER_NOT_WRITABLE");
}

TEST(EmbeddedHistorian, ALogThatWasLeftBehindIsNamedWhereItCannotBeRead) {
  testing::SmallDisk disk(4096);
  FLYBALL_NEEDS_DISK(disk);
  const TempFolder folder;
  EmbeddedHistorian store(folder.path());
  store.append(run_of("r"), "L1/T", ramp(0, 1, 2000));
  for (const char* file : {"historian.db", "historian.db-wal"})
    std::filesystem::copy_file(folder / file, disk.path() / file);
  ASSERT_TRUE(disk.make_read_only());
  EXPECT_ERROR(EmbeddedHistorian(disk.path(), {.read_only = true}), "FOLDER_NOT_WRITABLE");
  ASSERT_TRUE(disk.make_writable());
  EXPECT_EQ(all(EmbeddedHistorian(disk.path(), {.read_only = true}), "L1/T").size(), 2000u);
}

TEST(EmbeddedHistorian, SeesWhatAnotherProcessHasWritten) {
  const TempFolder folder;
  EmbeddedHistorian mine(folder.path()), other(folder.path());
  mine.append(run_of("r"), "L1/T", ramp(0, 1, 1));
  // Had `mine` relied on what it remembers, it would take 5 as later than everything stored.
  other.append(run_of("r"), "L1/T", ramp(5, 1, 2000));
  other.append(run_of("s"), "L1/U", ramp(5, 1, 1));
  EXPECT_EQ(mine.append(run_of("r"), "L1/T", ramp(5, 1, 1)).merged, 1);
  mine.append(run_of("s"), "L1/U", ramp(6, 1, 1));
  EXPECT_EQ(all(mine, "L1/T").size(), 2001u);
  EXPECT_EQ(times(all(other, "L1/U")), times(ramp(5, 1, 2)));
}

TEST(EmbeddedHistorian, ForgetsWhatWasRolledBack) {
  const TempFolder folder;
  EmbeddedHistorian store(folder.path());
  store.begin()->append(run_of("gone"), "L1/Gone", ramp(0, 1, 5000));
  store.append(run_of("r"), "L1/T", ramp(0, 1, 1));
  store.append(run_of("gone"), "L1/Gone", ramp(3, 1, 2));
  EXPECT_EQ(times(all(store, "L1/T")), times(ramp(0, 1, 1)));
  EXPECT_EQ(times(all(store, "L1/Gone")), times(ramp(3, 1, 2)));
}

/// Flips one bit of every chunk of `node` that holds `at`, inside the file.
void damage(const std::filesystem::path& folder, const std::string& node, TimeUs at) {
  store::Database db(folder / "historian.db");
  store::Statement q = db.query(
      "SELECT chunks.id, bytes FROM chunks JOIN tags ON tags.id = tag"
      " WHERE line || '/' || name = ? AND ? BETWEEN first AND last",
      node, at);
  ASSERT_TRUE(q.step());
  std::vector<std::byte> bytes(q.blob(1).begin(), q.blob(1).end());
  bytes[bytes.size() / 2] ^= std::byte{0x10};
  const std::int64_t id = q.integer(0);
  q.finish();
  db.run("UPDATE chunks SET bytes = ? WHERE id = ?", std::span<const std::byte>(bytes), id);
}

TEST(EmbeddedHistorian, AFlippedByteIsNamedAndNeverReturned) {
  const TempFolder folder;
  EmbeddedHistorian store(folder.path());
  for (const char* node : {"L1/T", "L1/U"}) store.append(run_of("r"), node, ramp(0, 1000, 5000));
  damage(folder.path(), "L1/T", 2'500'000);

  EXPECT_ERROR((void)all(store, "L1/T"), "CHUNK_CORRUPT");
  EXPECT_ERROR((void)store.append(run_of("r"), "L1/T", ramp(2'500'000, 1, 1)), "CHUNK_CORRUPT");
  PageRequest before;
  before.node_id = "L1/T";
  before.to = 2'000'000;
  EXPECT_EQ(read_all(store, before).size(), 2000u);
  EXPECT_EQ(store.latest("L1/T")->at, 4'999'000);
  EXPECT_EQ(all(store, "L1/U").size(), 5000u);

  const auto damaged = store.verify();
  ASSERT_EQ(damaged.size(), 1u);
  EXPECT_EQ(damaged[0].node_id, "L1/T");
  EXPECT_LE(damaged[0].from, 2'500'000);
  EXPECT_GE(damaged[0].to, 2'500'000);
  try {
    (void)all(store, "L1/T");
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("L1/T"), std::string::npos) << text;
    EXPECT_NE(text.find(format_time(damaged[0].from)), std::string::npos) << text;
    EXPECT_NE(text.find(format_time(damaged[0].to)), std::string::npos) << text;
  }
}

/// Changes the rows of chunks but not their index, as damage would.
void change_rows(const std::filesystem::path& folder, const std::string& change) {
  const auto file = folder / "historian.db";
  std::int64_t root = 0;
  std::string sql;
  {
    store::Database db(file);
    store::Statement q =
        db.query("SELECT rootpage, sql FROM sqlite_schema WHERE name = 'chunks_by_time'");
    ASSERT_TRUE(q.step());
    root = q.integer(0);
    sql = q.text(1);
    q.finish();
    db.exec("PRAGMA writable_schema = ON");
    db.run("DELETE FROM sqlite_schema WHERE name = 'chunks_by_time'");
  }
  store::Database db(file);
  db.exec("UPDATE chunks SET " + change);
  db.exec("PRAGMA writable_schema = ON");
  db.run("INSERT INTO sqlite_schema VALUES('index', 'chunks_by_time', 'chunks', ?, ?)", root, sql);
}

TEST(EmbeddedHistorian, AChunkWhoseRowChangedIsNotReturned) {
  for (const char* change :
       {"tag = 2", "run = 2", "first = first + 1", "last = last - 1", "samples = samples - 1"}) {
    SCOPED_TRACE(change);
    const TempFolder folder;
    {
      EmbeddedHistorian store(folder.path());
      store.append(run_of("r"), "L1/T", ramp(0, 1, 1000));
      store.append(run_of("s"), "L1/U", ramp(0, 1, 1));
    }
    change_rows(folder.path(), change);
    const EmbeddedHistorian store(folder.path());
    EXPECT_ERROR((void)all(store, "L1/T"), "CHUNK_CORRUPT");
    EXPECT_EQ(all(store, "L1/U").size(), 1u);
    EXPECT_ERROR((void)store.verify(), "DATABASE_CORRUPT");
  }
}

TEST(EmbeddedHistorian, DamageOfTheFileIsFoundByVerify) {
  const TempFolder folder;
  {
    EmbeddedHistorian store(folder.path());
    store.append(run_of("r"), "L1/T", ramp(0, 1000, 200'000));
  }
  std::string bytes = store::read_file(folder / "historian.db");
  for (std::size_t i = bytes.size() / 2; i < bytes.size() / 2 + 20'000; ++i)
    bytes[i] = static_cast<char>(~bytes[i]);
  store::write_file(folder / "historian.db", bytes);
  EXPECT_ERROR((void)EmbeddedHistorian(folder.path()).verify(), "DATABASE_CORRUPT");
}

}  // namespace
}  // namespace flyball::historian
