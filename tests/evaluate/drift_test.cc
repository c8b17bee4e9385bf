// What is said of a plant whose windows are made up: errors and inputs are known.
#include "evaluate/drift.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace flyball::evaluate {
namespace {

/// `n` windows of two CVs whose squared errors scatter around rmse² (chi-square of 10), `far` of
/// them with inputs out of the train range.
std::vector<ReplayedPrediction> windows(int n, double rmse, int far = 0, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::chi_squared_distribution<double> chi(10);
  std::vector<ReplayedPrediction> out;
  for (int i = 0; i < n; ++i) {
    ReplayedPrediction& p = out.emplace_back();
    p.run_id = "r" + std::to_string(i % 4);
    p.rmse = {rmse * std::sqrt(chi(random) / 10), 0.1 * std::sqrt(chi(random) / 10)};
    p.level = {0.5, -0.25};
    p.distance = i < far ? 3.01 : 2.99;
  }
  return out;
}
Drift judge(const std::vector<ReplayedPrediction>& since) {
  return judge_drift({"a", "b"}, {0.1, 0.1}, since);
}

TEST(Drift, TheRatioIsThatOfTheErrors) {
  std::vector<ReplayedPrediction> since = windows(40, 0.1);
  for (ReplayedPrediction& p : since) p.rmse = {0.25, 0.1};
  const Drift d = judge(since);
  EXPECT_NEAR(*d.cvs[0].ratio, 2.5, 1e-12);
  EXPECT_NEAR(*d.cvs[0].ratio_low, 2.5, 1e-12) << "all windows alike: no scatter";
  EXPECT_NEAR(*d.cvs[1].ratio, 1, 1e-12);
  EXPECT_NEAR(*d.cvs[0].level_shift, 0.5, 1e-12);
  EXPECT_EQ(d.windows, 40);
  EXPECT_EQ(d.runs, 4);
  EXPECT_EQ(d.verdict, DriftVerdict::drift);
  ASSERT_EQ(d.reasons.size(), 1u) << "b did not change";
}

TEST(Drift, APlantThatStayedIsSteadyInNearlyEveryDraw) {
  int steady = 0;
  for (unsigned seed = 1; seed <= 200; ++seed)
    steady += judge(windows(60, 0.1, 0, seed)).verdict == DriftVerdict::steady ? 1 : 0;
  EXPECT_GE(steady, 190);
}

TEST(Drift, AnErrorOfHalfMoreIsFoundInNearlyEveryDraw) {
  int found = 0;
  for (unsigned seed = 1; seed <= 200; ++seed)
    found += judge(windows(60, 0.15, 0, seed)).verdict == DriftVerdict::drift ? 1 : 0;
  EXPECT_GE(found, 190);
}

TEST(Drift, MoreThanAFifthOfFarInputsIsDrift) {
  EXPECT_EQ(judge(windows(100, 0.1, 20)).verdict, DriftVerdict::steady);
  const Drift d = judge(windows(100, 0.1, 21));
  EXPECT_EQ(d.verdict, DriftVerdict::drift);
  EXPECT_NEAR(*d.far_share, 0.21, 1e-12);
}

TEST(Drift, TooFewDataAreNoVerdict) {
  const Drift none = judge({});
  EXPECT_EQ(none.verdict, DriftVerdict::cannotTell);
  EXPECT_FALSE(none.far_share);
  EXPECT_FALSE(none.cvs[0].now);
  const Drift few = judge(windows(static_cast<int>(kDriftWindows) - 1, 10, 19));
  EXPECT_EQ(few.verdict, DriftVerdict::cannotTell) << "however bad it looks";
  EXPECT_EQ(few.windows, kDriftWindows - 1);
  ASSERT_EQ(few.reasons.size(), 1u);
}

TEST(Drift, WithoutAnErrorOnTestThereIsNoRatio) {
  const Drift d = judge_drift({"a", "b"}, {std::nullopt, 0.0}, windows(40, 9));
  EXPECT_FALSE(d.cvs[0].ratio);
  EXPECT_FALSE(d.cvs[1].ratio);
  EXPECT_EQ(d.verdict, DriftVerdict::steady);
}

}  // namespace
}  // namespace flyball::evaluate
