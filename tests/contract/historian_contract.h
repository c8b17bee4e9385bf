#pragma once
// What every Historian promises. An implementation includes this and instantiates the suite:
//   INSTANTIATE_TYPED_TEST_SUITE_P(Memory, HistorianContract, MemoryFactory);
// where Factory has `std::unique_ptr<Historian> make()` that gives an empty one, and
// `make_impatient()`, whose writers wait no longer than some milliseconds for each other.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "historian/historian.h"
#include "support/expect_error.h"

namespace flyball::historian {

inline plant::Run run_of(const std::string& id, const std::string& recipe = "standard",
                         const std::string& product = "film", const std::string& line = "L1") {
  plant::Run run;
  run.id = id;
  run.line_id = line;
  run.product_id = product;
  run.recipe_id = recipe;
  return run;
}

/// n samples at start, start+step, ..., value = time.
inline std::vector<Sample> ramp(TimeUs start, DurationUs step, int n) {
  std::vector<Sample> out;
  for (int i = 0; i < n; ++i)
    out.push_back({start + i * step, static_cast<double>(start + i * step), kGood});
  return out;
}

inline std::vector<TimeUs> times(const std::vector<Sample>& samples) {
  std::vector<TimeUs> out;
  for (const Sample& s : samples) out.push_back(s.at);
  return out;
}

template <class Factory>
class HistorianContract : public ::testing::Test {
 protected:
  std::vector<Sample> all(const std::string& node, const Filter& filter = {}) {
    PageRequest request;
    request.node_id = node;
    request.filter = filter;
    return read_all(*store, request);
  }

