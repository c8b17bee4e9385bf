// Uncertainty of a static model: one operating point is one block, horizon 1.
#include <gtest/gtest.h>

#include <cmath>

#include "math/random.h"
#include "uq/conformal.h"
#include "uq/uq.h"

namespace flyball::uq {
namespace {

using dataset::Part;

struct Made {
  std::vector<dataset::OperatingPoint> points;
  std::vector<evaluate::PointResult> results;
};

/// Points of one CV with standard normal errors; `runs` runs per part, `used` steps a point.
Made points_of(Index val, Index test, Index runs, Index used, std::uint32_t seed) {
  Made out;
  math::Random random(seed);
  for (const auto& [part, n] : {std::pair{Part::val, val}, std::pair{Part::test, test}}) {
    for (Index i = 0; i < n; ++i) {
      dataset::OperatingPoint p;
      p.run_id = std::string(enum_name(part)) + std::to_string(i % runs);
      p.part = part;
      p.used = used;
      out.points.push_back(p);
    }
  }
  for (const auto& p : out.points)
    out.results.push_back({&p, Vector{{0}}, Vector{{random.normal()}}, Vector{{0}}});
  return out;
}

TEST(PointEvidence, BandIsTheOrderStatisticOfTheValPoints) {
  const Made made = points_of(19, 40, 2, 10, 1);
  const auto found = point_evidence(made.results, {"y"}, {1}, 0.1);
  ASSERT_TRUE(found.uq) << found.reason->text();
  std::vector<double> scores;
  for (const auto& r : made.results) {
    if (r.point->part == Part::val) scores.push_back(std::abs(r.y(0)));
  }
  std::ranges::sort(scores);
  EXPECT_NEAR(found.uq->qhat_per_cv[0], scores[17], 1e-8) << "the 18th of 19";
  EXPECT_EQ(found.uq->horizon, 1);
  EXPECT_EQ(found.uq->block_start_steps, 1);
  EXPECT_EQ(found.uq->n_test_blocks, 40);
  EXPECT_EQ(found.uq->n_unique_test_steps, 400);
}

/// P(a test point ≤ the r-th of n) = r/(n+1) = 18/20.
TEST(PointEvidence, CoversAsOftenAsItSays) {
  double covered = 0;
  constexpr int kSeeds = 400, kTest = 50;
  for (std::uint32_t seed = 1; seed <= kSeeds; ++seed) {
    const Made made = points_of(19, kTest, 2, 10, seed);
    covered += point_evidence(made.results, {"y"}, {1}, 0.1).uq->coverage_test;
  }
  // The share of one study is beta-binomial around 0.9 with deviation 0.08: 0.004 over 400.
  EXPECT_NEAR(covered / kSeeds, 0.9, 0.016);
}

TEST(PointEvidence, RefusesTooFewWithWordsOfPoints) {
  const auto code = [](const Made& made) {
    const auto found = point_evidence(made.results, {"y"}, {1}, 0.1);
    return found.reason ? found.reason->code : "";
  };
  EXPECT_EQ(code(points_of(19, 40, 1, 10, 1)), "UQ_TEST_RUNS_POINTS");
  EXPECT_EQ(code(points_of(1, 40, 2, 10, 1)), "UQ_VAL_BLOCKS_POINTS");
  EXPECT_EQ(code(points_of(19, 40, 2, 2, 1)), "UQ_TEST_STEPS_POINTS");
  EXPECT_NE(Message({"UQ_VAL_BLOCKS_POINTS", {{"value", 1}, {"short", 0}, {"limit", 2}}}).text(),
            "");
}

TEST(PointEvidence, PointsWhereTheModelDoesNotHoldGiveNoBlock) {
  Made made = points_of(19, 40, 2, 10, 1);
  for (std::size_t i = 0; i < 5; ++i) made.results[i].predicted(0) = std::nan("");
  const auto found = point_evidence(made.results, {"y"}, {1}, 0.1);
  ASSERT_TRUE(found.uq);
  EXPECT_EQ(found.uq->n_val_blocks, 14);
  EXPECT_EQ(found.uq->n_val_too_short, 5);
}

}  // namespace
}  // namespace flyball::uq
