#include "uq/conformal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

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

/// Every order of n + 1 different scores is as likely: P(last ≤ r-th of the others) = r/(n+1),
/// counted over all orders, not drawn.
TEST(Quantile, CoversInExactlyROfNPlusOneOrders) {
  for (Index n = 1; n <= 7; ++n) {
    std::vector<double> order;
    for (Index i = 0; i <= n; ++i) order.push_back(static_cast<double>(i + 1));
    for (const double alpha : {0.1, 0.3, 0.5}) {
      std::int64_t covered = 0, all = 0;
      do {
        const Vector seen = Eigen::Map<const Vector>(order.data(), n);
        covered += order.back() <= quantile(seen, Method::split_conformal, alpha) ? 1 : 0;
        ++all;
      } while (std::ranges::next_permutation(order).found);
      const std::int64_t r = conformal_rank(n, alpha);
      EXPECT_EQ(covered * (n + 1), all * r) << n << " blocks, alpha " << alpha;
    }
  }
}

TEST(ChanceOfCoverage, IsTheShareOfOrdersOfValAndTestScores) {
  // 4 val and 3 test scores: all 7! orders.
  std::vector<double> order{1, 2, 3, 4, 5, 6, 7};
  std::vector<std::int64_t> count(4, 0);
  std::int64_t all = 0;
  do {
    const Vector val = Eigen::Map<const Vector>(order.data(), 4);
    const double qhat = quantile(val, Method::split_conformal, 0.4);  // rank 3
    const auto hits =
        std::ranges::count_if(order.begin() + 4, order.end(), [&](double s) { return s <= qhat; });
    ++count[static_cast<std::size_t>(hits)];
    ++all;
  } while (std::ranges::next_permutation(order).found);
  std::int64_t at_least = 0;
  for (std::int64_t k = 3; k >= 0; --k) {
    at_least += count[static_cast<std::size_t>(k)];
    EXPECT_NEAR(chance_of_coverage(4, 3, 3, static_cast<double>(k) / 3),
                static_cast<double>(at_least) / static_cast<double>(all), 1e-12)
        << k;
  }
}

TEST(BinomialInterval, SolvesTheTailsOfTheBinomial) {
  const auto tail = [](std::int64_t trials, std::int64_t from, std::int64_t to, double p) {
    const auto n = static_cast<double>(trials);
    double sum = 0;
    for (std::int64_t i = from; i <= to; ++i) {
      const auto k = static_cast<double>(i);
      sum += std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) +
                      k * std::log(p) + (n - k) * std::log1p(-p));
    }
    return sum;
  };
  for (const auto& [hits, trials] :
       {std::pair<std::int64_t, std::int64_t>{9, 10}, {3, 17}, {1, 2}}) {
    const Share s = binomial_interval(hits, trials);
    EXPECT_NEAR(tail(trials, hits, trials, s.low), 0.025, 1e-9);
    EXPECT_NEAR(tail(trials, 0, hits, s.high), 0.025, 1e-9);
  }
  EXPECT_EQ(binomial_interval(0, 5).low, 0);
  EXPECT_EQ(binomial_interval(5, 5).high, 1);
  EXPECT_NEAR(binomial_interval(10, 10).low, std::pow(0.025, 0.1), 1e-9);
}

}  // namespace
}  // namespace flyball::uq
