// The same file twice, other data under the same names, a run that is known.
#include <gtest/gtest.h>

#include "historian/import.h"
#include "historian/memory_historian.h"
#include "support/expect_error.h"

namespace flyball::historian {
namespace {

class ImportAgain : public ::testing::Test {
 protected:
  /// The source's digest stands for its bytes.
  ImportResult import(const std::string& text, const ImportOptions& options = {}) {
    return import_text(text, options, store_, {}, {}, {"file", text, 0});
  }
  static ImportOptions into(const std::string& run) {
    ImportOptions out;
    out.run.emplace(run);
    return out;
  }
  [[nodiscard]] std::vector<std::string> runs() const {
    std::vector<std::string> out;
    for (const plant::Run& run : store_.runs({}, false)) out.push_back(run.id);
    return out;
  }
  [[nodiscard]] std::vector<Sample> samples(const std::string& tag = "default/y") const {
    PageRequest request;
    request.node_id = tag;
    return read_all(store_, request);
  }
  static std::string table(int rows, double scale = 1, int first_minute = 0) {
    std::string out = "time,y\n";
    for (int i = first_minute; i < first_minute + rows; ++i) {
      const std::string minute = std::to_string(100 + i % 60).substr(1);
      out += "2026-03-01T" + std::to_string(10 + i / 60) + ":" + minute + ":00Z," +
             std::to_string(scale * (i % 7 + 1)) + "\n";
    }
    return out;
  }

  MemoryHistorian store_;
};

TEST_F(ImportAgain, TheSameFileGoesToTheSameRunAndChangesNothing) {
  import(table(100));
  const auto before = samples();
  const ImportResult second = import(table(100));
  EXPECT_EQ(second.stored, 0);
  EXPECT_EQ(second.merged, 100);
  EXPECT_EQ(second.conflicts, 0);
  EXPECT_EQ(runs(), (std::vector<std::string>{"run-1"}));
  ASSERT_EQ(samples().size(), before.size());
  EXPECT_EQ(std::ranges::count(second.notes, "IMPORT_AGAIN", &Message::code), 1);
}

TEST_F(ImportAgain, TheSameFileWithoutTimesStartsWhereItsRunsStarted) {
  ImportOptions options;
  options.period = kSecond;
  options.run_column.emplace("batch");
  const std::string text = "batch,y\na,1\na,2\na,3\nb,4\nb,5\n";
  import(text, options);
  const auto before = samples();
  const ImportResult second = import(text, options);
  EXPECT_EQ(second.merged, 5);
  EXPECT_EQ(samples().size(), before.size());
  EXPECT_EQ(samples().back().at, before.back().at);
}

TEST_F(ImportAgain, AKnownRunAndRowsWithoutTimesAreAskedAbout) {
  ImportOptions options;
  options.period = kSecond;
  options.run.emplace("a");
  import("y\n1\n2\n3\n", options);
  EXPECT_ERROR(import("y\n7\n8\n9\n", options), "IMPORT_RUN_HAS_SAMPLES");
  options.start = 10 * kSecond;
  EXPECT_EQ(import("y\n7\n8\n9\n", options).stored, 3);
  EXPECT_EQ(samples().size(), 6u);
}

TEST_F(ImportAgain, OtherValuesAtManyStoredTimesAreRefusedAndNothingChanges) {
  import(table(100));
  const auto before = samples();
  EXPECT_ERROR(import(table(100, 3)), "IMPORT_REPLACES");
  ASSERT_EQ(samples().size(), before.size());
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(samples()[i].value, before[i].value);
  ImportOptions asked;
  asked.on_duplicate = OnDuplicate::last;
  const ImportResult replaced = import(table(100, 3), asked);
  EXPECT_EQ(replaced.merged, 100);
  EXPECT_EQ(replaced.conflicts, 100);
  EXPECT_EQ(samples().front().value, 3 * before.front().value);
}

TEST_F(ImportAgain, AnOverlapWithEqualValuesIsMergedAndCounted) {
  import(table(100));
  const ImportResult next = import(table(100, 1, 40));
  EXPECT_EQ(next.merged, 60);
  EXPECT_EQ(next.conflicts, 0);
  EXPECT_EQ(next.stored, 40);
}

TEST_F(ImportAgain, AFewCorrectionsNeedNoFlagUnlessRefused) {
  import(table(100));
  std::string corrected = table(100);
  corrected.replace(corrected.rfind(','), 2, ",9");
  ImportOptions strict;
  strict.on_duplicate = OnDuplicate::refuse;
  EXPECT_ERROR(import(corrected, strict), "IMPORT_REPLACES");
  EXPECT_ERROR(import(corrected), "IMPORT_TAKES");
  const ImportOptions named = into("run-1");
  EXPECT_EQ(import(corrected, named).conflicts, 1);
  EXPECT_EQ(samples().back().value, 9);
}

TEST_F(ImportAgain, ARunKeepsItsEvidence) {
  ImportOptions options;
  options.run.emplace("a");
  options.evidence = plant::EvidenceSource::real;
  import(table(10), options);
  options.evidence = plant::EvidenceSource::unassessed;
  import(table(10, 1, 20), options);
  EXPECT_EQ(store_.runs({}).front().evidence, plant::EvidenceSource::real);
  options.evidence = plant::EvidenceSource::simulation;
  EXPECT_ERROR(import(table(10, 1, 40), options), "RUN_EVIDENCE");
}

TEST_F(ImportAgain, AnotherRunDoesNotTakeSamplesFromTheFirst) {
  import(table(100));
  ImportOptions other = into("b");
  const ImportResult second = import(table(100), other);
  EXPECT_EQ(second.merged, 100);
  EXPECT_EQ(store_.runs({}).size(), 1u);
  EXPECT_EQ(store_.runs({}).front().id, "run-1");
  other.on_duplicate = OnDuplicate::last;
  import(table(100), other);
  EXPECT_EQ(store_.runs({}).front().id, "b") << "what was asked for goes whole";
  EXPECT_EQ(store_.runs({}).size(), 1u);
}

TEST_F(ImportAgain, TheSameFileWithOtherTimesIsAskedAbout) {
  ImportOptions options;
  options.period = kSecond;
  import("y\n1\n2\n3\n", options);
  options.period = 2 * kSecond;
  EXPECT_ERROR(import("y\n1\n2\n3\n", options), "IMPORT_AGAIN_DIFFERS");
  {
    const auto writer = store_.begin();
    EXPECT_EQ(writer->remove_run("default", "run-1"), 3);
    writer->commit();
  }
  EXPECT_EQ(import("y\n1\n2\n3\n", options).stored, 3);
  EXPECT_EQ(samples().back().at, 4 * kSecond);
}

}  // namespace
}  // namespace flyball::historian
