#include "math/linear_algebra.h"

#include <gtest/gtest.h>

#include <cmath>

#include "math/random.h"

namespace flyball::math {
namespace {

Matrix noise(Index rows, Index cols) {
  Random random(11);
  Matrix x(rows, cols);
  for (Index i = 0; i < x.size(); ++i) x.data()[i] = random.normal();
  return x;
}

TEST(Cholesky, SolvesAndInverts) {
  const Matrix x = noise(30, 7);
  const Matrix a = x.transpose() * x;
  const auto factor = Cholesky::of(a);
  ASSERT_TRUE(factor);
  const Vector b = Vector::LinSpaced(7, -1, 2);
  EXPECT_LT((a * factor->solve(b) - b).norm(), 1e-10);
  EXPECT_LT((a * factor->inverse() - Matrix::Identity(7, 7)).norm(), 1e-10);
  EXPECT_LT((factor->lower() * factor->lower().transpose() - a).norm(), 1e-10);
}

TEST(Cholesky, RefusesWhatIsNotPositiveDefinite) {
  Matrix a = Matrix::Identity(3, 3);
  a(2, 2) = -1;
  EXPECT_FALSE(Cholesky::of(a));
  a(2, 2) = std::nan("");
  EXPECT_FALSE(Cholesky::of(a));
}

TEST(Solve, ResidualIsSmallAndSingularIsRefused) {
  const Matrix a = noise(6, 6);
  const Matrix b = noise(6, 2);
  const auto x = solve(a, b);
  ASSERT_TRUE(x);
  EXPECT_LT((a * *x - b).norm(), 1e-10);
  Matrix singular = a;
  singular.row(3) = singular.row(1);
  EXPECT_FALSE(solve(singular, b));
}

TEST(LeastSquares, ResidualIsOrthogonalToTheColumns) {
  const Matrix a = noise(40, 5);
  const Vector b = noise(40, 1);
  EXPECT_LT((a.transpose() * (b - a * least_squares(a, b))).norm(), 1e-10);
}

TEST(Eigen, ModuliOfACompanionMatrix) {
  Matrix a(2, 2);
  a << 0, 1, -0.5, 1;  // roots of z² − z + 0.5
  const Vector moduli = eigenvalue_moduli(a);
  EXPECT_NEAR(moduli(0), std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(moduli(1), std::sqrt(0.5), 1e-12);
}

TEST(Eigen, SymmetricDecompositionRebuildsTheMatrix) {
  const Matrix x = noise(9, 4);
  const Matrix a = x.transpose() * x;
  const SymmetricEigen e = symmetric_eigen(a);
  EXPECT_LT((e.vectors * e.values.asDiagonal() * e.vectors.transpose() - a).norm(), 1e-10);
  EXPECT_LE(e.values(0), e.values(3));
}

}  // namespace
}  // namespace flyball::math
