#include "optimise/condense.h"

#include <gtest/gtest.h>

#include "dense_problem.h"
#include "math/linear_algebra.h"
#include "optimise/state_response.h"
#include "support/expect_error.h"

namespace flyball::optimise {
namespace {

class CondensedOf : public ::testing::TestWithParam<int> {};

/// H z + f = ∇J at any z, by the sums that define J.
TEST_P(CondensedOf, HessianIsTheGradientOfTheCost) {
  const DenseProblem p =
      random_problem(static_cast<std::uint32_t>(GetParam()),
                     {.blocks = GetParam() % 2 == 0, .targets = GetParam() % 3 == 0});
  const Condensed c(p.in);
  const Vector zero = p.gradient(Vector::Zero(p.n()));
  math::Random r(3);
  Vector z(p.n());
  for (Index i = 0; i < z.size(); ++i) z(i) = r.normal();
  const Vector difference = p.gradient(z) - zero - c.hessian() * z;
  EXPECT_LT(difference.cwiseAbs().maxCoeff(), 1e-11 * (1 + zero.cwiseAbs().maxCoeff()));
}

TEST_P(CondensedOf, ClosedFormIsTheUnconstrainedOptimumAndItsTrajectory) {
  const DenseProblem p =
      random_problem(static_cast<std::uint32_t>(GetParam()), {.blocks = GetParam() % 2 == 0,
                                                              .targets = GetParam() % 3 == 0,
                                                              .prices = GetParam() % 5 == 0});
  const Condensed c(p.in);
  const Shape& s = c.shape();
  Doubles out(s.length());
  c.closed_form(p.theta.data(), c.constant().data(), out.data());
  const Vector z = Eigen::Map<const Vector>(out.data(), p.n());
  EXPECT_LT(p.gradient(z).cwiseAbs().maxCoeff(), 1e-10);
  const Vector y = p.in.free * p.theta + p.dynamics() * z;
  for (Index j = 0; j < s.cvs; ++j)
    for (Index k = 0; k < s.horizon; ++k)
      EXPECT_NEAR(out[s.y_at() + j * s.p4 + k], y(j * s.horizon + k), 1e-11);
}

TEST_P(CondensedOf, ColumnsAndWeightsAreThoseOfTheInverse) {
  const DenseProblem p =
      random_problem(static_cast<std::uint32_t>(GetParam()), {.blocks = GetParam() % 2 == 0});
  const Condensed c(p.in);
  const Shape& s = c.shape();
  const Matrix g = p.dynamics();
  Doubles column(s.length());
  for (Index row = 0; row < s.length(); ++row) {
    const bool is_y = row >= s.y_at() && row < s.u_at();
    if (is_y ? (row - s.y_at()) % s.p4 >= s.horizon : (row < s.n4 ? row : row - s.u_at()) >= s.n)
      continue;
    const Vector a = normal(p, s, g, {.row = row, .tier = is_y ? 0 : -1, .side = 1});
    const Vector h = c.inverse() * a;
    c.column(row, column.data());
    for (Index i = 0; i < s.n; ++i) EXPECT_NEAR(column[i], h(i), 1e-12);
    const Vector y = g * h;
    for (Index j = 0; j < s.cvs; ++j)
      for (Index k = 0; k < s.horizon; ++k)
        EXPECT_NEAR(column[s.y_at() + j * s.p4 + k], y(j * s.horizon + k), 1e-12);
    const double norm = std::sqrt(a.dot(h));
    EXPECT_NEAR(c.weights()[row] * norm, norm > 0 ? 1.0 : 0.0, 1e-9);
    EXPECT_EQ(c.reached(row), norm > 0);
  }
  EXPECT_LT((c.hessian() * c.inverse() - Matrix::Identity(s.n, s.n)).cwiseAbs().maxCoeff(), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Problems, CondensedOf, ::testing::Range(1, 11));

TEST(Condensed, RefusesACostWithoutCurvature) {
  DenseProblem p = random_problem(1, {});
  p.in.cv_weight.setZero();
  p.in.move_weight.setZero();
  EXPECT_ERROR(Condensed{p.in}, "MPC_NOT_CONVEX");
}

TEST(StateResponse, IsTheSimulation) {
  Matrix a(2, 2), b(2, 1), c(1, 2);
  a << 0.9, 0.2, -0.1, 0.7;
  b << 0.5, 1;
  c << 1, -2;
  const StateResponse r = state_response(a, b, c, 12);
  Vector x(2);
  x << 0.3, -0.4;
  const Vector x0 = x;
  for (Index k = 0; k < 12; ++k) {
    x = a * x + b * 1.7;
    EXPECT_NEAR((c * x)(0), r.free.row(k).dot(x0) + r.answers(k, 0) * 1.7, 1e-13);
  }
}

}  // namespace
}  // namespace flyball::optimise
