// Mahalanobis distances by their definition.
#include "uq/spread.h"

#include <gtest/gtest.h>

#include <cmath>

#include "math/random.h"

namespace flyball::uq {
namespace {

/// Two columns that go together, around other means and scales.
Matrix together(Index rows, double share, double noise, std::uint32_t seed) {
  math::Random r(seed);
  Matrix out(rows, 2);
  for (Index i = 0; i < rows; ++i) {
    const double a = r.normal();
    out(i, 0) = 20 + 3 * a;
    out(i, 1) = -500 + 40 * (share * a + noise * r.normal());
  }
  return out;
}

TEST(Spread, SeesWhatTheBoxDoesNot) {
  const auto s = spread_of(together(4000, 1, 0.1, 3), {"a", "b"});
  ASSERT_TRUE(s);
  const std::vector<double> with{20 + 3 * 2, -500 + 40 * 2}, against{20 + 3 * 2, -500 - 40 * 2};
  EXPECT_LT(*mahalanobis(*s, with), s->limit);
  EXPECT_GT(*mahalanobis(*s, against), 2 * s->limit) << "within 2 deviations of each column";
}

/// d² = zᵀ((1 − γ)R + γI)⁻¹ z for a 2×2 by hand, γ = max(0.01, 2/rows).
TEST(Spread, IsTheFormula) {
  const Matrix rows = together(400, 1, 0.7, 9);
  const auto s = spread_of(rows, {"a", "b"});
  ASSERT_TRUE(s);
  const double n = 400, gamma = 0.01;
  double ma = rows.col(0).mean(), mb = rows.col(1).mean(), saa = 0, sbb = 0, sab = 0;
  for (Index i = 0; i < 400; ++i) {
    saa += (rows(i, 0) - ma) * (rows(i, 0) - ma) / (n - 1);
    sbb += (rows(i, 1) - mb) * (rows(i, 1) - mb) / (n - 1);
    sab += (rows(i, 0) - ma) * (rows(i, 1) - mb) / (n - 1);
  }
  const double r = (1 - gamma) * sab / std::sqrt(saa * sbb);
  const std::vector<double> x{25, -480};
  const double za = (25 - ma) / std::sqrt(saa), zb = (-480 - mb) / std::sqrt(sbb);
  const double d = std::sqrt((za * za - 2 * r * za * zb + zb * zb) / (1 - r * r));
  EXPECT_NEAR(*mahalanobis(*s, x), d, 1e-10);
}

TEST(Spread, TheLimitHoldsItsShareOfTheRows) {
  const Matrix rows = together(2000, 0.5, 1, 5);
  const auto s = spread_of(rows, {"a", "b"});
  int within = 0;
  for (Index i = 0; i < rows.rows(); ++i)
    within += *mahalanobis(*s, std::vector<double>{rows(i, 0), rows(i, 1)}) <= s->limit ? 1 : 0;
  EXPECT_NEAR(within, 1990, 1);
}

TEST(Spread, IsTheSameInOtherUnits) {
  Matrix rows = together(500, 1, 0.5, 8);
  const auto s = spread_of(rows, {"a", "b"});
  rows.col(0) = (rows.col(0) * 1000).array() + 273.15;
  const auto other = spread_of(rows, {"a", "b"});
  EXPECT_NEAR(*mahalanobis(*s, std::vector<double>{24, -450}),
              *mahalanobis(*other, std::vector<double>{24'273.15, -450}), 1e-8);
  EXPECT_NEAR(s->limit, other->limit, 1e-8);
}

TEST(Spread, CollinearColumnsDoNotMakeItEndless) {
  const auto s = spread_of(together(500, 1, 0, 8), {"a", "b"});
  ASSERT_TRUE(s);
  EXPECT_TRUE(std::isfinite(*mahalanobis(*s, std::vector<double>{24, -450})));
}

TEST(Spread, SaysNoneWhereThereIsNone) {
  Matrix rows = together(50, 1, 1, 1);
  EXPECT_FALSE(spread_of(rows.topRows(3), {"a", "b"})) << "too few rows";
  for (Index i = 0; i < 47; ++i) rows(i, 1) = std::nan("");
  EXPECT_FALSE(spread_of(rows, {"a", "b"})) << "too few complete ones";
  rows.col(1).setConstant(7);
  EXPECT_FALSE(spread_of(rows, {"a", "b"})) << "it does not vary";
  const auto s = spread_of(together(50, 1, 1, 1), {"a", "b"});
  EXPECT_FALSE(mahalanobis(*s, std::vector<double>{1, std::nan("")}));
  EXPECT_FALSE(mahalanobis(*s, std::vector<double>{1}));
}

}  // namespace
}  // namespace flyball::uq
