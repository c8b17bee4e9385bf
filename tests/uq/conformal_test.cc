#include "uq/conformal.h"

#include <gtest/gtest.h>

#include <cmath>

#include "math/random.h"

namespace flyball::uq {
namespace {

TEST(CoverageThreshold, FollowsTheTableOfTestRuns) {
  for (const auto& [runs, limit] : {std::pair{2, 0.8}, {81, 0.8}, {100, 0.81}, {900, 0.87}}) {
    EXPECT_NEAR(coverage_threshold(Method::split_conformal, runs), limit, 1e-12) << runs;
    EXPECT_EQ(coverage_threshold(Method::empirical_max, runs), 1) << runs;
  }
  EXPECT_NEAR(coverage_threshold(Method::split_conformal, 0), 0.8, 1e-12);
}

TEST(Method, IsConformalFromNineBlocksOfTwoRuns) {
  EXPECT_EQ(choose_method(9, 2), Method::split_conformal);
  EXPECT_EQ(choose_method(8, 2), Method::empirical_max);
  EXPECT_EQ(choose_method(90, 1), Method::empirical_max);
}

TEST(ConformalRank, IsTheCeilingOfNPlusOneTimesNominal) {
  EXPECT_EQ(conformal_rank(9, 0.1), 9);
  EXPECT_EQ(conformal_rank(19, 0.1), 18) << "20 · 0.9 is whole";
  EXPECT_EQ(conformal_rank(29, 0.1), 27);
  EXPECT_EQ(conformal_rank(30, 0.1), 28);
  EXPECT_EQ(conformal_rank(5, 0.1), 5) << "never beyond n";
}

TEST(Quantile, IsAnOrderStatisticOrTheMaximumWithItsFactor) {
  Vector scores(19);
  for (Index i = 0; i < 19; ++i) scores(i) = static_cast<double>(19 - i);
  EXPECT_EQ(quantile(scores, Method::split_conformal, 0.1), 18);
  EXPECT_DOUBLE_EQ(quantile(scores, Method::empirical_max, 0.1), 1.25 * 19);
}

/// P(next ≤ r-th of n) = r/(n+1) exactly, whatever the distribution of the scores.
TEST(Quantile, CoversExchangeableScoresByTheExactLaw) {
  math::Random random(11);
  for (const Index n : {9, 15, 30, 100}) {
    int covered = 0;
    constexpr int kDraws = 20000;
    Vector scores(n);
    for (int i = 0; i < kDraws; ++i) {
      for (double& s : scores) s = std::abs(random.normal());
      covered +=
          std::abs(random.normal()) <= quantile(scores, Method::split_conformal, 0.1) ? 1 : 0;
    }
    const double law = static_cast<double>(conformal_rank(n, 0.1)) / static_cast<double>(n + 1);
    const double deviation = std::sqrt(law * (1 - law) / kDraws);
    EXPECT_NEAR(static_cast<double>(covered) / kDraws, law, 4 * deviation) << n;
    EXPECT_GE(law, 0.9);
  }
}

TEST(ChanceOfCoverage, OfOneTestBlockIsRankOverNPlusOne) {
  for (const std::int64_t n : {9, 15, 100}) {
    const std::int64_t r = conformal_rank(n, 0.1);
    EXPECT_NEAR(chance_of_coverage(n, r, 1, 0.8),
                static_cast<double>(r) / static_cast<double>(n + 1), 1e-12);
  }
}

TEST(ChanceOfCoverage, SumsToOneAndAgreesWithSimulation) {
  EXPECT_NEAR(chance_of_coverage(12, 11, 10, 0), 1, 1e-12);
  math::Random random(5);
  int passed = 0;
  constexpr int kDraws = 20000;
  for (int i = 0; i < kDraws; ++i) {
    Vector val(12);
    for (double& s : val) s = random.uniform();
    const double q = quantile(val, Method::split_conformal, 0.1);
    int within = 0;
    for (int t = 0; t < 10; ++t) within += random.uniform() <= q ? 1 : 0;
    passed += within >= 8 ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(passed) / kDraws,
              chance_of_coverage(12, conformal_rank(12, 0.1), 10, 0.8), 0.012);
}

TEST(PassChance, FallsWithMoreCvsAndRisesToTheBlocksNeeded) {
  const double one = pass_chance(Method::split_conformal, 12, 12, 0.8, 0.1, 1);
  EXPECT_LT(pass_chance(Method::split_conformal, 12, 12, 0.8, 0.1, 4), one);
  const auto needed = blocks_needed(2, 0.1, 8);
  ASSERT_TRUE(needed);
  EXPECT_GE(pass_chance(Method::split_conformal, *needed, *needed, 0.8, 0.1, 8), 0.8);
  EXPECT_LT(pass_chance(Method::split_conformal, *needed - 1, *needed - 1, 0.8, 0.1, 8), 0.8);
}

}  // namespace
}  // namespace flyball::uq
