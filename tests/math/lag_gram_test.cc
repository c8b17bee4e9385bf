#include "math/lag_gram.h"

#include <gtest/gtest.h>

#include "math/random.h"

namespace flyball::math {
namespace {

Matrix noise(Index rows, Index cols, std::uint32_t seed) {
  Random random(seed);
  Matrix x(rows, cols);
  for (Index j = 0; j < cols; ++j) {
    for (Index t = 0; t < rows; ++t) x(t, j) = random.normal() + 0.5;
  }
  return x;
}

/// The lagged matrix itself, rows t0..t1−1.
Matrix lagged(const Matrix& x, Index t0, Index t1, Index max_lag) {
  Matrix phi(t1 - t0, x.cols() * (max_lag + 1));
  for (Index t = t0; t < t1; ++t) {
    for (Index i = 0; i < x.cols(); ++i) {
      for (Index k = 0; k <= max_lag; ++k) phi(t - t0, i * (max_lag + 1) + k) = x(t - k, i);
    }
  }
  return phi;
}

TEST(LagGram, EqualsTheProductOfTheLaggedMatrix) {
  for (const Index max_lag : {0, 1, 5, 12}) {
    for (const Index signals : {1, 2, 3}) {
      const Matrix x = noise(2500, signals, 3);
      LagGram g(signals, max_lag);
      g.add(x, max_lag, 1301);
      g.add(x, 1400, 2500);
      const Matrix a = lagged(x, max_lag, 1301, max_lag);
      const Matrix b = lagged(x, 1400, 2500, max_lag);
      const Matrix expected = a.transpose() * a + b.transpose() * b;
      EXPECT_LT((g.gram() - expected).cwiseAbs().maxCoeff(), 1e-9);
      EXPECT_LT(
          (g.sums().transpose() - a.colwise().sum() - b.colwise().sum()).cwiseAbs().maxCoeff(),
          1e-9);
      EXPECT_EQ(g.rows(), a.rows() + b.rows());
    }
  }
}

TEST(LagGram, SubtractAndRemoveRowUndoAdd) {
  const Matrix x = noise(300, 2, 9);
  LagGram all(2, 4), fold(2, 4), rest(2, 4);
  all.add(x, 4, 300);
  fold.add(x, 100, 180);
  all.subtract(fold);
  all.remove_row(x, 200);
  rest.add(x, 4, 100);
  rest.add(x, 180, 200);
  rest.add(x, 201, 300);
  EXPECT_LT((all.gram() - rest.gram()).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_EQ(all.rows(), rest.rows());
}

TEST(LagGram, CentredEqualsTheGramOfCentredColumns) {
  const Matrix x = noise(400, 2, 5);
  LagGram g(2, 3);
  g.add(x, 3, 400);
  Matrix phi = lagged(x, 3, 400, 3);
  phi.rowwise() -= phi.colwise().mean().eval();
  EXPECT_LT((g.centred() - phi.transpose() * phi).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(LagGram, ShortAndEmptyStretches) {
  const Matrix x = noise(20, 1, 5);
  LagGram g(1, 6);
  g.add(x, 8, 8);
  EXPECT_EQ(g.rows(), 0);
  g.add(x, 8, 10);
  const Matrix phi = lagged(x, 8, 10, 6);
  EXPECT_LT((g.gram() - phi.transpose() * phi).cwiseAbs().maxCoeff(), 1e-12);
}

}  // namespace
}  // namespace flyball::math
