#include "dataset/marks.h"

#include <gtest/gtest.h>

#include "dataset/fixtures.h"
#include "dataset/steady.h"

namespace flyball::dataset {
namespace {

using namespace fixtures;
using plant::MarkKind;

TimeUs second(std::int64_t s) {
  return kStart + s * kSecond;
}

MarkedStretch stretch(MarkKind kind, std::int64_t from, std::int64_t to,
                      const std::string& variable = "") {
  return {kind, variable, second(from), second(to)};
}

/// 400 s of u (stepped), d and y at 1 s.
class Marks : public testing::Test {
 protected:
  void SetUp() override { store(h_, run_named("r", kStart), record(400, 1)); }
  Built built(std::vector<MarkedStretch> marks) {
    spec_.marks = std::move(marks);
    return build(h_, spec_);
  }

  historian::MemoryHistorian h_;
  Spec spec_ = small_spec();
};

TEST_F(Marks, ABadTagHasNoValueThereAndTheOthersKeepTheirs) {
  const Built b = built({stretch(MarkKind::bad, 100, 140, "y")});
  const CleanCounts& y = b.report.cleaning.at("L1/y");
  EXPECT_EQ(y.dropped_marked, 40);
  EXPECT_EQ(y.marked, 40);
  EXPECT_EQ(y.missing, 0) << "what a person left out is not missing";
  EXPECT_EQ(b.report.cleaning.at("L1/d").marked, 0);
  const Series& s = b.dataset.runs[0];
  EXPECT_EQ(s.mask(99, 2), 1);
  EXPECT_EQ(s.mask.col(2).segment(100, 40).maxCoeff(), 0);
  EXPECT_TRUE(s.values.col(2).segment(100, 40).array().isNaN().all());
  EXPECT_EQ(s.mask(140, 2), 1);
  EXPECT_EQ(s.mask.col(1).minCoeff(), 1);
}

TEST_F(Marks, ABadStretchOfTheLinePartsTheBlocks) {
  const Built whole = built({}), b = built({stretch(MarkKind::bad, 100, 140)});
  EXPECT_EQ(b.report.row_count, whole.report.row_count - 40);
  for (const Block& block : b.dataset.blocks) {
    const TimeUs from = second(block.first_step), to = second(block.first_step + block.steps);
    EXPECT_TRUE(to <= second(100) || from >= second(140)) << block.block_id;
  }
}

TEST_F(Marks, WhatLiesOutsideIsUntouched) {
  const Built whole = built({}), b = built({stretch(MarkKind::bad, 100, 140)});
  const Series &x = whole.dataset.runs[0], &y = b.dataset.runs[0];
  EXPECT_EQ(x.t, y.t);
  EXPECT_EQ(x.values.topRows(100), y.values.topRows(100));
  EXPECT_EQ(x.values.bottomRows(260), y.values.bottomRows(260));
}

TEST_F(Marks, ASteppedTagHoldsAfterwardsWhatItWasSetToMeanwhile) {
  historian::MemoryHistorian h;
  const auto run = run_named("r", kStart);
  const Record r = record(400, 1);
  const std::vector<historian::Sample> sp{
      {second(0), 1, {}}, {second(120), 5, {}}, {second(300), 2, {}}, {second(399), 2, {}}};
  h.append(run, "L1/u", sp);
  h.append(run, "L1/d", samples(r.d, kStart, kSecond));
  h.append(run, "L1/y", samples(r.y, kStart, kSecond));
  spec_.marks = {stretch(MarkKind::bad, 100, 140, "u")};
  spec_.split = {0, 0, 42};
  const Series s = build(h, spec_).dataset.runs[0];
  EXPECT_EQ(s.values(99, 0), 1);
  EXPECT_TRUE(std::isnan(s.values(100, 0)) && std::isnan(s.values(139, 0)));
  EXPECT_EQ(s.values(140, 0), 5);
}

TEST_F(Marks, ASampleMarkedBadIsNoSpikeAndDoesNotShiftItsBucket) {
  // Two samples a bucket; the first one, wild, is marked.
  historian::MemoryHistorian h;
  const auto run = run_named("r", kStart);
  const Record r = record(800, 1);
  Column wild = r.y;
  wild[400] = 1e6;
  h.append(run, "L1/u", samples(r.u, kStart, kSecond / 2));
  h.append(run, "L1/d", samples(r.d, kStart, kSecond / 2));
  h.append(run, "L1/y", samples(wild, kStart, kSecond / 2));
  spec_.marks = {{MarkKind::bad, "y", second(200), second(200) + kSecond / 2}};
  const Built b = build(h, spec_);
  EXPECT_EQ(b.dataset.runs[0].values(200, 2), r.y[401]);
  EXPECT_EQ(b.report.cleaning.at("L1/y").dropped_spike, 0);
  EXPECT_EQ(b.report.cleaning.at("L1/y").dropped_marked, 1);
  EXPECT_EQ(b.report.cleaning.at("L1/y").marked, 0) << "the bucket has a good sample";
}

TEST_F(Marks, BatchesAreBlocksAndNothingBetweenThemIsUsed) {
  spec_.split = {0, 0, 42};
  const Built b = built({stretch(MarkKind::batch, 20, 100), stretch(MarkKind::batch, 100, 220),
                         stretch(MarkKind::batch, 250, 390)});
  std::vector<std::pair<std::int64_t, std::int64_t>> rows;
  for (const Block& block : b.dataset.blocks)
    rows.emplace_back(block.first_step, block.first_step + block.steps);
  using Rows = std::vector<std::pair<std::int64_t, std::int64_t>>;
  EXPECT_EQ(rows, (Rows{{20, 100}, {101, 220}, {250, 390}}));
}

TEST_F(Marks, ARunWithoutABatchStaysWhole) {
  const Built b = built({stretch(MarkKind::batch, 1000, 2000)});
  EXPECT_EQ(b.report.cleaning.at("L1/y").marked, 0);
}

TEST_F(Marks, ManyMarkedRowsDoNotMakeARunTooEmpty) {
  const Built b = built({stretch(MarkKind::bad, 50, 350)});
  EXPECT_EQ(b.report.runs_used.size(), 1U);
  EXPECT_LE(b.report.row_count, 100);
}

TEST_F(Marks, OrderAndRepetitionDoNotChangeTheDataset) {
  const auto a = stretch(MarkKind::bad, 100, 140), c = stretch(MarkKind::bad, 200, 210, "y");
  EXPECT_EQ(to_json_value(built({a, c}).dataset.spec),
            to_json_value(built({c, a, c}).dataset.spec));
}

TEST_F(Marks, RefusesWhatIsEmptyOfNoVariableOrSaysSteadyOfOneTag) {
  EXPECT_EQ(code_of([&] { built({stretch(MarkKind::bad, 10, 10)}); }), "SPEC_INVALID");
  EXPECT_EQ(code_of([&] { built({stretch(MarkKind::bad, 10, 20, "z")}); }), "SPEC_INVALID");
  EXPECT_EQ(code_of([&] { built({stretch(MarkKind::steady, 10, 20, "y")}); }), "SPEC_INVALID");
}

TEST_F(Marks, SteadyStretchesAreTheOperatingPoints) {
  spec_.split = {0, 0, 42};
  const Built b = built({stretch(MarkKind::steady, 30, 60), stretch(MarkKind::steady, 200, 240)});
  EXPECT_EQ(usual_points(b.dataset.spec), Points::marked);
  const OperatingPoints points = operating_points(b.dataset, steady_rule(b.dataset));
  ASSERT_EQ(points.points.size(), 2U);
  EXPECT_EQ(points.points[0].first_step, 30);
  EXPECT_EQ(points.points[0].steps, 30);
  const Series& s = b.dataset.runs[0];
  EXPECT_NEAR(points.points[1].mean(2), s.values.col(2).segment(200, 40).mean(), 1e-12);
  EXPECT_EQ(usual_points(built({}).dataset.spec), Points::segments);
}

}  // namespace
}  // namespace flyball::dataset
