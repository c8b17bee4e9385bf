#include "solver/solve.h"

#include <gtest/gtest.h>

#include "solver/interior_point.h"
#include "solver/presolve.h"
#include "solver/random_qp.h"
#include "support/expect_error.h"

namespace flyball::solver {
namespace {

Program program(const DenseQp& q) {
  return Program::of(q.h, q.g, q.a, q.row_lower, q.row_upper, q.lower, q.upper);
}

void expect_optimal(const DenseQp& q, double tolerance) {
  const Solution s = solve(program(q));
  ASSERT_EQ(s.status, Status::solved) << name(s.status) << " " << s.residuals.worst();
  EXPECT_LE(residuals_by_definition(q, s).worst(), tolerance);
}

void expect_family(const Family& f, double tolerance, int count = 30) {
  std::mt19937_64 random(17);
  for (int i = 0; i < count; ++i) {
    SCOPED_TRACE(i);
    DenseQp q = random_qp(random, f);
    if (f.rank >= 0) {  // bounded, so that there is an optimum
      q.lower = q.lower.cwiseMax(-1e3);
      q.upper = q.upper.cwiseMin(1e3);
    }
    expect_optimal(q, tolerance);
  }
}

TEST(Solve, RandomPrograms) {
  expect_family({}, 1e-11);
  expect_family({.variables = 40, .rows = 60, .equations = 10}, 1e-11);
  expect_family({.variables = 40, .rows = 60, .spread = 6}, 1e-9);
  expect_family({.variables = 30, .rows = 90, .degenerate = true}, 1e-10);
}

TEST(Solve, SemidefiniteAndLinearPrograms) {
  expect_family({.variables = 40, .rows = 60, .rank = 10, .equations = 5}, 1e-10);
  expect_family({.variables = 40, .rows = 60, .rank = 0}, 1e-10);
  expect_family({.variables = 40, .rows = 60, .rank = 0, .degenerate = true}, 1e-10);
  expect_family({.variables = 40, .rows = 60, .rank = 5, .spread = 4}, 1e-9);
}

TEST(Solve, MoreVariablesThanTheDenseMethodTakes) {
  expect_family({.variables = 300, .rows = 100, .equations = 30}, 1e-10, 3);
}

/// The two methods are independent of one another: they must find the same optimum.
TEST(Solve, InteriorPointAgreesWithTheActiveSet) {
  std::mt19937_64 random(8);
  for (int i = 0; i < 20; ++i) {
    const DenseQp q = random_qp(random, {.variables = 20, .rows = 30, .equations = 4});
    const Solution s = solve(program(q));
    const Program p = program(q);
    const Presolve pre(p, 1e-9);
    const InteriorPoint point =
        interior_point(pre.reduced(), 1e-12, 1e2, 100, [] { return false; });
    Solution other;
    pre.restore(point.x, point.y, point.z, other);
    measure(p, row_coefficients(p.a), other);
    EXPECT_LE(other.residuals.worst(), 1e-9);
    EXPECT_NEAR(other.objective, s.objective, 1e-9 * (1 + std::abs(s.objective)));
  }
}

TEST(Solve, RowsThatRepeatOrAreEmptyOrAreBounds) {
  std::mt19937_64 random(21);
  for (int i = 0; i < 40; ++i) {
    SCOPED_TRACE(i);
    DenseQp q = random_qp(random, {.variables = 10, .rows = 24, .equations = 1});
    const auto copy = [&](Index from, Index to, double factor) {
      q.a.row(to) = factor * q.a.row(from);
      const double a = factor * q.row_lower[from], b = factor * q.row_upper[from];
      q.row_lower[to] = std::min(a, b) + (to % 2 == 0 ? 0 : 0.01);
      q.row_upper[to] = std::max(a, b);
      if (q.row_lower[to] > q.row_upper[to]) q.row_lower[to] = q.row_upper[to];
    };
    copy(0, 1, -3);
    copy(2, 3, 0.5);
    copy(2, 4, -7);
    q.a.row(5).setZero();
    q.row_lower[5] = -1;
    q.row_upper[5] = 1;
    for (Index r = 6; r < 9; ++r) {  // one entry: x_j between limits
      const double value = r == 7 ? -4 : 0.25;
      q.a.row(r).setZero();
      q.a(r, r - 6) = value;
      q.row_lower[r] = std::min(value * -0.5, value * 0.5);
      q.row_upper[r] = -q.row_lower[r];
      q.lower[r - 6] = -0.3;
      q.upper[r - 6] = kInfinity;
    }
    q.lower[4] = q.upper[4] = 0.5;  // fixed
    const Solution s = solve(program(q));
    if (s.status == Status::infeasible) {
      EXPECT_TRUE(proves_infeasible(q, s.certificate));
    } else {
      ASSERT_EQ(s.status, Status::solved) << name(s.status);
      EXPECT_LE(residuals_by_definition(q, s).worst(), 1e-10);
    }
  }
}

TEST(Solve, InfeasibleWithAProof) {
  std::mt19937_64 random(2);
  int found = 0;
  for (int i = 0; i < 60; ++i) {
    SCOPED_TRACE(i);
    DenseQp q =
        random_qp(random, {.variables = 12, .rows = 20, .rank = i % 2 == 0 ? Index{-1} : Index{3}});
    // A positive combination of other rows must not reach what the last row asks for.
    Vector y = Vector::Zero(20);
    double limit = 0;
    for (Index r = 0; r < 5; ++r) {
      q.row_upper[r] = 1 + 0.1 * static_cast<double>(r);
      q.row_lower[r] = -kInfinity;
      y[r] = 1 + static_cast<double>(r % 3);
      limit += y[r] * q.row_upper[r];
    }
    q.a.row(19) = y.transpose() * q.a;
    q.row_lower[19] = limit + 0.5;
    q.row_upper[19] = kInfinity;
    const Solution s = solve(program(q));
    ASSERT_EQ(s.status, Status::infeasible) << name(s.status);
    EXPECT_TRUE(proves_infeasible(q, s.certificate));
    ++found;
  }
  EXPECT_EQ(found, 60);
}

TEST(Solve, UnboundedWithAProof) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 20; ++i) {
    SCOPED_TRACE(i);
    DenseQp q = random_qp(random, {.variables = 8, .rows = 6, .rank = 3, .bounds = false});
    // Direction e_7 − e_6 costs nothing in H, meets no limit and descends.
    q.h.row(7) = q.h.row(6);
    q.h.col(7) = q.h.col(6);
    q.a.col(7) = q.a.col(6);
    q.g[7] = q.g[6] - 1;
    q.row_lower.setConstant(-5);
    q.row_upper.setConstant(5);
    const Solution s = solve(program(q));
    ASSERT_EQ(s.status, Status::unbounded) << name(s.status);
    EXPECT_LT(q.g.dot(s.direction), 0);
    EXPECT_LE((q.h * s.direction).cwiseAbs().maxCoeff(), 1e-8 * q.h.cwiseAbs().maxCoeff());
    EXPECT_LE((q.a * s.direction).cwiseAbs().maxCoeff(), 1e-8 * q.a.cwiseAbs().maxCoeff());
  }
}

