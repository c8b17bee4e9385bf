// A dead time beyond the range first searched is followed, or said to be beyond reach.
#include <gtest/gtest.h>

#include "identify/identify.h"
#include "identify/plants.h"
#include "identify/records.h"

namespace flyball::identify {
namespace {

IdentifyResult found(Index rows, Index lag, double sigma, std::uint32_t seed) {
  math::Random random(seed);
  Matrix x(rows, 2);
  x.col(0) = random_steps(rows, 5, random);
  x.col(1) = first_order(x.col(0), 2, 0.85, lag);
  for (double& v : x.col(1)) v += sigma * random.normal();
  return identify_arx(train_dataset({x}, "uy"));
}

bool warned(const Findings& f, const std::string& code) {
  return std::ranges::any_of(f.warnings, [&](const Message& m) { return m.code == code; });
}

TEST(LateAnswer, ADeadTimeBeyondTheFirstRangeIsFollowed) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    for (const Index lag : {26, 46, 60}) {
      const DeadTime d = found(1500, lag, 0.3, seed).findings.dead_times.at(0);
      EXPECT_TRUE(d.found) << lag << ", " << seed;
      EXPECT_NEAR(static_cast<double>(d.steps), static_cast<double>(lag), 1) << seed;
    }
  }
}

TEST(LateAnswer, OneBeyondReachIsSaidToBeThere) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    const IdentifyResult r = found(800, 60, 0.3, seed);  // 800/20 = 40
    const DeadTime d = r.findings.dead_times.at(0);
    EXPECT_FALSE(d.found) << seed << ": " << d.steps;
    EXPECT_EQ(d.active, warned(r.findings, "DEAD_TIME_NOT_FOUND")) << seed;
  }
}

TEST(LateAnswer, ADeadTimeInRangeIsNotSearchedFurther) {
  int further = 0;
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    const Findings f = found(1500, 5, 0.3, seed).findings;
    EXPECT_NEAR(static_cast<double>(f.dead_times.at(0).steps), 5, 1) << seed;
    further += f.dead_time_max > 20 ? 1 : 0;
  }
  EXPECT_LE(further, 3);
}

/// y = 1.85 y1 − 0.93 y2 + 0.08 u2: it rings for over a hundred steps.
IdentifyResult of_resonance(double sigma, std::uint32_t seed) {
  math::Random random(seed);
  Matrix x(2000, 2);
  x.col(0) = random_steps(x.rows(), 15, random);
  x.col(1).setZero();
  for (Index t = 2; t < x.rows(); ++t)
    x(t, 1) = 1.85 * x(t - 1, 1) - 0.93 * x(t - 2, 1) + 0.08 * x(t - 2, 0);
  for (double& v : x.col(1)) v += sigma * random.normal();
  return identify_arx(train_dataset({x}, "uy"));
}

TEST(LateAnswer, ARingingAnswerIsNoLateOne) {
  for (const double sigma : {0.01, 0.05, 0.15}) {
    int further = 0;
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
      const Findings f = of_resonance(sigma, seed).findings;
      EXPECT_TRUE(f.dead_times.at(0).found) << sigma << ", " << seed;
      EXPECT_NEAR(static_cast<double>(f.dead_times.at(0).steps), 2, 1) << sigma << ", " << seed;
      further += f.dead_time_max > 20 ? 1 : 0;
    }
    EXPECT_LE(further, 2) << sigma;
  }
}

TEST(LateAnswer, SlowDisturbancesAreNoAnswer) {
  int further = 0;
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    math::Random random(seed);
    Matrix x(1500, 2);
    x.col(0) = random_steps(1500, 15, random);
    x.col(1) = first_order(x.col(0), 2, 0.85, 5);
    double w = 0;
    for (double& v : x.col(1)) v += w = 0.98 * w + 0.2 * random.normal();
    further += identify_arx(train_dataset({x}, "uy")).findings.dead_time_max > 20 ? 1 : 0;
  }
  EXPECT_LE(further, 3);
}

}  // namespace
}  // namespace flyball::identify
