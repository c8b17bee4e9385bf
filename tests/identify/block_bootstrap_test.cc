// Blocks of rows drawn again, against the sum of their definition and the spread over records.
#include "identify/block_bootstrap.h"

#include <gtest/gtest.h>

#include <cmath>

#include "identify/records.h"
#include "math/random.h"

namespace flyball::identify {
namespace {

/// y(t) = 0.8 y(t−1) + 0.4 u(t−1) + 0.2 u(t−2) + e(t): gain 3. With `burst` the noise is four times
/// as large while u is at its upper level.
Matrix record(Index rows, bool burst, std::uint32_t seed) {
  math::Random random(seed);
  Matrix x = Matrix::Zero(rows, 2);
  double level = 1;
  for (Index t = 0; t < rows; ++t) {
    if (random.uniform() < 0.1) level = -level;
    x(t, 0) = level;
    if (t < 2) continue;
    const double size = 0.1 * (burst && level > 0 ? 4 : 1);
    x(t, 1) = 0.8 * x(t - 1, 1) + 0.4 * x(t - 1, 0) + 0.2 * x(t - 2, 0) + size * random.normal();
  }
  return x;
}

const Structure kStructure{1, 2, {{0, 1}}};

Regression regression_of(const Matrix& x) {
  const TrainingData d = training_data(train_dataset({x}, "uy"));
  return make_regression(d, 0, {true}, false, false);
}

double spread(const Matrix& draws, Index column) {
  const double mean = draws.col(column).mean();
  return std::sqrt((draws.col(column).array() - mean).square().mean());
}

TEST(BlockBootstrap, SpreadOfDrawsIsTheSpreadOverRecords) {
  for (const bool burst : {false, true}) {
    constexpr int kRecords = 200;
    Matrix fits(kRecords, 3);
    double drawn = 0;
    for (int i = 0; i < kRecords; ++i) {
      const Regression r = regression_of(record(1000, burst, static_cast<std::uint32_t>(i + 1)));
      const Normal n = normal_of(r, gram_of(r, kStructure.max_lag(), {{0, 1'000'000}}));
      fits.row(i) = solve(n, kStructure.terms(r.nu), {r.nu, 0}, {.lambda = 1e-8}).theta.transpose();
      if (i < 20) drawn += spread(draw_parameters(r, kStructure, 1e-8), 2) / 20;
    }
    // Blocks are finite: a bootstrap of 1 000 rows is a little narrow.
    EXPECT_NEAR(drawn / spread(fits, 2), 1, 0.2) << burst;
  }
}

TEST(BlockBootstrap, SameDataSameDraws) {
  const Regression r = regression_of(record(600, false, 3));
  EXPECT_EQ(draw_parameters(r, kStructure, 1e-8), draw_parameters(r, kStructure, 1e-8));
}

TEST(BlockBootstrap, FewRowsGiveNone) {
  EXPECT_EQ(draw_parameters(regression_of(record(60, false, 3)), kStructure, 1e-8).rows(), 0);
}

TEST(BlockBootstrap, QuantilesAreOfEachColumn) {
  Matrix draws(101, 2);
  draws.col(0).setLinSpaced(0, 100);
  draws.col(1).setConstant(7);
  const Matrix q = quantiles_95(draws);
  EXPECT_NEAR(q(0, 0), 2.5, 1e-9);
  EXPECT_NEAR(q(1, 0), 97.5, 1e-9);
  EXPECT_EQ(q(0, 1), 7);
}

}  // namespace
}  // namespace flyball::identify
