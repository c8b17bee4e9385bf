#include "dataset/build.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "dataset/fixtures.h"

namespace flyball::dataset {
namespace {

using namespace fixtures;

TEST(Build, PassesARecordOnTheBeatGridThroughBitForBit) {
  historian::MemoryHistorian h;
  const Record r = record(400, 1);
  store(h, run_named("r", kStart), r);
  const Built built = build(h, small_spec());
  ASSERT_EQ(built.dataset.runs.size(), 1U);
  const Series& s = built.dataset.runs[0];
  ASSERT_EQ(s.values.rows(), 400);
  for (Index i = 0; i < 400; ++i) {
    const auto k = static_cast<std::size_t>(i);
    EXPECT_EQ(s.values(i, 0), r.u[k]);
    EXPECT_EQ(s.values(i, 1), r.d[k]);
    EXPECT_EQ(s.values(i, 2), r.y[k]);
    EXPECT_EQ(s.t[k], kStart + i * kSecond);
  }
  EXPECT_EQ(s.mask.minCoeff(), 1);
  EXPECT_EQ(s.mask.maxCoeff(), 1);
}

TEST(Build, CountsUniqueRowsAndListsWindowsBeside) {
  historian::MemoryHistorian h;
  store(h, run_named("r", kStart), record(400, 1));
  const Report report = build(h, small_spec()).report;
  EXPECT_EQ(report.rows, (PartCounts{200, 95, 95}));
  EXPECT_EQ(report.row_count, 390);
  EXPECT_EQ(report.windows, (PartCounts{196, 91, 91}));
  EXPECT_EQ(report.runs_used, std::vector<std::string>{"r"});
}

TEST(Build, TrainDoesNotDependOnHistoryAndHorizon) {
  historian::MemoryHistorian h;
  store(h, run_named("r", kStart), record(400, 1));
  Spec spec = small_spec();
  const Built a = build(h, spec);
  spec.window = {20, 40};
  const Built b = build(h, spec);
  EXPECT_EQ(a.dataset.blocks[0].steps, b.dataset.blocks[0].steps);
  EXPECT_EQ(a.dataset.norm.mean, b.dataset.norm.mean);
  EXPECT_EQ(a.dataset.norm.std, b.dataset.norm.std);
  EXPECT_EQ(b.dataset.blocks[1].purge_before_steps, 60);
  EXPECT_EQ(b.dataset.blocks[1].purge_after_steps, 0);
}

TEST(Build, TrainStatisticsStayWhenOtherPartsChange) {
  historian::MemoryHistorian h, changed;
  Record r = record(400, 1);
  store(h, run_named("r", kStart), r);
  for (std::size_t i = 200; i < 400; ++i) r.y[i] = 1000 + 3 * r.y[i], r.d[i] *= 7;
  store(changed, run_named("r", kStart), r);
  const Norm a = build(h, small_spec()).dataset.norm, b = build(changed, small_spec()).dataset.norm;
  EXPECT_EQ(a.mean, b.mean);
  EXPECT_EQ(a.std, b.std);
  EXPECT_EQ(a.min, b.min);
  EXPECT_EQ(a.max, b.max);
}

TEST(Build, AHoleOfADayPartsARunAndIsNotMissingFromIt) {
  historian::MemoryHistorian h;
  const Record r = record(1200, 3);
  const plant::Run run = run_named("r", kStart);
  const auto put = [&](const char* node, const Column& x) {
    auto all = samples(x, kStart, kSecond);
    for (std::size_t i = 600; i < all.size(); ++i) all[i].at += kDay;
    h.append(run, node, all);
  };
  put("L1/u", r.u);
  put("L1/d", r.d);
  put("L1/y", r.y);
  const Report report = build(h, small_spec()).report;
  EXPECT_EQ(report.runs_used, std::vector<std::string>{"r"});
  EXPECT_GT(report.row_count, 1000);
}

TEST(Build, NeverMixesOverlappingRunsOfTwoRecipes) {
  historian::MemoryHistorian h;
  store(h, run_named("a", kStart), record(300, 1));
  Record other = record(300, 2);
  for (double& y : other.y) y = -500;
  store(h, run_named("b", kStart + kSecond / 2, "R2"), other);
  const Built built = build(h, small_spec());
  EXPECT_EQ(built.report.runs_used, std::vector<std::string>{"a"});
  EXPECT_GT(built.dataset.runs[0].values.col(2).minCoeff(), 0);
  EXPECT_EQ(built.dataset.runs[0].values.rows(), 300);
}

TEST(Build, RefusesARunOfAnotherRecipeAndAnUnknownOne) {
  historian::MemoryHistorian h;
  store(h, run_named("a", kStart), record(300, 1));
  store(h, run_named("b", kStart + kDay, "R2"), record(300, 2));
  Spec spec = small_spec();
  spec.run_ids = {"b"};
  EXPECT_EQ(code_of([&] { build(h, spec); }), "RUN_MISMATCH");
  spec.run_ids = {"zz"};
  EXPECT_EQ(code_of([&] { build(h, spec); }), "RUN_MISSING");
  spec.run_ids = {};
  spec.recipe_id = "R3";
  EXPECT_EQ(code_of([&] { build(h, spec); }), "NO_RUNS");
}

TEST(Build, NamesAnUnknownTagAndTheNearestKnownOne) {
  historian::MemoryHistorian h;
  store(h, run_named("a", kStart), record(300, 1));
  Spec spec = small_spec();
  spec.variables[2].node_id = "L1/yy";
  try {
    build(h, spec);
    FAIL() << "an unknown tag must be refused";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), "NODE_MISSING");
    ASSERT_EQ(e.problems().size(), 1U);
    EXPECT_EQ(e.problems()[0].pointer, "/variables/2/nodeId");
    EXPECT_NE(e.problems()[0].message.text().find("L1/y"), std::string::npos);
  }
}

