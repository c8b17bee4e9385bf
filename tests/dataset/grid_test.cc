#include "dataset/grid.h"

#include <gtest/gtest.h>

#include "dataset/fixtures.h"

namespace flyball::dataset {
namespace {

using namespace fixtures;

constexpr DurationUs kBeat = kSecond;

struct OnGrid {
  Column value;
  std::vector<int> mask;
  GridCounts counts;
};

Cleaned tag(std::vector<TimeUs> t, Column x, std::vector<TimeUs> breaks = {}) {
  return {std::move(t), std::move(x), std::move(breaks), {}};
}

OnGrid sloped(const Cleaned& c, Index steps, DurationUs max_interp = 3 * kBeat) {
  OnGrid out{Column(static_cast<std::size_t>(steps)), {}, {}};
  std::vector<std::uint8_t> mask(static_cast<std::size_t>(steps), 9);
  out.counts = sloped_to_grid(c, {0, kBeat, steps}, max_interp, out.value.data(), mask.data());
  out.mask.assign(mask.begin(), mask.end());
  return out;
}

OnGrid stepped(const Cleaned& c, Index steps, const HoldRule& hold = {}) {
  OnGrid out{Column(static_cast<std::size_t>(steps)), {}, {}};
  std::vector<std::uint8_t> mask(static_cast<std::size_t>(steps), 9);
  out.counts =
      stepped_to_grid(c, {0, kBeat, steps}, hold, steps * kBeat, out.value.data(), mask.data());
  out.mask.assign(mask.begin(), mask.end());
  return out;
}

TEST(SlopedGrid, WeighsSamplesOfABucketByTheTimeNearestToThem) {
  const OnGrid g = sloped(tag({100'000, 900'000}, {2, 4}), 1);
  EXPECT_DOUBLE_EQ(g.value[0], 0.5 * 2 + 0.5 * 4);
  const OnGrid skew = sloped(tag({0, 200'000, 400'000}, {1, 2, 3}), 1);
  EXPECT_DOUBLE_EQ(skew.value[0], 0.1 * 1 + 0.2 * 2 + 0.7 * 3);
}

TEST(SlopedGrid, KeepsEqualSamplesExactly) {
  std::vector<TimeUs> t;
  for (TimeUs i = 0; i < 3000; ++i) t.push_back(i * 1'003);
  for (const double v : sloped(tag(t, Column(t.size(), 3.41)), 3).value) EXPECT_EQ(v, 3.41);
}

TEST(SlopedGrid, InterpolatesUpToTheLimitAndMarksIt) {
  const OnGrid g = sloped(tag({0, 4 * kBeat, 9 * kBeat}, {0, 8, 13}), 10);
  EXPECT_EQ(g.mask, (std::vector<int>{1, 2, 2, 2, 1, 0, 0, 0, 0, 1}))
      << "a gap of 3 is filled, one of 4 is not";
  for (int i = 0; i <= 4; ++i) EXPECT_DOUBLE_EQ(g.value[static_cast<std::size_t>(i)], 2.0 * i);
  EXPECT_TRUE(std::isnan(g.value[6]));
  EXPECT_EQ(g.counts.interpolated, 3);
  EXPECT_EQ(g.counts.missing, 4);
  EXPECT_EQ(sloped(tag({0, 4 * kBeat}, {0, 8}), 5, 0).counts.missing, 3);
}

TEST(SlopedGrid, DoesNotReachBeyondItsFirstAndLastSample) {
  const OnGrid g = sloped(tag({2 * kBeat, 3 * kBeat}, {5, 6}), 6);
  EXPECT_EQ(g.mask, (std::vector<int>{0, 0, 1, 1, 0, 0}));
}

TEST(SteppedGrid, HoldsWithoutLimitAndWeighsByTime) {
  const OnGrid g = stepped(tag({0, 3 * kBeat + 250'000}, {1, 5}), 6);
  EXPECT_EQ(g.value, (Column{1, 1, 1, 0.25 * 1 + 0.75 * 5, 5, 5}));
  EXPECT_EQ(g.mask, (std::vector<int>{1, 2, 2, 1, 2, 2}));
  EXPECT_EQ(g.counts.held, 4);
}

TEST(SteppedGrid, EndsAHoldAtBadQualityAndAtItsLimit) {
  const OnGrid bad = stepped(tag({0, 4 * kBeat}, {1, 2}, {2 * kBeat}), 5);
  EXPECT_EQ(bad.mask, (std::vector<int>{1, 2, 0, 0, 1}));
  EXPECT_TRUE(std::isnan(bad.value[3]));
  const OnGrid limited = stepped(tag({0, 4 * kBeat}, {1, 2}), 7, {2 * kBeat});
  EXPECT_EQ(limited.mask, (std::vector<int>{1, 2, 0, 0, 1, 2, 0}));
}

TEST(SteppedGrid, HoldsOverADroppedSampleThatAGoodOneFollowsSoon) {
  const Cleaned c = tag({0, 3 * kBeat, 7 * kBeat}, {1, 2, 3}, {kBeat, 2 * kBeat, 4 * kBeat});
  const OnGrid g = stepped(c, 8, {{}, 2 * kBeat});
  EXPECT_EQ(g.mask, (std::vector<int>{1, 2, 2, 1, 0, 0, 0, 1}))
      << "two steps without a good sample are held over, three are not";
  EXPECT_EQ(g.value[2], 1);
  EXPECT_EQ(g.counts.held, 2);
}

TEST(SteppedGrid, PassesATagOnTheGridUnchangedWhateverItsPhase) {
  for (const TimeUs phase : {0, 1, 20'000, 999'999}) {
    std::vector<TimeUs> t;
    Column x;
    for (TimeUs i = 0; i < 50; ++i) {
      t.push_back(i * kBeat + phase);
      x.push_back(i % 7 < 3 ? 3.41 : 6.41);
    }
    const OnGrid g = stepped(tag(t, x), 50);
    EXPECT_EQ(g.value, x) << phase;
    EXPECT_EQ(g.mask, std::vector<int>(50, 1));
  }
}

TEST(SteppedGrid, HasTheTimeWeightedMeanOfWhatIsHeld) {
  math::Random random(5);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<TimeUs> t;
    Column x;
    for (TimeUs at = 0; at < 20 * kBeat; at += 1 + random.index(2 * kBeat)) {
      t.push_back(at);
      x.push_back(random.normal());
    }
    const OnGrid g = stepped(tag(t, x), 20);
    for (Index step = 0; step < 20; ++step) {
      double sum = 0;
      for (std::size_t i = 0; i < t.size(); ++i) {
        const TimeUs end = i + 1 < t.size() ? t[i + 1] : 20 * kBeat;
        const TimeUs a = std::max(t[i], step * kBeat), b = std::min(end, (step + 1) * kBeat);
        if (b > a) sum += x[i] * static_cast<double>(b - a);
      }
      EXPECT_NEAR(g.value[static_cast<std::size_t>(step)], sum / static_cast<double>(kBeat), 1e-12);
    }
  }
}

TEST(BucketStart, IsTheFloorAlsoBeforeTheEpoch) {
  EXPECT_EQ(bucket_start(2'500'000, 0, kBeat), 2'000'000);
  EXPECT_EQ(bucket_start(-1, 0, kBeat), -kBeat);
  EXPECT_EQ(bucket_start(-kBeat, 0, kBeat), -kBeat);
  EXPECT_EQ(bucket_start(10, 7, 5), 7);
  EXPECT_EQ(bucket_start(6, 7, 5), 2);
}

TEST(GridPhase, LetsARecordWithoutRealTimesBeginItsFirstBucket) {
  const DurationUs odd = 70'000;  // does not divide a day
  const TimeUs midnight = 20'100 * kDay;
  EXPECT_EQ(bucket_start(midnight, grid_phase(midnight, odd), odd), midnight);
  EXPECT_EQ(grid_phase(midnight + 17 * kSecond, 60 * kSecond), 0)
      << "buckets of a calendar beat begin on the calendar";
}

TEST(GridPhase, KeepsEveryDeclaredPeriodFreeOfRounding) {
  for (const DurationUs period : {1L, 7L, 333'333L, 80'000L, 3'600'000'001L}) {
    historian::MemoryHistorian h;
    const Record r = record(120, 3);
    store(h, run_named("r", 20'100 * kDay), r, period);
    Spec spec = small_spec();
    spec.beat_ms = static_cast<double>(period) / 1000;
    const Built built = build(h, spec);
    const Series& s = built.dataset.runs[0];
    ASSERT_EQ(s.values.rows(), 120) << period;
    EXPECT_EQ(s.mask.minCoeff(), 1);
    for (Index i = 0; i < 120; ++i) {
      EXPECT_EQ(s.values(i, 0), r.u[static_cast<std::size_t>(i)]);
      EXPECT_EQ(s.values(i, 2), r.y[static_cast<std::size_t>(i)]);
    }
  }
}

}  // namespace
}  // namespace flyball::dataset
