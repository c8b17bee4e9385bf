// A plant whose gain or offset depends on a level is found and named; a linear one is not accused.
#include "diagnose/regimes.h"

#include <gtest/gtest.h>

#include "identify/identify.h"
#include "identify/plants.h"
#include "identify/records.h"

namespace flyball::diagnose {
namespace {

using identify::identify_arx;
using identify::random_steps;
using identify::train_dataset;

/// A load between 0 and 100 that wanders.
Vector wandering_load(Index rows, math::Random& random) {
  Vector load(rows);
  double v = 50;
  for (Index t = 0; t < rows; ++t) {
    v = 50 + 0.98 * (v - 50) + 5 * random.normal();
    load(t) = std::clamp(v, 0.0, 100.0);
  }
  return load;
}

/// y(t) = 0.9 y(t−1) + 0.1·K(load)·u(t−3) + 0.02·load effect; K doubles above 50 % load.
Matrix gain_scheduled(Index rows, double above, double decibel, std::uint32_t seed) {
  math::Random random(seed);
  Matrix x(rows, 3);
  x.col(0) = random_steps(rows, 6, random);
  x.col(1) = wandering_load(rows, random);
  Vector y = Vector::Zero(rows);
  for (Index t = 3; t < rows; ++t) {
    const double k = x(t - 3, 1) > 50 ? above : 1;
    y(t) = 0.9 * y(t - 1) + 0.1 * k * x(t - 3, 0) + 0.002 * (x(t - 2, 1) - 50);
  }
  identify::add_noise(y, decibel, random);
  x.col(2) = y;
  return x;
}

std::vector<RegimeTest> tests_of(const Matrix& x, const std::string& roles) {
  const auto data = train_dataset({x}, roles);
  return regimes_of(data, identify_arx(data));
}

const RegimeTest& by(const std::vector<RegimeTest>& tests, const std::string& signal) {
  return *std::ranges::find(tests, signal, &RegimeTest::by);
}

TEST(Regimes, AGainThatDoublesWithLoadIsFoundWithItsLevelAndRatio) {
  for (const double decibel : {20.0, 40.0}) {
    const auto tests = tests_of(gain_scheduled(3000, 2, decibel, 1), "udy");
    const RegimeTest& t = by(tests, "d1");
    EXPECT_TRUE(t.material);
    EXPECT_LT(t.p_value, 1e-6);
    EXPECT_NEAR(t.level, 50, 8);
    ASSERT_FALSE(t.gains.empty());
    EXPECT_EQ(t.gains.front().input, "u1");
    EXPECT_NEAR(t.gains.front().ratio, 2, 0.35);
    EXPECT_LT(t.gains.front().std_error, 0.1);
    ASSERT_TRUE(t.valid_from);
    EXPECT_TRUE(*t.valid_from == t.below.from || *t.valid_from == t.above.from);
    EXPECT_LT(*t.valid_from, *t.valid_to);
    EXPECT_LE(t.below.to, t.level);
    EXPECT_GT(t.above.from, t.level);
  }
}

TEST(Regimes, AnEffectThatBendsAtALevelOfItsInputIsFoundWithItsRatio) {
  math::Random random(8);
  const Index n = 3000;
  Matrix x(n, 2);
  for (Index t = 0; t < n; ++t) x(t, 0) = t % 20 == 0 ? 2 * random.uniform() - 1 : x(t - 1, 0);
  const Vector bent = x.col(0).unaryExpr([](double u) { return u > 0 ? 3 * u : u; });
  x.col(1) = identify::first_order(bent, 1, 0.92, 5);
  for (Index t = 0; t < n; ++t) x(t, 1) += 0.02 * random.normal();
  const auto tests = tests_of(x, "uy");
  const RegimeTest& t = by(tests, "u1");
  EXPECT_TRUE(t.material);
  EXPECT_NEAR(t.level, 0, 0.15);
  ASSERT_EQ(t.gains.size(), 1U);
  EXPECT_NEAR(t.gains.front().ratio, 3, 0.3);
}

TEST(Regimes, AnOffsetAboveALevelOfTheCvIsFound) {
  math::Random random(4);
  const Index n = 3000;
  Matrix x(n, 2);
  x.col(0) = random_steps(n, 12, random) + 0.3 * random_steps(n, 3, random);
  Vector y = Vector::Zero(n);
  for (Index t = 2; t < n; ++t) {
    const double drain = y(t - 1) > 0.4 ? 0.12 : 0;  // a relief that opens
    y(t) = 0.9 * y(t - 1) + 0.1 * x(t - 2, 0) - drain + 0.02 * random.normal();
  }
  x.col(1) = y;
  const auto tests = tests_of(x, "uy");
  EXPECT_TRUE(by(tests, "y1").detected);
  EXPECT_TRUE(by(tests, "y1").material);
}

TEST(Regimes, NoiseThatGrowsAboveALevelIsToldFromGain) {
  math::Random random(5);
  Matrix x(3000, 3);
  x.col(0) = random_steps(3000, 6, random);
  x.col(1) = wandering_load(3000, random);
  Vector y = identify::first_order(x.col(0), 2, 0.9, 3);
  for (Index t = 0; t < 3000; ++t) y(t) += (x(t, 1) > 50 ? 0.3 : 0.1) * random.normal();
  x.col(2) = y;
  const auto tests = tests_of(x, "udy");
  EXPECT_TRUE(by(tests, "d1").spread_detected);
  EXPECT_FALSE(by(tests, "d1").material);
  EXPECT_GT(by(tests, "d1").above.spread, 1.3 * by(tests, "d1").below.spread);
}

/// Records in which at least one test accuses a linear plant.
int false_alarms(int seeds, double decibel) {
  int out = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    const auto tests =
        tests_of(gain_scheduled(1200, 1, decibel, static_cast<std::uint32_t>(seed)), "udy");
    out += std::ranges::any_of(tests,
                               [](const RegimeTest& t) { return t.detected || t.spread_detected; });
  }
  return out;
}

TEST(Regimes, LinearPlantsAreNotAccused) {
  EXPECT_LE(false_alarms(50, 20), 2);
  EXPECT_LE(false_alarms(20, 10), 1);
}

TEST(Regimes, ExactDataNeedNoTest) {
  math::Random random(7);
  Matrix x(800, 2);
  x.col(0) = random_steps(800, 6, random);
  x.col(1) = identify::first_order(x.col(0), 2, 0.9, 3);
  EXPECT_TRUE(tests_of(x, "uy").empty());
}

TEST(Regimes, VerdictsDoNotDependOnUnits) {
  const Matrix x = gain_scheduled(1500, 2, 20, 9);
  const auto a = tests_of(x, "udy"), b = tests_of((x.array() * 1000 + 273.15).matrix(), "udy");
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].material, b[i].material);
    EXPECT_NEAR(a[i].p_value, b[i].p_value, 1e-6);
    EXPECT_NEAR(b[i].level, a[i].level * 1000 + 273.15, 1e-6 * std::abs(b[i].level));
  }
}

}  // namespace
}  // namespace flyball::diagnose