TEST(Build, SaysWhyARunWithoutATagGaveNothing) {
  historian::MemoryHistorian h;
  store_runs(h, 3, 300);
  const auto run = run_named("dark", kStart + 9 * kDay);
  const Record r = record(300, 9);
  h.append(run, "L1/u", samples(r.u, run.started_at, kSecond));
  h.append(run, "L1/d", samples(r.d, run.started_at, kSecond));
  const Built built = build(h, small_spec());
  EXPECT_EQ(built.report.runs_used.size(), 3U);
  ASSERT_EQ(built.report.runs_dropped.size(), 1U);
  EXPECT_EQ(built.report.runs_dropped[0].run_id, "dark");
  EXPECT_EQ(built.report.runs_dropped[0].code, "RUN_TAG_EMPTY");
  EXPECT_NE(built.report.runs_dropped[0].reason.find("tag y"), std::string::npos);
}

TEST(Build, RefusesWhenNoRunIsUsableAndSaysWhyForEach) {
  historian::MemoryHistorian h;
  store_runs(h, 2, 6);
  try {
    build(h, small_spec());
    FAIL() << "six rows hold no window";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), "NO_USABLE_RUNS");
    EXPECT_EQ(e.problems().size(), 2U);
  }
}

TEST(Build, RefusesAConstantCvAndListsAConstantMv) {
  historian::MemoryHistorian h;
  Record r = record(400, 1);
  for (std::size_t i = 0; i < 200; ++i) r.y[i] = 0;
  store(h, run_named("r", kStart), r);
  EXPECT_EQ(code_of([&] { build(h, small_spec()); }), "VARIABLE_CONSTANT");

  historian::MemoryHistorian still;
  r = record(400, 1);
  r.d.assign(400, 12.5);
  store(still, run_named("r", kStart), r);
  const Built built = build(still, small_spec());
  EXPECT_EQ(built.report.constant_columns, std::vector<std::string>{"d"});
  EXPECT_EQ(built.dataset.constant_columns(), std::vector<Index>{1});
  Spec spec = small_spec();
  spec.variables[1].role = Role::mv;
  EXPECT_NO_THROW(build(still, spec)) << "one MV still moves";
  spec.variables[0].role = Role::dv;
  EXPECT_EQ(code_of([&] { build(still, spec); }), "MVS_CONSTANT");
}

