// Which stretches count as steady.
#include <numeric>

#include "static_plants.h"

namespace flyball::identify {
namespace {

using dataset::OperatingPoint;
using dataset::OperatingPoints;
using dataset::Points;

std::int64_t refused(const OperatingPoints& points, const std::string& reason) {
  std::int64_t holds = 0;
  for (const auto& r : points.refused) holds += r.reason == reason ? r.holds : 0;
  return holds;
}

TEST(Steady, FindsOneSegmentPerHoldAndNoTransient) {
  math::Random random(1);
  const Matrix x = surface_run(4000, 50, 0.02, random);
  const OperatingPoints found = points_of(train_dataset({x}, "uuy"));
  std::int64_t holds = 1;
  for (Index t = 1; t < x.rows(); ++t) holds += x(t, 0) != x(t - 1, 0) || x(t, 1) != x(t - 1, 1);
  EXPECT_GE(static_cast<std::int64_t>(found.points.size()), holds * 9 / 10);
  EXPECT_LE(static_cast<std::int64_t>(found.points.size()), holds);
  for (const OperatingPoint& p : found.points) {
    // 2 % of the range of y (about 9) plus three standard errors of the noise.
    EXPECT_NEAR(p.mean(2), surface_truth(p.mean(0), p.mean(1)), 0.1) << p.first_step;
    EXPECT_EQ(p.used, p.steps);
  }
}

TEST(Steady, DeadTimeLongerThanTheShortestSegmentGivesNoPointAtTheOldLevel) {
  math::Random random(2);
  const Matrix x = surface_run(6000, 90, 0.02, random, 0.8, 25);
  dataset::SteadyOptions options;
  options.min_steps = 8;
  const OperatingPoints found = points_of(train_dataset({x}, "uuy"), options);
  EXPECT_GT(found.points.size(), 25u);
  for (const OperatingPoint& p : found.points)
    EXPECT_NEAR(p.mean(2), surface_truth(p.mean(0), p.mean(1)), 0.1) << p.first_step;
}

TEST(Steady, DriftingCvIsRefusedAndCounted) {
  math::Random random(3);
  Matrix x(600, 2);
  for (Index t = 0; t < 600; ++t) {
    x(t, 0) = t < 300 ? 1 : 2;
    x(t, 1) = 10 + 0.01 * random.normal() + (t < 300 ? 0.0 : 0.02 * static_cast<double>(t - 300));
  }
  const OperatingPoints found = points_of(train_dataset({x}, "uy"));
  ASSERT_EQ(found.points.size(), 1u);
  EXPECT_EQ(found.points[0].mean(0), 1);
  EXPECT_EQ(refused(found, "drifts"), 1);
}

TEST(Steady, MovingMvIsRefusedAndCounted) {
  math::Random random(4);
  Matrix x(600, 2);
  for (Index t = 0; t < 600; ++t) {
    x(t, 0) = t < 300 ? 5 : (t % 3 == 0 ? 6 : 4);
    x(t, 1) = 10 + 0.01 * random.normal();
  }
  const OperatingPoints found = points_of(train_dataset({x}, "uy"));
  ASSERT_EQ(found.points.size(), 1u);
  EXPECT_EQ(found.points[0].mean(0), 5);
  EXPECT_GT(refused(found, "moves"), 50);
}

TEST(Steady, SlowlyRampedMvIsNoSetting) {
  Matrix x(800, 2);
  for (Index t = 0; t < 800; ++t) {
    x(t, 0) = t < 400 ? 0 : 0.002 * static_cast<double>(t - 400);
    x(t, 1) = 3 * x(t, 0);
  }
  const OperatingPoints found = points_of(train_dataset({x}, "uy"));
  // 2 % of its range: what is tolerated within a segment.
  EXPECT_EQ(found.points.size(), 1u);
  for (const OperatingPoint& p : found.points) EXPECT_LT(p.mean(0), 0.02 * 0.8);
}

TEST(Steady, OscillatingCvVaries) {
  math::Random random(5);
  Matrix x(900, 2);
  for (Index t = 0; t < 900; ++t) {
    x(t, 0) = static_cast<double>(t / 100 % 3);
    x(t, 1) = 10 * x(t, 0) + 0.05 * random.normal();
    if (t >= 800) x(t, 1) += 3 * std::sin(0.9 * static_cast<double>(t));
  }
  const OperatingPoints found = points_of(train_dataset({x}, "uy"));
  EXPECT_EQ(found.points.size(), 8u);
  EXPECT_EQ(refused(found, "varies"), 1);
}

TEST(Steady, SegmentsLieWithinTheirPart) {
  math::Random random(6);
  const auto data = record_dataset(surface_run(4000, 50, 0.02, random), "uuy");
  const OperatingPoints found = points_of(data);
  EXPECT_GT(found.part(Part::val).size(), 8u);
  for (const OperatingPoint& p : found.points) {
    const auto inside = [&](const dataset::Block& b) {
      return b.split == p.part && b.run_id == p.run_id && b.first_step <= p.first_step &&
             p.first_step + p.steps <= b.first_step + b.steps;
    };
    EXPECT_EQ(std::ranges::count_if(data.blocks, inside), 1);
  }
}

TEST(Steady, RuleReadsTrainOnly) {
  math::Random random(7);
  auto data = record_dataset(surface_run(4000, 50, 0.02, random), "uuy");
  const Json before = to_json_value(dataset::steady_rule(data));
  data.runs[0].values.bottomRows(2000).setRandom();
  EXPECT_EQ(before, to_json_value(dataset::steady_rule(data)));
}

TEST(Steady, OtherUnitsGiveTheSameSegments) {
  math::Random random(8);
  const Matrix x = surface_run(3000, 50, 0.05, random);
  const Matrix other = (x.array() * 1000 + 273.15).matrix();
  const auto a = points_of(train_dataset({x}, "uuy")), b = points_of(train_dataset({other}, "uuy"));
  ASSERT_EQ(a.points.size(), b.points.size());
  for (std::size_t i = 0; i < a.points.size(); ++i) {
    EXPECT_EQ(a.points[i].first_step, b.points[i].first_step);
    EXPECT_EQ(a.points[i].steps, b.points[i].steps);
  }
}

TEST(Steady, RunsAndRowsWhenAsked) {
  math::Random random(9);
  std::vector<Matrix> runs;
  for (int i = 0; i < 4; ++i) runs.push_back(surface_run(30, 40, 0.01, random));
  runs[1](3, 2) = std::nan("");
  const auto data = train_dataset(runs, "uuy");
  const auto by_run = points_of(data, {.points = Points::runs});
  ASSERT_EQ(by_run.points.size(), 4u);
  EXPECT_NEAR(by_run.points[0].mean(2), runs[0].col(2).mean(), 1e-12);
  EXPECT_EQ(by_run.points[1].used, 29);
  const auto by_row = points_of(data, {.points = Points::rows});
  EXPECT_EQ(by_row.points.size(), 119u);
  EXPECT_EQ(refused(by_row, "missing"), 1);
}

TEST(Steady, MissingValuesOfAnInputEndAHold) {
  math::Random random(10);
  Matrix x(400, 2);
  for (Index t = 0; t < 400; ++t) {
    x(t, 0) = t < 200 ? 1 : 2;
    x(t, 1) = x(t, 0) + 0.01 * random.normal();
  }
  x(100, 0) = std::nan("");
  EXPECT_EQ(points_of(train_dataset({x}, "uy")).points.size(), 3u);
}

}  // namespace
}  // namespace flyball::identify
