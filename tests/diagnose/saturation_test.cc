// Standing at a limit is told from resting at the largest level of a test signal.
#include "diagnose/saturation.h"

#include <gtest/gtest.h>

#include "identify/plants.h"
#include "identify/records.h"

namespace flyball::diagnose {
namespace {

using identify::train_dataset;

/// An autoregression clipped at `limit`.
Vector clipped(Index rows, double limit, math::Random& random) {
  Vector u(rows);
  double v = 0;
  for (Index t = 0; t < rows; ++t) {
    v = 0.95 * v + 0.3 * random.normal();
    u(t) = std::min(v, limit);
  }
  return u;
}

Saturation of(const Vector& u) {
  Matrix x(u.size(), 2);
  x << u, u;
  return saturation_of(train_dataset({x}, "uy")).at(0);
}

TEST(Saturation, AnMvThatStandsAtItsLimitIsFound) {
  math::Random random(1);
  const Vector u = clipped(2000, 0.3, random);
  const Saturation s = of(u);
  EXPECT_TRUE(s.saturated);
  EXPECT_NEAR(s.at_high, static_cast<double>((u.array() == 0.3).count()) / 2000, 0.005);
  EXPECT_EQ(s.high, 0.3);
  EXPECT_LT(s.at_low, 0.01);
}

TEST(Saturation, AnMvThatOnlyVisitsItsLimitIsNot) {
  math::Random random(1);
  const Saturation s = of(clipped(2000, 1.2, random));
  EXPECT_FALSE(s.saturated);
  EXPECT_GT(s.at_high, 0.01);
  EXPECT_LT(s.at_high, 0.2);
}

TEST(Saturation, TestSignalsAreNot) {
  math::Random random(2);
  EXPECT_FALSE(of(identify::random_steps(2000, 5, random)).saturated) << "two levels";
  Vector stairs(2000);
  for (Index t = 0; t < 2000; ++t) stairs(t) = static_cast<double>((t / 25) % 4);
  EXPECT_FALSE(of(stairs).saturated) << "four levels, a quarter of the time each";
}

TEST(Saturation, ATwoLevelSignalWithMixedValuesAtItsMovesIsNot) {
  // As it leaves a pipe: a step between two samples shows as a value between the levels.
  math::Random random(5);
  Vector u = identify::random_steps(2000, 20, random);
  for (Index t = 1; t < 2000; ++t) {
    if (u(t) != u(t - 1) && std::abs(u(t - 1)) == 1) u(t) = 2 * random.uniform() - 1;
  }
  EXPECT_FALSE(of(u).saturated);
}

TEST(Saturation, ADeclaredLimitCountsInModelUnits) {
  Vector stairs(2000);
  for (Index t = 0; t < 2000; ++t) stairs(t) = static_cast<double>((t / 25) % 4);
  Matrix x(2000, 2);
  x << stairs, stairs;
  auto d = train_dataset({x}, "uy");
  d.spec.variables[0].scale = 0.5;
  d.spec.variables[0].offset = 1;
  d.spec.variables[0].max = 4;  // 0.5·4 + 1 = 3, its largest level
  const Saturation s = saturation_of(d).at(0);
  EXPECT_TRUE(s.declared);
  EXPECT_TRUE(s.saturated);
  EXPECT_NEAR(s.at_high, 0.25, 0.01);
}

}  // namespace
}  // namespace flyball::diagnose