TEST(Build, KeepsASmallSignalWhateverItsScale) {
  historian::MemoryHistorian h;
  Record r = record(400, 1);
  for (double& y : r.y) y *= 1e-12;
  store(h, run_named("r", kStart), r);
  const Built built = build(h, small_spec());
  EXPECT_GT(built.dataset.norm.std[2], 0);
  EXPECT_LT(built.dataset.norm.std[2], 1e-10);
}

TEST(Build, LeavesAnEmptyPartOutAndSaysSo) {
  historian::MemoryHistorian h;
  store(h, run_named("r", kStart), record(400, 1));
  Spec spec = small_spec();
  spec.window = {60, 60};
  const Built built = build(h, spec);
  EXPECT_EQ(built.report.rows, (PartCounts{200, 0, 0}));
  ASSERT_GE(built.report.warnings.size(), 2U);
  EXPECT_EQ(built.report.warnings[0].code, "PART_EMPTY");
  EXPECT_TRUE(built.dataset.part(Part::val).empty());
}

TEST(Build, WarnsOfHeldCoarseAndFrozenSignals) {
  const auto warned = [](const Record& r) {
    historian::MemoryHistorian h;
    store(h, run_named("r", kStart), r);
    std::vector<std::string> codes;
    for (const Words& w : build(h, small_spec()).report.warnings) codes.push_back(w.code);
    return codes;
  };
  const auto has = [](const std::vector<std::string>& codes, const std::string& code) {
    return std::ranges::find(codes, code) != codes.end();
  };
  const Record good = record(600, 1);
  EXPECT_TRUE(warned(good).empty());
  Record r = good;
  for (std::size_t i = 0; i < r.y.size(); ++i) r.y[i] = good.y[i - i % 5];
  EXPECT_TRUE(has(warned(r), "OVERSAMPLED_HOLD"));
  r = good;
  for (double& y : r.y) y = 4 * std::round(y / 4);
  EXPECT_TRUE(has(warned(r), "COARSELY_QUANTISED"));
  r = good;
  std::fill_n(r.y.begin() + 350, 100, 17.0);
  EXPECT_TRUE(has(warned(r), "SIGNAL_FROZEN"));
  r = record(3000, 1);
  std::fill_n(r.y.begin() + 350, 60, r.y[349]);
  EXPECT_TRUE(has(warned(r), "SIGNAL_FROZEN")) << "2 % of the record, yet far longer than any other";
  r = record(3000, 1);
  std::fill_n(r.u.begin() + 350, 60, r.u[349]);
  EXPECT_FALSE(has(warned(r), "SIGNAL_FROZEN")) << "what people set may rest";
}

TEST(Build, StopsWhenAsked) {
  historian::MemoryHistorian h;
  store_runs(h, 3, 300);
  std::stop_source source;
  source.request_stop();
  EXPECT_EQ(code_of([&] { build(h, small_spec(), {}, source.get_token()); }), "CANCELLED");
}

TEST(Build, ReportsCountsPerRunAndInTotal) {
  historian::MemoryHistorian h;
  for (int k = 0; k < 3; ++k) {
    Record r = record(300, 7 + static_cast<std::uint32_t>(k));
    r.y[40] += 100;
    r.y[80] = std::nan("");
    for (int i = 0; i <= k; ++i) r.y[static_cast<std::size_t>(150 + 20 * i)] = 1e6;
    store(h, run_named("r" + std::to_string(k), kStart + k * kDay), r);
  }
  Spec spec = small_spec();
  spec.variables[2].max = 1e5;
  const Report report = build(h, spec).report;
  const CleanCounts& total = report.cleaning.at("L1/y");
  EXPECT_EQ(total.total, 900);
  EXPECT_EQ(total.dropped_quality, 3);
  EXPECT_EQ(total.dropped_range, 6);
  EXPECT_EQ(total.dropped_spike, 3);
  EXPECT_EQ(total.interpolated, 12);
  EXPECT_EQ(report.run_cleaning.at("r1").at("L1/y").dropped_range, 2);
  EXPECT_EQ(report.run_cleaning.at("r1").at("L1/u").dropped(), 0);
}

}  // namespace
}  // namespace flyball::dataset
