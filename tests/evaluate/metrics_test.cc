#include "evaluate/metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace flyball::evaluate {
namespace {

TEST(Nrmse, IsTheErrorInTrainDeviations) {
  ErrorSums sums;
  for (const double e : {3.0, -4.0}) sums.add(e);
  EXPECT_DOUBLE_EQ(nrmse(sums.rmse(), 5), std::sqrt(12.5) / 5);
  EXPECT_DOUBLE_EQ(sums.mae(), 3.5);
  EXPECT_DOUBLE_EQ(sums.bias(), -0.5);
}

/// The reference system divided a rollout error twice and let a small deviation count as 1 (X-01,
///
TEST(Nrmse, ScalesWithTheErrorAndInverselyWithTheDeviationAtAnySize) {
  for (const double std : {1e-9, 0.05, 1.0, 5.0, 1e9}) {
    EXPECT_DOUBLE_EQ(nrmse(0.3 * std, std), 0.3) << std;
  }
  EXPECT_TRUE(std::isnan(nrmse(1, 0)));
}

TEST(Nrmse, OfNothingIsNotANumber) {
  EXPECT_TRUE(std::isnan(ErrorSums{}.rmse()));
}

TEST(FitPercent, IsHundredForPerfectAndZeroForTheMean) {
  const std::vector<double> y = {1, 2, 3, 6}, mean = {3, 3, 3, 3};
  EXPECT_DOUBLE_EQ(fit_percent(y, y).value(), 100);
  EXPECT_DOUBLE_EQ(fit_percent(y, mean).value(), 0);
}

TEST(FitPercent, DoesNotExistForADivergedPredictionOrAConstant) {
  const std::vector<double> y = {1, 2, 3}, flat = {2, 2, 2};
  const std::vector<double> diverged = {1, std::numeric_limits<double>::infinity(), 3};
  const std::vector<double> unknown = {1, std::nan(""), 3};
  EXPECT_FALSE(fit_percent(y, diverged));
  EXPECT_FALSE(fit_percent(y, unknown));
  EXPECT_FALSE(fit_percent(flat, y));
  EXPECT_FALSE(fit_percent({}, {}));
}

TEST(FitPercent, LeavesUnobservedRowsOutOfBothNorms) {
  const std::vector<double> y = {1, std::nan(""), 3}, predicted = {1.5, 100, 3};
  EXPECT_NEAR(fit_percent(y, predicted).value(), 100 * (1 - 0.5 / std::sqrt(2.0)), 1e-12);
}

TEST(Mean, HasNoValueWhenOneIsMissing) {
  EXPECT_DOUBLE_EQ(mean_or_nan(std::vector<double>{1, 3}), 2);
  EXPECT_TRUE(std::isnan(mean_or_nan(std::vector<double>{1, std::nan("")})));
  EXPECT_TRUE(std::isnan(mean_or_nan({})));
}

}  // namespace
}  // namespace flyball::evaluate
