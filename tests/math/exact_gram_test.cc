#include "math/exact_gram.h"

#include <gtest/gtest.h>

#include "math/exact_dot.h"
#include "math/lag_gram.h"
#include "math/linear_algebra.h"
#include "math/random.h"

namespace flyball::math {
namespace {

constexpr Index kLags = 3;

/// Multiples of 2⁻¹⁰ in [−2, 2]: products and sums of few of them are exact.
double dyadic(Random& random) {
  return std::floor(random.uniform(-2048, 2048)) / 1024;
}

/// Signals u1, u2 = u1 + 2⁻ᵏ·(multiple of 2⁻¹⁰), y; y(t) = Σ b_ml u_m(t−l) exactly, with b dyadic.
struct Collinear {
  Matrix x;
  std::vector<LaggedColumn> terms;
  Vector truth;
};
Collinear collinear(Index rows, int k) {
  Random random(3);
  Collinear c;
  c.x = Matrix::Zero(rows, 3);
  for (Index t = 0; t < rows; ++t) {
    c.x(t, 0) = dyadic(random);
    c.x(t, 1) = c.x(t, 0) + std::ldexp(dyadic(random), -k);
  }
  c.truth.resize(2 * kLags);
  for (Index m = 0; m < 2; ++m) {
    for (Index l = 1; l <= kLags; ++l) {
      c.terms.push_back({m, l});
      c.truth(m * kLags + l - 1) =
          m == 0 ? 1.0 / static_cast<double>(1 << l) : -0.25 * static_cast<double>(l);
    }
  }
  for (Index t = kLags; t < rows; ++t) {
    for (Index i = 0; i < c.truth.size(); ++i) {
      const LaggedColumn& term = c.terms[static_cast<std::size_t>(i)];
      c.x(t, 2) += c.truth(i) * c.x(t - term.lag, term.signal);
    }
  }
  return c;
}

Matrix phi_of(const Collinear& c) {
  const Index n = c.x.rows() - kLags;
  Matrix phi(n, c.truth.size());
  for (Index i = 0; i < phi.cols(); ++i) {
    const LaggedColumn& term = c.terms[static_cast<std::size_t>(i)];
    phi.col(i) = c.x.col(term.signal).segment(kLags - term.lag, n);
  }
  return phi;
}

TEST(ExactGram, KeepsTheDigitsThatNormalEquationsLose) {
  // 2⁻³⁰: condition 1e9.
  const Collinear c = collinear(3000, 30);
  const Matrix phi = phi_of(c);
  const Vector y = c.x.col(2).tail(phi.rows());
  const Vector qr = least_squares(phi, y);
  const double qr_error = (qr - c.truth).norm();
  const auto normal = Cholesky::of(phi.transpose() * phi);
  if (normal) {
    EXPECT_GT((normal->solve(phi.transpose() * y) - c.truth).norm(), 1e-3);
  }

  ExactGram gram({0, 1, 2}, kLags);
  gram.add(c.x, kLags, c.x.rows());
  const auto fit = gram.fit(c.terms, {2, 0}, false, 0);
  ASSERT_TRUE(fit);
  const double error = (fit->theta - c.truth).norm();
  EXPECT_LT(error, 1e-8);
  EXPECT_LE(error, qr_error);
  EXPECT_GT(qr_error, 0) << "else the record shows nothing";
  EXPECT_GT(fit->condition, 1e8);
  EXPECT_LT(fit->condition, 1e11);
  EXPECT_EQ(fit->rank, 2 * kLags);
  EXPECT_LT(fit->rss, 1e-15 * y.squaredNorm());
}

TEST(ExactGram, IsTheGramMatrixOfLagGramAndFitsThroughAConstant) {
  Random random(5);
  Matrix x(700, 3);
  for (double& v : x.reshaped()) v = random.normal() + 0.5;
  LagGram plain(3, kLags);
  ExactGram exact({0, 1, 2}, kLags);
  for (const auto& [t0, t1] : {std::pair<Index, Index>{kLags, 301}, {310, 700}}) {
    plain.add(x, t0, t1);
    exact.add(x, t0, t1);
  }
  for (const Index t : {17, 400}) {
    plain.remove_row(x, t);
    exact.remove_row(x, t);
  }
  EXPECT_EQ(exact.rows(), plain.rows());
  for (Index i = 0; i < 3; ++i) {
    for (Index j = 0; j < 3; ++j) {
      for (Index k = 0; k <= kLags; ++k) {
        const double g = plain.gram()(plain.index(i, k), plain.index(j, 2));
        EXPECT_NEAR(exact.gram({i, k}, {j, 2}).value(), g, 1e-12 * std::abs(g) + 1e-10);
      }
    }
  }
  const std::vector<LaggedColumn> terms{{0, 1}, {1, 2}, {2, 1}};
  const auto fit = exact.fit(terms, {2, 0}, true, 0);
  ASSERT_TRUE(fit);
  // The residuals are orthogonal to every column and to the constant.
  Vector dots = Vector::Zero(4);
  double rss = 0;
  for (Index t = kLags; t < 700; ++t) {
    if ((t >= 301 && t < 310) || t == 17 || t == 400) continue;
    const Eigen::Vector4d row(x(t - 1, 0), x(t - 2, 1), x(t - 1, 2), 1);
    const double e = x(t, 2) - fit->constant - fit->theta.dot(row.head(3));
    dots += e * row;
    rss += e * e;
  }
  EXPECT_LT(dots.cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_NEAR(fit->rss, rss, 1e-10 * rss);
}

TEST(ExactGram, TakesARidgeAndLeavesColumnsOfZerosOut) {
  Random random(7);
  Matrix x(200, 3);
  for (double& v : x.reshaped()) v = random.normal();
  x.col(1).setZero();
  ExactGram gram({0, 1, 2}, 1);
  gram.add(x, 1, 200);
  const auto fit = gram.fit({{0, 1}, {1, 1}}, {2, 0}, false, 0.5);
  ASSERT_TRUE(fit);
  const auto u = x.col(0).head(199);
  EXPECT_NEAR(fit->theta(0), u.dot(x.col(2).tail(199)) / (1.5 * u.squaredNorm()), 1e-14);
  EXPECT_EQ(fit->theta(1), 0);
}

TEST(ExactGram, RefusesColumnsThatAreTheSame) {
  const Collinear c = collinear(500, 60);
  ExactGram gram({0, 1, 2}, kLags);
  gram.add(c.x, kLags, c.x.rows());
  EXPECT_FALSE(gram.fit(c.terms, {2, 0}, false, 0));
  EXPECT_TRUE(gram.fit(c.terms, {2, 0}, false, 1e-8));
}

TEST(ExactDot, GivesTheSameBitsWithAndWithoutFusedMultiplyAdd) {
  Random random(9);
  Vector a(1003), b(1010);
  for (double& v : a) v = random.normal();
  for (double& v : b) v = random.normal() * 1e3;
  const double* lagged[kExactTile];
  for (Index k = 0; k < kExactTile; ++k) lagged[k] = b.data() + k;
  Double2 x[kExactTile], y[kExactTile];
  exact_dots(a.data(), lagged, a.size(), x);
  exact_dots_portable(a.data(), lagged, a.size(), y);
  for (Index k = 0; k < kExactTile; ++k) {
    EXPECT_EQ(x[k].hi, y[k].hi);
    EXPECT_EQ(x[k].lo, y[k].lo);
    long double sum = 0;
    for (Index t = 0; t < a.size(); ++t) sum += static_cast<long double>(a(t)) * lagged[k][t];
    EXPECT_NEAR(x[k].hi, static_cast<double>(sum), 1e-15 * std::abs(x[k].hi) + 1e-12);
  }
}

TEST(Double2, HoldsQuotientsAndRootsToThirtyDigits) {
  const Double2 three{3, 0}, two{2, 0};
  const Double2 third = Double2{1, 0} / three;
  const Double2 back = third * three - Double2{1, 0};
  EXPECT_LT(std::abs(back.value()), 1e-31);
  const Double2 root = sqrt(two);
  EXPECT_LT(std::abs((root * root - two).value()), 1e-30);
  EXPECT_NE(root.lo, 0);
}

}  // namespace
}  // namespace flyball::math