  Factory factory;
  std::unique_ptr<Historian> store = factory.make();
};

TYPED_TEST_SUITE_P(HistorianContract);

TYPED_TEST_P(HistorianContract, ReturnsWhatWasAppendedWithItsQuality) {
  const std::vector<Sample> given{
      {1, 1.5, kGood}, {2, 2.5, {0x40920000}}, {3, std::nan(""), kBadNoData}};
  EXPECT_EQ(this->store->append(run_of("r"), "L1/T", given).stored, 3);
  const auto read = this->all("L1/T");
  ASSERT_EQ(read.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(read[i].at, given[i].at);
    EXPECT_EQ(read[i].quality, given[i].quality);
    EXPECT_TRUE(read[i].value == given[i].value ||
                (std::isnan(read[i].value) && std::isnan(given[i].value)));
  }
}

TYPED_TEST_P(HistorianContract, SortsWhatComesUnsorted) {
  this->store->append(run_of("r"), "L1/T", std::vector<Sample>{{30, 3, kGood}, {10, 1, kGood}});
  this->store->append(run_of("r"), "L1/T",
                      std::vector<Sample>{{40, 4, kGood}, {5, 0, kGood}, {20, 2, kGood}});
  EXPECT_EQ(times(this->all("L1/T")), (std::vector<TimeUs>{5, 10, 20, 30, 40}));
}

TYPED_TEST_P(HistorianContract, TheLastWrittenOfATimeWinsAndIsCounted) {
  const auto first =
      this->store->append(run_of("r"), "L1/T",
                          std::vector<Sample>{{1, 10, kGood}, {2, 20, kGood}, {1, 11, kUncertain}});
  EXPECT_EQ(first.stored, 2);
  EXPECT_EQ(first.merged, 1);
  const auto second =
      this->store->append(run_of("r"), "L1/T", std::vector<Sample>{{2, 21, kGood}, {3, 30, kGood}});
  EXPECT_EQ(second.stored, 1);
  EXPECT_EQ(second.merged, 1);
  const auto read = this->all("L1/T");
  ASSERT_EQ(read.size(), 3u);
  EXPECT_EQ(read[0].value, 11);
  EXPECT_EQ(read[0].quality, kUncertain);
  EXPECT_EQ(read[1].value, 21);
}

TYPED_TEST_P(HistorianContract, ARemovedRunIsGoneWithItsSamplesAndNothingElse) {
  this->store->append(run_of("a"), "L1/T", ramp(0, 2, 1500));
  this->store->append(run_of("b"), "L1/T", ramp(1, 2, 1500));
  this->store->append(run_of("b"), "L1/U", ramp(0, 7, 9));
  {
    const auto undone = this->store->begin();
    EXPECT_EQ(undone->remove_run("L1", "b"), 1509);
  }
  EXPECT_EQ(this->all("L1/T").size(), 3000u);
  const auto writer = this->store->begin();
  EXPECT_EQ(writer->remove_run("L1", "b"), 1509);
  EXPECT_ERROR(writer->remove_run("L1", "b"), "RUN_MISSING");
  writer->append(run_of("c"), "L1/U", ramp(100, 1, 3));
  writer->commit();
  EXPECT_EQ(times(this->all("L1/T")), times(ramp(0, 2, 1500)));
  EXPECT_EQ(times(this->all("L1/U")), times(ramp(100, 1, 3)));
  EXPECT_EQ(this->store->latest("L1/T")->at, 2998);
  std::vector<std::string> runs;
  for (const plant::Run& run : this->store->runs({}, false)) runs.push_back(run.id);
  std::ranges::sort(runs);
  EXPECT_EQ(runs, (std::vector<std::string>{"a", "c"}));
}

TYPED_TEST_P(HistorianContract, PagesCoverEverythingOnceWhateverTheLimit) {
  const auto given = ramp(0, 7, 1000);
  this->store->append(run_of("r"), "L1/T", given);
  for (const std::int64_t limit : {1, 3, 999, 1000, 1001}) {
    PageRequest request;
    request.node_id = "L1/T";
    request.limit = limit;
    std::vector<Sample> read;
    for (;;) {
      const Page page = this->store->page(request);
      ASSERT_LE(static_cast<std::int64_t>(page.samples.size()), limit);
      read.insert(read.end(), page.samples.begin(), page.samples.end());
      if (!page.next) break;
      ASSERT_FALSE(page.samples.empty()) << "a page that has a next one is not empty";
      request.after = page.next;
    }
    ASSERT_EQ(times(read), times(given)) << "limit " << limit;
  }
}

TYPED_TEST_P(HistorianContract, TheDefaultPageDoesNotTruncateTheTotal) {
  this->store->append(run_of("r"), "L1/T", ramp(0, 1, 50'001));
  EXPECT_EQ(this->all("L1/T").size(), 50'001u);
}

TYPED_TEST_P(HistorianContract, TimeLimitsAreHalfOpen) {
  this->store->append(run_of("r"), "L1/T", ramp(0, 10, 10));
  PageRequest request;
  request.node_id = "L1/T";
  request.from = 20;
  request.to = 50;
  EXPECT_EQ(times(read_all(*this->store, request)), (std::vector<TimeUs>{20, 30, 40}));
  request.after = 20;
  EXPECT_EQ(times(read_all(*this->store, request)), (std::vector<TimeUs>{30, 40}));
  request.after = 5;
  EXPECT_EQ(times(read_all(*this->store, request)), (std::vector<TimeUs>{20, 30, 40}));
}

TYPED_TEST_P(HistorianContract, RunsThatOverlapInTimeNeverMix) {
  this->store->append(run_of("even", "hot", "film"), "L1/T", ramp(0, 2, 50));
  this->store->append(run_of("odd", "cold", "foil"), "L1/T", ramp(1, 2, 50));
  EXPECT_EQ(times(this->all("L1/T", {.run_id = "even"})), times(ramp(0, 2, 50)));
  EXPECT_EQ(times(this->all("L1/T", {.run_id = "odd"})), times(ramp(1, 2, 50)));
  EXPECT_EQ(times(this->all("L1/T", {.recipe_id = "hot"})), times(ramp(0, 2, 50)));
  EXPECT_EQ(times(this->all("L1/T", {.product_id = "foil"})), times(ramp(1, 2, 50)));
  EXPECT_EQ(this->all("L1/T", {.line_id = "L1"}).size(), 100u);
  EXPECT_TRUE(this->all("L1/T", {.line_id = "L2"}).empty());
  EXPECT_TRUE(this->all("L1/T", {.recipe_id = "hot", .run_id = "odd"}).empty());
}

TYPED_TEST_P(HistorianContract, AFilteredPageIsFullAndItsCursorReachesTheRest) {
  this->store->append(run_of("rare"), "L1/T", std::vector<Sample>{{0, 0, kGood}, {901, 1, kGood}});
  this->store->append(run_of("often"), "L1/T", ramp(1, 1, 900));
  PageRequest request;
  request.node_id = "L1/T";
  request.filter.run_id = "rare";
  request.limit = 1;
  EXPECT_EQ(times(read_all(*this->store, request)), (std::vector<TimeUs>{0, 901}));
}

TYPED_TEST_P(HistorianContract, AReplacedSampleBelongsToTheRunWrittenLast) {
  this->store->append(run_of("a"), "L1/T", ramp(0, 1, 2));
  this->store->append(run_of("b"), "L1/T", ramp(1, 1, 2));
  EXPECT_EQ(times(this->all("L1/T", {.run_id = "a"})), (std::vector<TimeUs>{0}));
  EXPECT_EQ(times(this->all("L1/T", {.run_id = "b"})), (std::vector<TimeUs>{1, 2}));
}

TYPED_TEST_P(HistorianContract, SameNamesOnTwoLinesAreTwoTagsAndTwoRuns) {
  this->store->append(run_of("r", "hot", "film", "L1"), "L1/T", ramp(0, 1, 2));
  this->store->append(run_of("r", "cold", "foil", "L2"), "L2/T", ramp(0, 1, 3));
  EXPECT_EQ(this->all("L1/T", {.run_id = "r"}).size(), 2u);
  EXPECT_EQ(this->all("L2/T", {.run_id = "r"}).size(), 3u);
  EXPECT_EQ(this->store->runs({.run_id = "r"}).size(), 2u);
}

TYPED_TEST_P(HistorianContract, ANodeOfAnotherLineIsRefused) {
  EXPECT_ERROR(this->store->append(run_of("r"), "L2/T", ramp(0, 1, 1)), "NODE_LINE_MISMATCH");
  EXPECT_ERROR(this->store->append(run_of("r"), "L11/T", ramp(0, 1, 1)), "NODE_LINE_MISMATCH");
  EXPECT_ERROR(this->store->append(run_of("r"), "L1/", ramp(0, 1, 1)), "NODE_LINE_MISMATCH");
  EXPECT_TRUE(this->store->nodes("L1").empty());
  EXPECT_TRUE(this->store->runs({}).empty());
}

TYPED_TEST_P(HistorianContract, ARunKeepsItsProductAndRecipe) {
  this->store->append(run_of("r", "hot"), "L1/T", ramp(0, 1, 1));
  EXPECT_ERROR(this->store->append(run_of("r", "cold"), "L1/T", ramp(5, 1, 1)), "RUN_MISMATCH");
  EXPECT_EQ(this->all("L1/T").size(), 1u);
}

TYPED_TEST_P(HistorianContract, LatestIsTheNewestInTimeNotInOrderOfWriting) {
  EXPECT_FALSE(this->store->latest("L1/T").has_value());
  this->store->append(run_of("r"), "L1/T", ramp(100, 1, 3));
  this->store->append(run_of("r"), "L1/T", ramp(0, 1, 3));
  EXPECT_EQ(this->store->latest("L1/T")->at, 102);
}

TYPED_TEST_P(HistorianContract, RunsComeByStartThenIdAndOnlyThoseThatOwnSamples) {
  plant::Run late = run_of("a");
  late.started_at = 50;
  late.evidence = plant::EvidenceSource::simulation;
  this->store->append(late, "L1/T", ramp(50, 1, 2));
  this->store->append(run_of("c"), "L1/T", ramp(0, 1, 1));
  this->store->append(run_of("b"), "L1/U", ramp(0, 1, 1));
  this->store->append(run_of("taken"), "L1/T", ramp(7, 1, 1));
  this->store->append(run_of("c"), "L1/T", ramp(7, 1, 1));
  const auto runs = this->store->runs({.line_id = "L1"});
  ASSERT_EQ(runs.size(), 3u);
  EXPECT_EQ(runs[0].id, "b");
  EXPECT_EQ(runs[1].id, "c");
  EXPECT_EQ(runs[2].id, "a");
  EXPECT_EQ(runs[2].evidence, plant::EvidenceSource::simulation);
}

TYPED_TEST_P(HistorianContract, NodesComeInTheOrderOfTheirFirstAppend) {
  for (const char* tag : {"Z", "A", "M", "A"})
    this->store->append(run_of("r"), std::string("L1/") + tag, ramp(0, 1, 1));
  this->store->append(run_of("r", "hot", "film", "L2"), "L2/Q", ramp(0, 1, 1));
  EXPECT_EQ(this->store->nodes("L1"), (std::vector<std::string>{"L1/Z", "L1/A", "L1/M"}));
}

TYPED_TEST_P(HistorianContract, AnUnknownTagIsEmptyAndALimitBelowOneIsRefused) {
  EXPECT_TRUE(this->all("L1/none").empty());
  PageRequest request;
  request.node_id = "L1/none";
  request.limit = 0;
  EXPECT_ERROR((void)this->store->page(request), "FIELD_RANGE");
}

TYPED_TEST_P(HistorianContract, LatestPassesTheFilterAndLiesBeforeATime) {
  this->store->append(run_of("a"), "L1/T", ramp(0, 10, 3000));
  this->store->append(run_of("b", "hot"), "L1/T", ramp(5, 10, 100));
  EXPECT_EQ(this->store->latest("L1/T")->at, 29'990);
  EXPECT_EQ(this->store->latest("L1/T", {.run_id = "b"})->at, 995);
  EXPECT_EQ(this->store->latest("L1/T", {.recipe_id = "hot"}, 995)->at, 985);
  EXPECT_EQ(this->store->latest("L1/T", {}, 995)->at, 990);
  EXPECT_EQ(this->store->latest("L1/T", {}, 996)->at, 995);
  EXPECT_EQ(this->store->latest("L1/T", {}, 15'001)->value, 15'000);
  EXPECT_FALSE(this->store->latest("L1/T", {}, 0));
  EXPECT_FALSE(this->store->latest("L1/T", {}, INT64_MIN));
  EXPECT_FALSE(this->store->latest("L1/T", {.run_id = "none"}));
  EXPECT_FALSE(this->store->latest("L1/none"));
}

TYPED_TEST_P(HistorianContract, NothingIsVisibleBeforeTheCommit) {
  const auto writer = this->store->begin();
  writer->append(run_of("r"), "L1/T", ramp(0, 1, 2000));
  writer->append(run_of("r"), "L1/U", ramp(0, 1, 2));
  writer->append(run_of("s", "hot"), "L1/T", ramp(5000, 1, 3));
  writer->put_import({"a.csv", "", "L1", 1, "{}"});
  EXPECT_TRUE(this->store->tags("").empty());
  EXPECT_TRUE(this->store->runs({}, false).empty());
  EXPECT_TRUE(this->store->imports("", 9).empty());
  EXPECT_TRUE(this->all("L1/T").empty());
  writer->commit();
  EXPECT_EQ(this->store->nodes("L1"), (std::vector<std::string>{"L1/T", "L1/U"}));
  EXPECT_EQ(this->store->runs({}).size(), 2u);
  EXPECT_EQ(this->store->imports("", 9).size(), 1u);
  EXPECT_EQ(this->all("L1/T").size(), 2003u);
  EXPECT_EQ(this->all("L1/U", {.run_id = "r"}).size(), 2u);
}

TYPED_TEST_P(HistorianContract, AWriterWithoutCommitChangesNothing) {
  this->store->append(run_of("r"), "L1/T", ramp(0, 1, 10));
  {
    const auto writer = this->store->begin();
    plant::Tag tag;
    tag.name = "New";
    tag.line_id = "L1";
    writer->put_tag(tag);
    writer->append(run_of("s"), "L1/T", ramp(5, 1, 2000));
    writer->put_import({"a.csv", "", "L1", 1, "{}"});
  }
  EXPECT_EQ(times(this->all("L1/T")), times(ramp(0, 1, 10)));
  EXPECT_EQ(this->store->nodes(""), (std::vector<std::string>{"L1/T"}));
  EXPECT_EQ(this->store->runs({}, false).size(), 1u);
  EXPECT_TRUE(this->store->imports("", 9).empty());
  EXPECT_EQ(this->store->append(run_of("r"), "L1/T", ramp(0, 1, 12)).merged, 10);
}

TYPED_TEST_P(HistorianContract, AWriterSeesItsOwnSamples) {
  const auto writer = this->store->begin();
  writer->append(run_of("r"), "L1/T", ramp(0, 1, 2000));
  EXPECT_EQ(writer->append(run_of("r"), "L1/T", ramp(1990, 1, 20)).merged, 10);
  EXPECT_EQ(writer->append(run_of("s"), "L1/T", ramp(2005, 1, 1)).merged, 1);
  writer->commit();
  EXPECT_EQ(this->all("L1/T").size(), 2010u);
}

TYPED_TEST_P(HistorianContract, ASecondWriterIsRefusedWhileThereIsOne) {
  const auto impatient = this->factory.make_impatient();
  auto writer = impatient->begin();
  EXPECT_ERROR((void)impatient->begin(), "DATABASE_BUSY");
  writer.reset();
  EXPECT_EQ(impatient->append(run_of("r"), "L1/T", ramp(0, 1, 1)).stored, 1);
}

TYPED_TEST_P(HistorianContract, ARefusedAppendLeavesTheTransactionUsable) {
  this->store->append(run_of("r", "hot"), "L1/T", ramp(0, 1, 1));
  const auto writer = this->store->begin();
  writer->append(run_of("s"), "L1/T", ramp(1, 1, 1));
  EXPECT_ERROR(writer->append(run_of("r", "cold"), "L1/T", ramp(2, 1, 1)), "RUN_MISMATCH");
  EXPECT_ERROR(writer->put_run(run_of("r", "cold")), "RUN_MISMATCH");
  EXPECT_ERROR(writer->append(run_of("s"), "L2/T", ramp(2, 1, 1)), "NODE_LINE_MISMATCH");
  writer->commit();
  EXPECT_EQ(times(this->all("L1/T")), (std::vector<TimeUs>{0, 1}));
}

TYPED_TEST_P(HistorianContract, ATagKeepsWhatIsKnownOfIt) {
  this->store->append(run_of("r"), "L1/Z", ramp(0, 1, 1));
  plant::Tag tag;
  tag.name = "A";
  tag.line_id = "L1";
  tag.unit = "°C";
  tag.kind = plant::TagKind::digital;
  tag.states = {"AUTO", "MAN"};
  tag.role = plant::Role::mv;
  tag.stepped = false;
  tag.min = -1.5;
  tag.mode_tag = "A-mode";
  {
    const auto writer = this->store->begin();
    writer->put_tag(tag);
    writer->append(run_of("r"), "L1/A", ramp(0, 1, 1));
    writer->commit();
  }
  auto tags = this->store->tags("L1");
  ASSERT_EQ(tags.size(), 2u);
  EXPECT_EQ(tags[0].name, "Z");
  EXPECT_EQ(to_json_value(tags[1]), to_json_value(tag)) << "an append leaves it as it is";
  tag.unit = "K";
  tag.name = "Z";
  {
    const auto writer = this->store->begin();
    writer->put_tag(tag);
    writer->commit();
  }
  tags = this->store->tags("");
  ASSERT_EQ(tags.size(), 2u);
  EXPECT_EQ(tags[0].unit, "K") << "replaced in its place";
  EXPECT_EQ(this->all("L1/Z").size(), 1u) << "its samples stay";
  EXPECT_TRUE(this->store->tags("L2").empty());
}

TYPED_TEST_P(HistorianContract, ARunWithoutSamplesIsKnown) {
  plant::Run run = run_of("r");
  const auto put = [&] {
    const auto writer = this->store->begin();
    writer->put_run(run);
    writer->commit();
  };
  put();
  EXPECT_TRUE(this->store->runs({}).empty());
  ASSERT_EQ(this->store->runs({}, false).size(), 1u);
  this->store->append(run, "L1/T", ramp(0, 1, 1));
  run.started_at = 77;
  run.ended_at = 99;
  put();
  ASSERT_EQ(this->store->runs({}).size(), 1u);
  EXPECT_EQ(this->store->runs({})[0].started_at, 77);
  EXPECT_EQ(this->store->runs({})[0].ended_at, 99);
  EXPECT_EQ(this->all("L1/T", {.run_id = "r"}).size(), 1u);
}

TYPED_TEST_P(HistorianContract, ImportsComeNewestFirst) {
  const auto writer = this->store->begin();
  for (int i = 0; i < 5; ++i)
    writer->put_import({std::to_string(i), "ab", i % 2 == 0 ? "L1" : "L2", i, "{\"n\":1}"});
  writer->commit();
  const auto of_line = this->store->imports("L1", 2);
  ASSERT_EQ(of_line.size(), 2u);
  EXPECT_EQ(of_line[0].source, "4");
  EXPECT_EQ(of_line[1].source, "2");
  EXPECT_EQ(of_line[1].at, 2);
  EXPECT_EQ(of_line[1].sha256, "ab");
  EXPECT_EQ(of_line[1].account_json, "{\"n\":1}");
  EXPECT_EQ(this->store->imports("", 99).size(), 5u);
}

TYPED_TEST_P(HistorianContract, AnAppendOfNothingMakesRunAndTag) {
  const auto result = this->store->append(run_of("r"), "L1/T", {});
  EXPECT_EQ(result.stored + result.merged, 0);
  EXPECT_EQ(this->store->nodes("L1").size(), 1u);
  EXPECT_EQ(this->store->runs({}, false).size(), 1u);
}

REGISTER_TYPED_TEST_SUITE_P(
    HistorianContract, ReturnsWhatWasAppendedWithItsQuality, SortsWhatComesUnsorted,
    TheLastWrittenOfATimeWinsAndIsCounted, ARemovedRunIsGoneWithItsSamplesAndNothingElse,
                            PagesCoverEverythingOnceWhateverTheLimit,
    TheDefaultPageDoesNotTruncateTheTotal, TimeLimitsAreHalfOpen, RunsThatOverlapInTimeNeverMix,
    AFilteredPageIsFullAndItsCursorReachesTheRest, AReplacedSampleBelongsToTheRunWrittenLast,
    SameNamesOnTwoLinesAreTwoTagsAndTwoRuns, ANodeOfAnotherLineIsRefused,
    ARunKeepsItsProductAndRecipe, LatestIsTheNewestInTimeNotInOrderOfWriting,
    RunsComeByStartThenIdAndOnlyThoseThatOwnSamples, NodesComeInTheOrderOfTheirFirstAppend,
    AnUnknownTagIsEmptyAndALimitBelowOneIsRefused, LatestPassesTheFilterAndLiesBeforeATime,
    NothingIsVisibleBeforeTheCommit, AWriterWithoutCommitChangesNothing, AWriterSeesItsOwnSamples,
    ASecondWriterIsRefusedWhileThereIsOne, ARefusedAppendLeavesTheTransactionUsable,
    ATagKeepsWhatIsKnownOfIt, ARunWithoutSamplesIsKnown, ImportsComeNewestFirst,
    AnAppendOfNothingMakesRunAndTag);

}  // namespace flyball::historian
