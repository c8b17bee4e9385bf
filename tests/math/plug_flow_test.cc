#include "math/plug_flow.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "math/random.h"

namespace flyball::math {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Vector noise(Index n, std::uint32_t seed, double low, double high) {
  Random random(seed);
  return Vector::NullaryExpr(n, [&] { return low + (high - low) * random.uniform(); });
}

TEST(PlugFlow, ConstantFlowIsAConstantDelay) {
  const Vector u = noise(100, 1, -1, 1);
  const PlugFlow whole = plug_flow(u, Vector::Constant(100, 3), 15);
  const PlugFlow part = plug_flow(u, Vector::Constant(100, 3), 16.5);
  for (Index t = 0; t < 5; ++t) EXPECT_TRUE(std::isnan(whole.out(t))) << t;
  for (Index t = 5; t < 100; ++t) {
    EXPECT_NEAR(whole.out(t), u(t - 5), 1e-12);
    EXPECT_NEAR(whole.delay(t), 5, 1e-9);
  }
  for (Index t = 6; t < 100; ++t) {
    EXPECT_NEAR(part.out(t), (u(t - 5) + u(t - 6)) / 2, 1e-12);
    EXPECT_NEAR(part.delay(t), 5.5, 1e-9);
  }
}

TEST(PlugFlow, NoVolumeIsNoDelay) {
  const Vector u = noise(50, 2, 0, 1);
  EXPECT_LT((plug_flow(u, noise(50, 3, 1, 9), 0).out - u).cwiseAbs().maxCoeff(), 1e-12);
}

/// A pipe of a thousand slices that are pushed through one by one.
TEST(PlugFlow, IsWhatComesOutOfAPipeOfSlices) {
  constexpr Index kRows = 400;
  constexpr int kSlices = 1000;
  const double volume = 40;
  Vector u = noise(kRows, 4, 0, 10), q = noise(kRows, 5, 0.5, 8);
  for (double& x : q) x = std::round(x * 25) / 25;  // whole slices of 0.04
  q.segment(100, 3).setZero();
  std::vector<double> pipe(kSlices, kNan);
  std::size_t head = 0;
  const PlugFlow f = plug_flow(u, q, volume);
  for (Index t = 0; t < kRows; ++t) {
    const auto moved = std::lround(q(t) / 0.04);
    double sum = 0;
    for (long i = 0; i < moved; ++i) {
      sum += pipe[head];
      pipe[head] = u(t);
      head = (head + 1) % kSlices;
    }
    const double out = moved > 0 ? sum / static_cast<double>(moved) : kNan;
    ASSERT_EQ(std::isnan(out), std::isnan(f.out(t))) << t;
    if (!std::isnan(out)) {
      EXPECT_NEAR(f.out(t), out, 1e-9) << t;
    }
  }
}

TEST(PlugFlow, WhatIsNotKnownIsMarkedUntilItHasLeft) {
  const Vector u = noise(60, 6, 0, 1);
  Vector q = Vector::Constant(60, 2), gap = u;
  q(20) = kNan;
  const PlugFlow lost = plug_flow(u, q, 10);
  for (Index t = 20; t < 26; ++t) EXPECT_TRUE(std::isnan(lost.out(t))) << t;
  EXPECT_NEAR(lost.out(19), u(14), 1e-12);
  EXPECT_NEAR(lost.out(26), u(21), 1e-12);
  q(20) = -1;
  EXPECT_TRUE(std::isnan(plug_flow(u, q, 10).out(25)));
  q(20) = 0;
  const PlugFlow still = plug_flow(u, q, 10);
  EXPECT_TRUE(std::isnan(still.out(20)));
  EXPECT_NEAR(still.out(21), u(15), 1e-12) << "what stood in the pipe goes on";
  EXPECT_NEAR(still.delay(21), 6, 1e-9);
  gap(30) = kNan;
  const PlugFlow hole = plug_flow(gap, Vector::Constant(60, 2), 10);
  EXPECT_TRUE(std::isnan(hole.out(35)));
  EXPECT_NEAR(hole.out(36), u(31), 1e-12);
}

TEST(PlugFlow, LooksAtNothingThatComesLater) {
  Vector u = noise(80, 7, 0, 1), q = noise(80, 8, 1, 4);
  const Vector before = plug_flow(u, q, 20).out;
  u.tail(30).setConstant(99);
  q.tail(30).setConstant(0.1);
  const Vector after = plug_flow(u, q, 20).out;
  for (Index t = 12; t < 50; ++t) {
    if (!std::isnan(before(t))) {
      EXPECT_EQ(before(t), after(t)) << t;
    }
  }
}

}  // namespace
}  // namespace flyball::math
