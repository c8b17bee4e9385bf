#include "math/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "math/distributions.h"
#include "math/random.h"

namespace flyball::math {
namespace {

TEST(Statistics, MeanAndSampleStdOfKnownValues) {
  const std::vector<double> x{1, 2, 3, 4};
  EXPECT_DOUBLE_EQ(mean(x), 2.5);
  EXPECT_DOUBLE_EQ(sample_std(x), std::sqrt(5.0 / 3.0));
  EXPECT_TRUE(std::isnan(mean({})));
  EXPECT_TRUE(std::isnan(sample_std(std::vector<double>{1})));
}

TEST(Statistics, StdOfAnOffsetSeriesKeepsItsDigits) {
  const std::vector<double> x{1e9 + 1, 1e9 + 2, 1e9 + 3, 1e9 + 4};
  EXPECT_NEAR(sample_std(x), std::sqrt(5.0 / 3.0), 1e-9);
}

TEST(Statistics, QuantilesInterpolate) {
  const std::vector<double> x{4, 1, 3, 2};
  EXPECT_DOUBLE_EQ(quantile(x, 0), 1);
  EXPECT_DOUBLE_EQ(quantile(x, 1), 4);
  EXPECT_DOUBLE_EQ(median(x), 2.5);
}

TEST(Statistics, AutocorrelationOfAnAlternatingSeries) {
  std::vector<double> x(1000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = i % 2 == 0 ? 1 : -1;
  const auto rho = autocorrelation(x, 2);
  EXPECT_DOUBLE_EQ(rho[0], 1);
  EXPECT_NEAR(rho[1], -1, 2e-3);
  EXPECT_NEAR(rho[2], 1, 3e-3);
  EXPECT_EQ(autocorrelation(std::vector<double>(10, 3.0), 1)[1], 0);
}

TEST(Distributions, QuantilesInvertTheDistributions) {
  for (const double p : {1e-6, 0.01, 0.5, 0.9, 0.995}) {
    EXPECT_NEAR(normal_cdf(normal_quantile(p)), p, 1e-12);
    EXPECT_NEAR(chi2_cdf(chi2_quantile(p, 7), 7), p, 1e-11);
    EXPECT_NEAR(t_cdf(t_quantile(p, 5), 5), p, 1e-11);
    EXPECT_NEAR(f_cdf(f_quantile(p, 3, 20), 3, 20), p, 1e-11);
    EXPECT_NEAR(f_cdf(2.0, 3, 20) + f_survival(2.0, 3, 20), 1, 1e-12);
  }
}

TEST(Distributions, ClosedForms) {
  EXPECT_NEAR(chi2_cdf(3, 2), 1 - std::exp(-1.5), 1e-13);
  EXPECT_NEAR(t_cdf(1, 1), 0.75, 1e-13) << "Cauchy";
  EXPECT_NEAR(t_cdf(-2, 2), 0.5 - 2 / (2 * std::sqrt(6.0)), 1e-13);
  EXPECT_NEAR(f_survival(4, 2, 10), std::pow(1 + 4 * 2 / 10.0, -5), 1e-13);
  EXPECT_NEAR(f_survival(1e4, 2, 100) / std::pow(1 + 2e4 / 100, -50), 1, 1e-9) << "far tail";
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-12);
  EXPECT_NEAR(f_cdf(1.5, 1, 30), 2 * t_cdf(std::sqrt(1.5), 30) - 1, 1e-12) << "F(1,n) is t squared";
  EXPECT_NEAR(t_quantile(0.975, 1e7), 1.95996, 1e-5) << "tends to the normal";
}

TEST(Random, IsMulberry32) {
  // Evaluated by hand from the definition for seed 0: a = 0x6D2B79F5.
  const std::uint32_t a = 0x6D2B79F5U;
  std::uint32_t t = (a ^ (a >> 15)) * (1U | a);
  t ^= t + (t ^ (t >> 7)) * (61U | t);
  Random r(0);
  EXPECT_EQ(r.uniform(), (t ^ (t >> 14)) / 4294967296.0);
}

TEST(Random, NormalHasMeanZeroAndVarianceOne) {
  Random r(42);
  std::vector<double> x(100'000);
  for (double& v : x) v = r.normal();
  EXPECT_NEAR(mean(x), 0, 0.02);
  EXPECT_NEAR(sample_std(x), 1, 0.02);
  double tail = 0;
  for (const double v : x) tail += std::abs(v) > 1.96 ? 1 : 0;
  EXPECT_NEAR(tail / 1e5, 0.05, 0.004);
}

TEST(Random, ShuffleKeepsTheValuesAndFollowsTheSeed) {
  std::vector<std::int64_t> a{0, 1, 2, 3, 4, 5, 6, 7}, b = a, sorted = a;
  Random ra(1), rb(1);
  shuffle(a, ra);
  shuffle(b, rb);
  EXPECT_EQ(a, b);
  EXPECT_NE(a, sorted);
  std::sort(a.begin(), a.end());
  EXPECT_EQ(a, sorted);
}

}  // namespace
}  // namespace flyball::math
