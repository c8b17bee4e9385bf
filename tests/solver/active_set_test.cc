#include "solver/active_set.h"

#include <gtest/gtest.h>

#include "solver/random_qp.h"
#include "support/expect_error.h"

namespace flyball::solver {
namespace {

Solution solve(ActiveSet& set, const DenseQp& q) {
  return set.solve(q.g, q.row_lower, q.row_upper, q.lower, q.upper);
}

void expect_optimal(const DenseQp& q, const Solution& s, double tolerance) {
  ASSERT_EQ(s.status, Status::solved) << s.residuals.worst();
  const Residuals r = residuals_by_definition(q, s);
  EXPECT_LE(r.stationarity, tolerance);
  EXPECT_LE(r.primal, tolerance);
  EXPECT_LE(r.complementarity, tolerance);
  EXPECT_NEAR(s.objective, 0.5 * s.x.dot(q.h * s.x) + q.g.dot(s.x),
              1e-12 * (1 + std::abs(s.objective)));
}

void expect_family(const Family& f, double tolerance, int count = 60) {
  std::mt19937_64 random(7);
  for (int i = 0; i < count; ++i) {
    SCOPED_TRACE(i);
    const DenseQp q = random_qp(random, f);
    ActiveSet set(q.h, q.a);
    expect_optimal(q, solve(set, q), tolerance);
  }
}

TEST(ActiveSet, SolvesRandomPrograms) {
  expect_family({}, 1e-11);
  expect_family({.variables = 30, .rows = 60}, 1e-11);
  expect_family({.variables = 1, .rows = 3}, 1e-11);
  expect_family({.variables = 20, .rows = 0}, 1e-11);
  expect_family({.variables = 20, .rows = 40, .bounds = false}, 1e-11);
}

TEST(ActiveSet, SolvesEquations) {
  expect_family({.variables = 20, .rows = 20, .equations = 8}, 1e-11);
  expect_family({.variables = 20, .rows = 20, .equations = 20}, 1e-11);
}

TEST(ActiveSet, SolvesDegeneratePrograms) {
  expect_family({.variables = 15, .rows = 60, .degenerate = true}, 1e-10);
}

TEST(ActiveSet, SolvesBadlyScaledPrograms) {
  expect_family({.variables = 20, .rows = 40, .spread = 6}, 1e-9);
}

TEST(ActiveSet, SolvesSemidefinitePrograms) {
  Family f{.variables = 20, .rows = 60, .rank = 8};
  f.bounds = true;
  std::mt19937_64 random(3);
  for (int i = 0; i < 40; ++i) {
    SCOPED_TRACE(i);
    DenseQp q = random_qp(random, f);
    q.lower = q.lower.cwiseMax(-50);  // bounded, so that there is an optimum
    q.upper = q.upper.cwiseMin(50);
    ActiveSet set(q.h, q.a);
    EXPECT_FALSE(set.strictly_convex());
    expect_optimal(q, solve(set, q), 1e-9);
  }
}

TEST(ActiveSet, RefusesMatricesByName) {
  const Matrix one = Matrix::Identity(3, 3), none(0, 3);
  Matrix h = one;
  h(2, 1) = std::nan("");
  EXPECT_ERROR(ActiveSet(h, none), "QP_NOT_FINITE");
  h(2, 1) = 0.5;
  EXPECT_ERROR(ActiveSet(h, none), "QP_NOT_SYMMETRIC");
  h(1, 2) = 0.5;
  h(0, 0) = -1e-3;
  EXPECT_ERROR(ActiveSet(h, none), "QP_NOT_CONVEX");
  EXPECT_ERROR(ActiveSet(one, Matrix::Zero(2, 4)), "QP_SHAPE");
  EXPECT_ERROR(ActiveSet(one, Matrix::Constant(1, 3, kInfinity)), "QP_NOT_FINITE");
}

}  // namespace
}  // namespace flyball::solver
