#include "solver/ranked.h"

#include <gtest/gtest.h>

#include "solver/random_qp.h"
#include "solver/solve.h"
#include "support/expect_error.h"

namespace flyball::solver {
namespace {

Program program(const DenseQp& q) {
  return Program::of(q.h, q.g, q.a, q.row_lower, q.row_upper, q.lower, q.upper);
}

double moved(const RankedSolution& s, Index limit) {
  for (const Relaxation& r : s.relaxed) {
    if (r.limit == limit) return r.below + r.above;
  }
  return 0;
}

TEST(Ranked, TheLowerRankGivesWayFirst) {
  // min ½x², 0 ≤ x ≤ 1 hard; row 0: x ≥ 0.8 (rank 1), row 1: x ≤ 0.3 (rank 2), row 2: x ≥ 2 (rank
  // 3).
  const Matrix one = Matrix::Ones(1, 1);
  Program p = Program::of(one, Vector::Zero(1), Matrix::Ones(3, 1), Vector(3), Vector(3),
                          Vector::Zero(1), Vector::Ones(1));
  p.row_lower << 0.8, -kInfinity, 2;
  p.row_upper << kInfinity, 0.3, kInfinity;
  const std::vector<SoftLimit> soft{{1, 1}, {2, 2}, {3, 3}};
  const RankedSolution s = solve_ranked(p, soft);
  ASSERT_EQ(s.solution.status, Status::solved);
  EXPECT_NEAR(s.solution.x[0], 0.8, 1e-9);
  ASSERT_EQ(s.relaxed.size(), 2u);
  EXPECT_EQ(s.relaxed[0].limit, 2);
  EXPECT_NEAR(s.relaxed[0].above, 0.5, 1e-9);
  EXPECT_EQ(s.relaxed[1].limit, 3);
  EXPECT_NEAR(s.relaxed[1].below, 1.2, 1e-9);
}

TEST(Ranked, OneRankSharesByItsUnits) {
  // x ≥ 1 and x ≤ 0 in one rank: the least sum of squares over the units 1 and 3 is at x = 0.9.
  const Matrix one = Matrix::Ones(1, 1);
  Program p = Program::of(one, Vector::Zero(1), Matrix::Ones(2, 1), Vector(2), Vector(2));
  p.row_lower << 1, -kInfinity;
  p.row_upper << kInfinity, 0;
  const std::vector<SoftLimit> soft{{1, 1, 1.0}, {2, 1, 3.0}};
  const RankedSolution s = solve_ranked(p, soft);
  ASSERT_EQ(s.solution.status, Status::solved);
  EXPECT_NEAR(s.solution.x[0], 0.9, 1e-9);
  EXPECT_NEAR(moved(s, 1), 0.1, 1e-9);
  EXPECT_NEAR(moved(s, 2), 0.9, 1e-9);
}

TEST(Ranked, NothingGivesWayWhereAllCanBeMet) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 10; ++i) {
    const DenseQp q = random_qp(random, {.variables = 10, .rows = 15});
    std::vector<SoftLimit> soft;
    for (Index r = 0; r < 15; ++r) soft.push_back({10 + r, 1 + static_cast<int>(r % 3)});
    const RankedSolution s = solve_ranked(program(q), soft);
    EXPECT_EQ(s.solution.status, Status::solved);
    EXPECT_TRUE(s.relaxed.empty());
    EXPECT_LE(residuals_by_definition(q, s.solution).worst(), 1e-10);
  }
}

/// The largest difference of the violations to those of one program with weights 10·ratio on rank 1
/// (rows 0 to 4), 10 on rank 2 and 0.1/ratio on the objective.
double distance_to_penalties(const DenseQp& q, const RankedSolution& s, double ratio) {
  DenseQp penalty;
  penalty.h = Matrix::Zero(18, 18);
  penalty.h.topLeftCorner(6, 6) = 0.1 / ratio * q.h;
  for (Index r = 0; r < 12; ++r) penalty.h(6 + r, 6 + r) = r < 5 ? 10 * ratio : 10;
  penalty.g = Vector::Zero(18);
  penalty.g.head(6) = 0.1 / ratio * q.g;
  penalty.a = Matrix(12, 18);
  penalty.a << q.a, Matrix::Identity(12, 12);
  penalty.lower = Vector::Zero(18);
  penalty.upper = Vector::Constant(18, kInfinity);
  penalty.lower.head(6) = q.lower;
  penalty.upper.head(6) = q.upper;
  penalty.row_lower = q.row_lower;
  penalty.row_upper = q.row_upper;
  const Solution other = solve(program(penalty));
  EXPECT_EQ(other.status, Status::solved);
  double most = 0;
  for (Index r = 0; r < 12; ++r) most = std::max(most, std::abs(moved(s, 6 + r) - other.x[6 + r]));
  return most;
}

/// Penalties that grow from rank to rank tend to the same answer.
TEST(Ranked, AgreesWithGrowingPenalties) {
  std::mt19937_64 random(12);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 10; ++i) {
    SCOPED_TRACE(i);
    DenseQp q = random_qp(random, {.variables = 6, .rows = 12});
    for (Index j = 0; j < 6; ++j) q.lower[j] = -2, q.upper[j] = 2;
    for (Index r = 0; r < 12; ++r) {  // far outside: most cannot be met
      q.row_lower[r] = 3 + std::abs(3 * normal(random));
      q.row_upper[r] = kInfinity;
    }
    std::vector<SoftLimit> soft;
    for (Index r = 0; r < 12; ++r) soft.push_back({6 + r, r < 5 ? 1 : 2});
    const RankedSolution s = solve_ranked(program(q), soft);
    ASSERT_EQ(s.solution.status, Status::solved);
    // The distance falls with the ratio; residuals of 1e-10 over the least weight, 1e-6, are its
    // floor.
    const double coarse = distance_to_penalties(q, s, 1e4), fine = distance_to_penalties(q, s, 1e5);
    EXPECT_LE(fine, 0.2 * coarse + 1e-4);
    EXPECT_LE(fine, 1e-2);
  }
}

TEST(Ranked, HardLimitsThatContradictAreProved) {
  const Matrix one = Matrix::Ones(1, 1);
  DenseQp q{one,       Matrix::Ones(2, 1), Vector::Zero(1), Vector(2),
            Vector(2), Vector::Zero(1),    Vector::Ones(1)};
  q.row_lower << 2, 0.5;
  q.row_upper << 3, 0.6;
  const std::vector<SoftLimit> soft{{2, 1}};
  const RankedSolution s = solve_ranked(program(q), soft);
  EXPECT_EQ(s.solution.status, Status::infeasible);
  EXPECT_TRUE(proves_infeasible(q, s.solution.certificate));
}

TEST(Ranked, RefusesLimitsThatAreNone) {
  const Program p = Program::of(Matrix::Ones(1, 1), Vector::Zero(1), Matrix::Ones(1, 1),
                                Vector::Zero(1), Vector::Ones(1));
  EXPECT_ERROR(solve_ranked(p, std::vector<SoftLimit>{{2, 1}}), "QP_SOFT_LIMIT");
  EXPECT_ERROR(solve_ranked(p, std::vector<SoftLimit>{{1, 0}}), "QP_SOFT_LIMIT");
  EXPECT_ERROR(solve_ranked(p, std::vector<SoftLimit>{{1, 1, 0.0}}), "QP_SOFT_LIMIT");
  EXPECT_ERROR(solve_ranked(p, std::vector<SoftLimit>{{1, 1}, {1, 2}}), "QP_SOFT_LIMIT");
}

}  // namespace
}  // namespace flyball::solver
