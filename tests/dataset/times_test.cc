// Holes, offsets and irregular times.
#include <gtest/gtest.h>

#include "dataset/fixtures.h"
#include "dataset/split.h"
#include "dataset/timing.h"

namespace flyball::dataset {
namespace {

using namespace fixtures;

constexpr DurationUs kMinute = 60 * kSecond;

/// A record at 1 min whose rows stop for 2, 47 and 600 min: stretches of 200, 150, 300 and 400
/// rows.
void store_with_gaps(historian::MemoryHistorian& h) {
  const auto run = run_named("r", kStart);
  const Record r = record(1050, 3);
  std::size_t row = 0;
  TimeUs at = kStart;
  for (const auto& [rows, gap] : {std::pair{200, 2}, {150, 47}, {300, 600}, {400, 0}}) {
    for (int i = 0; i < rows; ++i, ++row, at += kMinute) {
      h.append(run, "L1/u", std::vector<historian::Sample>{{at, r.u[row], {}}});
      h.append(run, "L1/d", std::vector<historian::Sample>{{at, r.d[row], {}}});
      h.append(run, "L1/y", std::vector<historian::Sample>{{at, r.y[row], {}}});
    }
    at += gap * kMinute;
  }
}

Spec minute_spec() {
  Spec spec = small_spec();
  spec.beat_ms = 60'000;
  spec.cleaning.hampel_k = 0;
  spec.cleaning.max_drop_ratio = 1;
  spec.split = {0, 0, 1};
  return spec;
}

TEST(Holes, NoWindowAndNoBlockSpansOne) {
  historian::MemoryHistorian h;
  store_with_gaps(h);
  Spec spec = minute_spec();
  spec.cleaning.max_interp_ms = 0;
  const Built built = build(h, spec);
  // H + F = 5: each stretch of n rows has n - 4 windows; not one more, and not one fewer.
  EXPECT_EQ(built.report.window_count, (200 - 4) + (150 - 4) + (300 - 4) + (400 - 4));
  EXPECT_EQ(built.report.row_count, 1050);
  const RunShape& shape = built.report.run_shapes.at(0);
  EXPECT_EQ(shape.holes, 2) << "2 minutes are a gap, 47 and 600 are holes";
  EXPECT_EQ(shape.segments, 3);
  EXPECT_EQ(shape.longest_hole, 600);
  // The DV is missing in the short gap, which ends a block too.
  std::vector<std::int64_t> rows;
  for (const Block& b : built.dataset.blocks) rows.push_back(b.unique_steps);
  EXPECT_EQ(rows, (std::vector<std::int64_t>{200, 150, 300, 400}));
}

TEST(Holes, AreCutAlsoWhereOnlyHeldTagsWouldCarryOver) {
  historian::MemoryHistorian h;
  store_with_gaps(h);
  Spec spec = minute_spec();
  std::erase_if(spec.variables, [](const Variable& v) { return v.id == "d"; });
  const auto blocks = [&] { return build(h, spec).dataset.blocks.size(); };
  EXPECT_EQ(blocks(), 3U) << "the gap of 2 minutes is interpolated";
  spec.cleaning.max_gap_ms = 60'000 * 100;
  EXPECT_EQ(blocks(), 2U);
  spec.cleaning.max_gap_ms = 60'000;
  EXPECT_EQ(blocks(), 4U);
  spec.cleaning.max_gap_ms = 60'000 * 1000;
  EXPECT_EQ(blocks(), 1U);
}

TEST(Holes, ASparseRecordIsNotCutAtItsOwnRate) {
  // One row in thirty steps, at every place: its usual distance is 30, a hole is above 300.
  historian::MemoryHistorian h;
  const Record r = record(200, 1);
  store(h, run_named("r", kStart), r, 30 * kSecond);
  Spec spec = small_spec();
  spec.cleaning.max_interp_ms = 30'000;
  spec.window = {1, 1};
  spec.materialize = Materialize::windows;  // no window of it could be judged
  const Built built = build(h, spec);
  EXPECT_EQ(built.report.run_shapes.at(0).holes, 0);
}

TEST(Times, TagsOneSecondApartShareTheirSteps) {
  historian::MemoryHistorian h;
  const auto run = run_named("r", kStart);
  const Record r = record(300, 1);
  h.append(run, "L1/u", samples(r.u, kStart, kMinute));
  h.append(run, "L1/d", samples(r.d, kStart + 30 * kSecond, kMinute));
  h.append(run, "L1/y", samples(r.y, kStart + 31 * kSecond, kMinute));
  Spec spec = minute_spec();
  spec.cleaning.max_drop_ratio = 0;
  const Built built = build(h, spec);
  ASSERT_EQ(built.dataset.runs[0].values.rows(), 300);
  EXPECT_EQ(built.dataset.runs[0].mask.minCoeff(), 1);
  EXPECT_EQ(built.dataset.runs[0].values(7, 1), r.d[7]);
  EXPECT_EQ(built.dataset.runs[0].values(7, 2), r.y[7]);
  EXPECT_EQ(built.report.timing.at("L1/d").offset, 30'000);
  EXPECT_EQ(built.report.timing.at("L1/y").offset, 31'000);
  EXPECT_EQ(built.report.timing.at("L1/y").jitter, 0);
  EXPECT_TRUE(built.report.warnings.empty());
}

TEST(Times, ALoggerThatIsIrregularAtItsBeatIsNamedWithNumbers) {
  // Periods of a minute, and as often that much less and more.
  const auto warned = [](DurationUs scatter) {
    historian::MemoryHistorian h;
    const auto run = run_named("r", kStart);
    const Record r = record(400, 1);
    std::vector<historian::Sample> y;
    math::Random random(5);
    TimeUs at = kStart;
    for (std::size_t i = 0; i < r.y.size(); ++i) {
      y.push_back({at, r.y[i], {}});
      at += kMinute + (random.index(3) - 1) * scatter;
    }
    h.append(run, "L1/u", samples(r.u, kStart, kMinute));
    h.append(run, "L1/d", samples(r.d, kStart, kMinute));
    h.append(run, "L1/y", y);
    std::vector<std::string> codes;
    for (const Words& w : build(h, minute_spec()).report.warnings) codes.push_back(w.code);
    return std::ranges::find(codes, "IRREGULAR_TIMES") != codes.end();
  };
  EXPECT_FALSE(warned(0));
  EXPECT_FALSE(warned(30 * kSecond));
  EXPECT_TRUE(warned(31 * kSecond)) << "more than half a beat";
}

TEST(Timing, IsMadeOfMedians) {
  std::vector<TimeUs> t;
  for (TimeUs i = 0; i < 5000; ++i) t.push_back(i * kSecond + 250'000 + (i % 100 == 0 ? 5000 : 0));
  const Timing timing = timing_of(t, 0, kSecond);
  EXPECT_EQ(timing.period, 1000);
  EXPECT_EQ(timing.offset, 250);
  EXPECT_EQ(timing.jitter, 0);
  EXPECT_EQ(timing_of(std::vector<TimeUs>{5}, 0, kSecond).period, 0);
}

}  // namespace
}  // namespace flyball::dataset
