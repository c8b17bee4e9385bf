#include "uq/uq.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "evaluate/plant.h"
#include "math/random.h"
#include "uq/conformal.h"

namespace flyball::uq {
namespace {

using dataset::Part;
using testing::known_plant;
using testing::make_dataset;

BlockScores scores(Index blocks, int runs, std::int64_t steps, std::uint32_t seed = 3,
                   Index cvs = 2) {
  math::Random random(seed);
  BlockScores out;
  out.scores = Matrix::NullaryExpr(blocks, cvs, [&] { return random.uniform(); });
  for (Index i = 0; i < blocks; ++i) out.runs.push_back("r" + std::to_string(i % runs));
  out.unique_steps = steps;
  return out;
}

UqOptions options() {
  UqOptions o;
  o.horizon = 10;
  o.cvs = {"y1", "y2"};
  o.train_std = {1, 2};
  return o;
}

std::string reason(const UqResult& r) {
  return r.uq ? "none" : r.reason->code;
}

TEST(Uq, IsRefusedBelowItsLimitsAndGivenAtThem) {
  EXPECT_EQ(reason(calibrate(scores(2, 1, 90), scores(2, 2, 120), options())), "none");
  EXPECT_EQ(reason(calibrate(scores(2, 1, 90), scores(2, 2, 119), options())), "UQ_TEST_STEPS");
  EXPECT_EQ(reason(calibrate(scores(2, 1, 90), scores(2, 1, 120), options())), "UQ_TEST_RUNS");
  EXPECT_EQ(reason(calibrate(scores(1, 1, 90), scores(2, 2, 120), options())), "UQ_VAL_BLOCKS");
  EXPECT_EQ(reason(calibrate(scores(2, 1, 90, 3, 0), scores(2, 2, 120, 3, 0), options())),
            "UQ_NO_CV");
}

TEST(Uq, OfASingleRecordNamesItsOneTestRun) {
  const auto data = make_dataset(known_plant(), {.noise = 0.1});
  const UqResult r = evidence(data, evaluate::predict_with(known_plant()), {10, 60});
  ASSERT_FALSE(r.uq);
  EXPECT_EQ(r.reason->code, "UQ_TEST_RUNS") << "even where no block fits into the part";
  EXPECT_NE(r.reason->text().find(" 1 test run"), std::string::npos) << r.reason->text();
}

TEST(Uq, IsRefusedWhenAValScoreIsNotFiniteAndCountsSuchATestScoreAsAMiss) {
  auto val = scores(12, 2, 500), test = scores(10, 2, 400);
  val.scores.setConstant(1);
  test.scores.setConstant(1);
  test.scores(3, 1) = std::numeric_limits<double>::infinity();
  EXPECT_NEAR(calibrate(val, test, options()).uq->coverage_test, 0.9, 1e-12);
  val.scores(0, 0) = std::numeric_limits<double>::infinity();
  EXPECT_EQ(reason(calibrate(val, test, options())), "UQ_NOT_FINITE");
}

TEST(Uq, FewBlocksNeedFullCoverage) {
  auto val = scores(8, 2, 500), test = scores(10, 2, 400);
  val.scores.setConstant(1);
  test.scores.setConstant(1.25);
  const Uq all = *calibrate(val, test, options()).uq;
  EXPECT_EQ(all.method, Method::empirical_max);
  EXPECT_EQ(all.safety_factor, 1.25);
  EXPECT_TRUE(all.covered);
  test.scores(0, 0) = 1.26;
  const Uq most = *calibrate(val, test, options()).uq;
  EXPECT_EQ(most.coverage_threshold, 1);
  EXPECT_FALSE(most.covered);
}

TEST(Uq, TakesTheLeastCoverageOverCvsAndRounds) {
  auto val = scores(9, 3, 500), test = scores(7, 2, 400);
  val.scores.col(0).setConstant(0.12345678901);
  val.scores.col(1).setConstant(5);
  test.scores.setZero();
  test.scores(0, 1) = 6;
  const Uq uq = *calibrate(val, test, options()).uq;
  EXPECT_EQ(uq.method, Method::split_conformal);
  EXPECT_EQ(uq.qhat_per_cv[0], 0.123456789);
  EXPECT_EQ(uq.coverage_test, 0.857143);
  EXPECT_TRUE(uq.covered);
  EXPECT_FALSE(uq.safety_factor.has_value());
  EXPECT_FALSE(uq.joint.has_value());
  EXPECT_EQ(uq.block_start_steps, 30);
}

TEST(Uq, OffersAJointBandFromTwentyValBlocks) {
  const Uq uq = *calibrate(scores(20, 2, 900), scores(20, 2, 900, 8), options()).uq;
  ASSERT_TRUE(uq.joint);
  EXPECT_GT(uq.joint->qhat, uq.qhat_per_cv[1] / 2);
}

TEST(Uq, SaysHowManyBlocksAFairChanceTakes) {
  const Uq few = *calibrate(scores(9, 2, 500), scores(3, 2, 400), options()).uq;
  EXPECT_EQ(few.blocks_needed.has_value(), few.pass_chance < 0.8);
}

TEST(BlockScores, AreTheLargestErrorsOfEqualBlocksApart) {
  const auto data = make_dataset(known_plant(), {.rows = 300, .runs = 6, .noise = 0.1});
  const evaluate::WindowShape shape{10, 6};
  const auto predict = evaluate::predict_with(known_plant());
  const BlockScores s = block_scores(data, Part::test, predict, shape);
  // Starts 10..294; blocks of 18 starts predict 23 rows and keep 10 apart: every 33.
  EXPECT_EQ(s.blocks(), 2 * 9);
  EXPECT_EQ(s.run_count(), 2);
  EXPECT_EQ(s.unique_steps, 18 * 23);
  EXPECT_EQ(s.too_short, 0);
  const auto& run = data.runs[4];
  double largest = 0;
  model::Record window;
  Matrix ahead(6, 2);
  for (Index t = 10 + 33; t < 10 + 33 + 18; ++t) {
    evaluate::copy_window(run, evaluate::layout(data), t, 10, 6, evaluate::Disturbances::held,
                          window);
    predict(window, 10, 6, ahead);
    largest =
        std::max(largest, (ahead.col(1) - run.values.col(4).segment(t, 6)).cwiseAbs().maxCoeff());
  }
  EXPECT_DOUBLE_EQ(s.scores(1, 1), largest);
}

TEST(BlockScores, CountStretchesThatAreTooShort) {
  auto data = make_dataset(known_plant(), {.rows = 60, .runs = 6});
  data.runs[4].values(40, 3) = std::nan("");
  data.runs[4].mask(40, 3) = 0;
  const BlockScores s = block_scores(data, Part::test, evaluate::persistence(), {10, 6});
  EXPECT_EQ(s.too_short, 1);
  EXPECT_EQ(s.blocks(), 2);
  EXPECT_EQ(s.part_runs, 2);
}

TEST(StepBands, AreTheQuantileOfScaledErrorsTimesTheirScale) {
  const auto data = make_dataset(known_plant(), {.rows = 330, .runs = 12, .noise = 0.1});
  const auto predict = evaluate::predict_with(known_plant());
  const evaluate::WindowShape shape{10, 6};
  const Uq uq = *evidence(data, predict, shape).uq;
  const Matrix scale = step_scale(data, predict, shape);
  ASSERT_EQ(scale.rows(), 6);
  ASSERT_EQ(uq.step_bands.size(), 2U);
  const BlockScores val = block_scores(data, Part::val, predict, shape, {}, scale);
  EXPECT_EQ(val.scores, block_scores(data, Part::val, predict, shape).scores);
  for (Index j = 0; j < 2; ++j) {
    const StepBand& band = uq.step_bands[static_cast<std::size_t>(j)];
    Vector sorted = val.scaled.col(j);
    std::ranges::sort(sorted);
    const double factor = sorted(conformal_rank(sorted.size(), 0.1) - 1);
    EXPECT_NEAR(band.factor, factor, 1e-6);
    for (Index k = 0; k < 6; ++k) {
      EXPECT_NEAR(band.half_width[static_cast<std::size_t>(k)], factor * scale(k, j), 1e-8);
    }
    // An error as large as qhat at every step is the widest that a block's score allows.
    EXPECT_LE(val.scaled.col(j).maxCoeff() * scale.col(j).minCoeff(),
              val.scores.col(j).maxCoeff() * (1 + 1e-12));
  }
}

TEST(Uq, SaysWhatAScoreIsAndHowSureTheCoverage) {
  const auto data = make_dataset(known_plant(), {.rows = 330, .runs = 12, .noise = 0.1});
  const Uq uq = *evidence(data, evaluate::predict_with(known_plant()), {10, 6}).uq;
  EXPECT_EQ(uq.score.code, "max_abs_rollout_error@1");
  EXPECT_EQ(uq.score.start_steps, 18);
  EXPECT_EQ(uq.score.horizon, 6);
  EXPECT_EQ(uq.score.separation, 10);
  EXPECT_LE(uq.coverage_low, uq.coverage_test);
  EXPECT_GE(uq.coverage_high, uq.coverage_test);
  EXPECT_LT(uq.coverage_low, 1) << "a few blocks never show a coverage of 1";
}

/// Exchangeable runs of the same plant: the share of test blocks within qhat is near 1 − α.
TEST(Uq, CoversBlocksOfTheSamePlantAboutAsOftenAsNominal) {
  double coverage = 0;
  constexpr int kPlants = 20;
  for (std::uint32_t seed = 1; seed <= kPlants; ++seed) {
    const auto data =
        make_dataset(known_plant(), {.rows = 330, .runs = 12, .noise = 0.1, .seed = seed});
    const auto r = evidence(data, evaluate::predict_with(known_plant()), {10, 6});
    ASSERT_TRUE(r.uq);
    EXPECT_EQ(r.uq->method, Method::split_conformal);
    const auto test =
        block_scores(data, Part::test, evaluate::predict_with(known_plant()), {10, 6});
    coverage += static_cast<double>((test.scores.col(1).array() <= r.uq->qhat_per_cv[1]).count()) /
                static_cast<double>(test.blocks()) / kPlants;
  }
  EXPECT_NEAR(coverage, 0.9, 0.04);
}

}  // namespace
}  // namespace flyball::uq