TEST(Solve, RefusesInputsByName) {
  const Matrix h = Matrix::Identity(2, 2), a = Matrix::Ones(1, 2);
  const Vector g = Vector::Ones(2), one = Vector::Ones(1);
  const double nan = std::nan("");
  EXPECT_ERROR(solve(Program::of(h, Vector::Constant(2, nan), a, one, one)), "QP_NOT_FINITE");
  EXPECT_ERROR(solve(Program::of(h, g, nan * a, one, one)), "QP_NOT_FINITE");
  EXPECT_ERROR(solve(Program::of(h, g, a, nan * one, one)), "QP_NOT_FINITE");
  EXPECT_ERROR(solve(Program::of(h, g, a, kInfinity * one, kInfinity * one)), "QP_NOT_FINITE");
  EXPECT_ERROR(solve(Program::of(nan * h, g, a, one, one)), "QP_NOT_FINITE");
  EXPECT_ERROR(solve(Program::of(-h, g, a, one, one)), "QP_NOT_CONVEX");
  EXPECT_ERROR(solve(Program::of(h, g, a, Vector::Ones(2), one)), "QP_SHAPE");
  Matrix skew = h;
  skew(0, 1) = 0.5;
  EXPECT_ERROR(solve(Program::of(skew, g, a, one, one)), "QP_NOT_SYMMETRIC");
}

TEST(Solve, ATimeLimitIsKept) {
  std::mt19937_64 random(6);
  const DenseQp q = random_qp(random, {.variables = 300, .rows = 300, .rank = 20});
  const Solution s = solve(program(q), {.time_limit = 1e-4});
  EXPECT_EQ(s.status, Status::time_limit);
}

}  // namespace
}  // namespace flyball::solver
