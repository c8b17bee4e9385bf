#pragma once
// What every Historian promises. An implementation includes this and instantiates the suite:
//   INSTANTIATE_TYPED_TEST_SUITE_P(Memory, HistorianContract, MemoryFactory);
// where Factory has `std::unique_ptr<Historian> make()` that gives an empty one.
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

REGISTER_TYPED_TEST_SUITE_P(
    HistorianContract, ReturnsWhatWasAppendedWithItsQuality, SortsWhatComesUnsorted,
    TheLastWrittenOfATimeWinsAndIsCounted, PagesCoverEverythingOnceWhateverTheLimit,
    TheDefaultPageDoesNotTruncateTheTotal, TimeLimitsAreHalfOpen, RunsThatOverlapInTimeNeverMix,
    AFilteredPageIsFullAndItsCursorReachesTheRest, AReplacedSampleBelongsToTheRunWrittenLast,
    SameNamesOnTwoLinesAreTwoTagsAndTwoRuns, ANodeOfAnotherLineIsRefused,
    ARunKeepsItsProductAndRecipe, LatestIsTheNewestInTimeNotInOrderOfWriting,
    RunsComeByStartThenIdAndOnlyThoseThatOwnSamples, NodesComeInTheOrderOfTheirFirstAppend,
    AnUnknownTagIsEmptyAndALimitBelowOneIsRefused);

}  // namespace flyball::historian
