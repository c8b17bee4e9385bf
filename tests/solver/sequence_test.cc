// Sequences with constant H and A: the last working set as a start changes no answer.
#include <gtest/gtest.h>

#include "solver/active_set.h"
#include "solver/random_qp.h"

namespace flyball::solver {
namespace {

Solution solve(ActiveSet& set, const DenseQp& q) {
  return set.solve(q.g, q.row_lower, q.row_upper, q.lower, q.upper);
}

/// Another g, and limits around a moved point: feasible stays feasible.
void drift(DenseQp& q, std::mt19937_64& random, double size) {
  std::normal_distribution<double> normal;
  Vector by(q.g.size());
  for (Index i = 0; i < q.g.size(); ++i) {
    q.g[i] += 10 * size * normal(random);
    by[i] = size * normal(random);
  }
  q.lower += by;
  q.upper += by;
  q.row_lower += q.a * by;
  q.row_upper += q.a * by;
}

/// Limits that no x meets: 2·row 0 ≤ below what the sum of its copies must reach.
DenseQp spoiled(DenseQp q) {
  q.a.row(1) = -2 * q.a.row(0);
  q.row_lower[0] = 1;
  q.row_upper[0] = kInfinity;
  q.row_lower[1] = -1;
  q.row_upper[1] = 3;
  return q;
}

TEST(Sequence, WarmAndColdAgree) {
  for (const bool degenerate : {false, true}) {
    std::mt19937_64 random(11);
    DenseQp q =
        random_qp(random, {.variables = 25, .rows = 50, .equations = 3, .degenerate = degenerate});
    ActiveSet warm(q.h, q.a), cold(q.h, q.a);
    int warm_iterations = 0, cold_iterations = 0;
    for (int i = 0; i < 200; ++i) {
      SCOPED_TRACE(i);
      drift(q, random, i % 20 == 0 ? 0.5 : 0.01);
      cold.forget();
      const Solution a = solve(warm, q), b = solve(cold, q);
      ASSERT_EQ(a.status, Status::solved);
      ASSERT_EQ(b.status, Status::solved);
      warm_iterations += a.iterations;
      cold_iterations += b.iterations;
      EXPECT_LE((a.x - b.x).cwiseAbs().maxCoeff(), 1e-9 * (1 + b.x.cwiseAbs().maxCoeff()));
      EXPECT_LE(residuals_by_definition(q, a).worst(), 1e-10);
    }
    EXPECT_LT(warm_iterations, 0.7 * cold_iterations);
  }
}

TEST(Sequence, FeasibleInfeasibleFeasible) {
  std::mt19937_64 random(5);
  DenseQp q = spoiled(random_qp(random, {.variables = 10, .rows = 20, .bounds = false}));
  ActiveSet warm(q.h, q.a), cold(q.h, q.a);
  for (int i = 0; i < 60; ++i) {
    SCOPED_TRACE(i);
    // -2·row0 ≥ lower and row0 ≥ 1 contradict when lower > -2.
    q.row_lower[1] = i % 3 == 1 ? -1 : -8;
    q.row_upper[1] = kInfinity;
    drift(q, random, 0.01);
    q.row_lower[0] = 1;
    cold.forget();
    const Solution a = solve(warm, q), b = solve(cold, q);
    ASSERT_EQ(a.status, b.status);
    if (i % 3 == 1) {
      ASSERT_EQ(a.status, Status::infeasible);
      EXPECT_TRUE(proves_infeasible(q, a.certificate));
      EXPECT_TRUE(proves_infeasible(q, b.certificate));
    } else {
      ASSERT_EQ(a.status, Status::solved);
      EXPECT_LE((a.x - b.x).cwiseAbs().maxCoeff(), 1e-10 * (1 + b.x.cwiseAbs().maxCoeff()));
    }
  }
}

TEST(Sequence, TheSameCallsGiveTheSameBits) {
  std::mt19937_64 random(2);
  DenseQp q = random_qp(random, {.variables = 25, .rows = 50});
  ActiveSet one(q.h, q.a), two(q.h, q.a);
  for (int i = 0; i < 30; ++i) {
    drift(q, random, 0.1);
    const Solution a = solve(one, q), b = solve(two, q);
    EXPECT_EQ(a.status, b.status);
    if (a.status != Status::solved) continue;
    EXPECT_TRUE(a.x == b.x && a.y == b.y && a.z == b.z);
  }
}

TEST(Sequence, AnEmptyRangeIsInfeasibleByItsIndex) {
  std::mt19937_64 random(2);
  DenseQp q = random_qp(random, {.variables = 5, .rows = 4});
  ActiveSet set(q.h, q.a);
  q.row_lower[2] = 3;
  q.row_upper[2] = 2;
  const Solution s = solve(set, q);
  EXPECT_EQ(s.status, Status::infeasible);
  EXPECT_EQ(s.certificate.crossed, 5 + 2);
}

TEST(Sequence, ANumberThatIsNoneIsNamedAndForgotten) {
  std::mt19937_64 random(2);
  const DenseQp good = random_qp(random, {.variables = 5, .rows = 4});
  ActiveSet set(good.h, good.a);
  const Solution before = solve(set, good);
  ASSERT_EQ(before.status, Status::solved);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto expect_fault = [&](Vector DenseQp::*field, Index row, double value,
                                std::string_view name) {
    DenseQp q = good;
    (q.*field)[row] = value;
    const Solution s = solve(set, q);
    EXPECT_EQ(s.status, Status::invalid);
    EXPECT_EQ(s.fault.field, name);
    EXPECT_EQ(s.fault.row, row);
  };
  expect_fault(&DenseQp::g, 3, nan, "g");
  expect_fault(&DenseQp::g, 3, kInfinity, "g");
  expect_fault(&DenseQp::lower, 1, nan, "lower");
  expect_fault(&DenseQp::lower, 1, kInfinity, "lower");
  expect_fault(&DenseQp::upper, 2, -kInfinity, "upper");
  expect_fault(&DenseQp::row_lower, 0, nan, "rowLower");
  expect_fault(&DenseQp::row_upper, 2, nan, "rowUpper");
  const Solution after = solve(set, good);
  EXPECT_LE((after.x - before.x).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Sequence, AtALimitOfIterationsAFeasiblePointComesWithItsGap) {
  std::mt19937_64 random(9);
  int without = 0;
  for (int i = 0; i < 40; ++i) {
    const DenseQp q =
        random_qp(random, {.variables = 20, .rows = 0});  // bounds only: a point exists
    ActiveSet set(q.h, q.a);
    const double optimum = solve(set, q).objective;
    ActiveSet capped(q.h, q.a, {.max_iterations = 2});
    const Solution s = solve(capped, q);
    if (s.status == Status::solved) continue;
    ++without;
    ASSERT_EQ(s.status, Status::iteration_limit);
    ASSERT_TRUE(s.feasible);
    EXPECT_TRUE(
        (s.x.array() >= q.lower.array() - 1e-9 && s.x.array() <= q.upper.array() + 1e-9).all());
    EXPECT_NEAR(s.objective, 0.5 * s.x.dot(q.h * s.x) + q.g.dot(s.x), 1e-9 * std::abs(s.objective));
    EXPECT_GE(s.objective, optimum - 1e-9 * std::abs(optimum));
    EXPECT_LE(s.objective - s.gap, optimum + 1e-9 * std::abs(optimum));
  }
  EXPECT_GT(without, 20);
}

TEST(Sequence, ATimeLimitOfNothingStops) {
  std::mt19937_64 random(9);
  const DenseQp q = random_qp(random, {.variables = 60, .rows = 120});
  ActiveSet set(q.h, q.a, {.time_limit = 0});
  const Solution s = solve(set, q);
  EXPECT_TRUE(s.status == Status::time_limit || s.status == Status::solved);
  EXPECT_LE(s.iterations, 16);
}

}  // namespace
}  // namespace flyball::solver
