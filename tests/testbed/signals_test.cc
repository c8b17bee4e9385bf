#include "testbed/signals.h"

#include <gtest/gtest.h>

#include <cmath>

namespace flyball::testbed {
namespace {

TEST(Prbs, IsBalancedAndItsAutocorrelationIsMinusOneOverTheLength) {
  for (int bits = 3; bits <= 11; ++bits) {
    const Index n = (1 << bits) - 1;
    const Matrix u = prbs(2 * n, 1, bits, 1, 1);
    EXPECT_EQ(std::abs(u.topRows(n).sum()), 1) << bits;
    for (const Index lag : {Index{1}, Index{2}, n / 2}) {
      EXPECT_EQ(u.topRows(n).col(0).dot(u.middleRows(lag, n).col(0)), -1)
          << bits << " bits, lag " << lag;
    }
    EXPECT_EQ(u.topRows(n), u.bottomRows(n));
  }
}

TEST(Prbs, HoldsEachBitAndShiftsEachInput) {
  const Matrix u = prbs(300, 2, 5, 4, 2);
  for (Index t = 0; t < 300; ++t) {
    EXPECT_EQ(std::abs(u(t, 0)), 2);
    EXPECT_EQ(u(t, 0), u(t / 4 * 4, 0));
  }
  EXPECT_NE(u.col(0), u.col(1));
}

TEST(Gbn, SwitchesAsOftenAsAskedAndTheSameForASeed) {
  math::Random a(3), b(3), c(4);
  const Matrix u = gbn(20'000, 2, 10, 1.5, a);
  for (Index i = 0; i < 2; ++i) {
    Index switches = 0;
    for (Index t = 1; t < u.rows(); ++t) switches += u(t, i) != u(t - 1, i) ? 1 : 0;
    EXPECT_NEAR(static_cast<double>(switches), 2000, 6 * std::sqrt(1800.0));
  }
  EXPECT_EQ(u, gbn(20'000, 2, 10, 1.5, b));
  EXPECT_NE(u, gbn(20'000, 2, 10, 1.5, c));
}

TEST(Staircase, HoldsItsLevelsInsideTheAmplitude) {
  math::Random random(5);
  const Matrix u = staircase(100, 2, 10, 3, random);
  EXPECT_LE(u.cwiseAbs().maxCoeff(), 3);
  for (Index t = 0; t < 100; ++t) EXPECT_EQ(u(t, 1), u(t / 10 * 10, 1));
}

TEST(AddNoise, HasTheRatioAskedForInEveryColumn) {
  math::Random random(7);
  Matrix y(50'000, 2);
  for (Index t = 0; t < y.rows(); ++t)
    y.row(t) << std::sin(0.01 * static_cast<double>(t)),
        1000 + 40 * std::cos(0.03 * static_cast<double>(t));
  const Matrix clean = y;
  add_noise(y, 20, random);
  for (Index i = 0; i < 2; ++i) {
    const double signal = (clean.col(i).array() - clean.col(i).mean()).square().mean();
    const double noise = (y.col(i) - clean.col(i)).squaredNorm() / static_cast<double>(y.rows());
    EXPECT_NEAR(10 * std::log10(signal / noise), 20, 0.1);
  }
}

}  // namespace
}  // namespace flyball::testbed
