// minMove counts for each MV: what is too small is not made, and the rest is the best without it.
#include "optimise/least_move.h"

#include <gtest/gtest.h>

#include <map>

#include "math/random.h"
#include "optimise/resimulate.h"
#include "plants.h"

namespace flyball::optimise {
namespace {

model::LinearStateSpace two() {
  return lags({{{1.2, 0.85, 1}, {-0.6, 0.9, 2}}, {{0.5, 0.8, 2}, {1.5, 0.9, 1}}}, 2, {10, 20},
              {50, -8});
}
ProblemIr problem(const model::LinearStateSpace& m) {
  ProblemIr p = problem_for(m, 30, 6);
  p.solver.steady_state = SteadyLayer::off;
  p.cv[0].ref = *p.cv[0].ref + 1;
  return p;
}
double first(const SolveResult& r, const ProblemIr& p, std::size_t m) {
  return r.candidates[0].controls[0][m] - p.u_prev[m];
}

/// Every size of minMove: no MV makes a smaller first move, and what it answers costs what the best
/// plan costs in which the MVs that stay cannot move at this step.
TEST(LeastMove, NoFirstMoveIsSmallerAndTheRestIsTheBest) {
  const auto m = two();
  ProblemIr p = problem(m);
  const SolveResult free = solve(p, m);
  const double small = std::abs(first(free, p, 1));
  ASSERT_GT(small, 1e-3);
  ASSERT_GT(std::abs(first(free, p, 0)), 1.5 * small);
  p.mv[1].min_move = 1.2 * small;  // MV2 alone is too small: before, MV1's move let it through
  const SolveResult r = solve(p, m);
  ASSERT_EQ(r.status, SolveStatus::optimal) << to_json_value(r.reasons).dump();
  EXPECT_EQ(first(r, p, 1), 0);
  EXPECT_NE(first(r, p, 0), first(free, p, 0)) << "optimised again, not cut off";
  ASSERT_EQ(r.reasons.size(), 1U);
  EXPECT_EQ(r.reasons[0].code, "MPC_MIN_MOVE");
  const Resimulated again = resimulate(p, m, r.candidates[0].controls);
  EXPECT_TRUE(again.feasible);
  EXPECT_NEAR(again.cost, r.candidates[0].cost, 1e-9 * again.cost);
  math::Random random(3);
  int tried = 0;
  for (int i = 0; i < 2000; ++i) {
    auto u = r.candidates[0].controls;
    const double size = std::pow(10, random.uniform(-4, 0));
    for (std::size_t mv = 0; mv < 2; ++mv)
      for (std::size_t at = mv; at < 6; ++at) {  // MV2 from its second move on
        const double by = size * random.normal();
        for (std::size_t k = at; k < u.size(); ++k) u[k][mv] += by;
      }
    const Resimulated other = resimulate(p, m, u);
    if (!other.feasible) continue;
    ++tried;
    EXPECT_GE(other.cost, again.cost * (1 - 1e-9));
  }
  EXPECT_GT(tried, 100);
}

TEST(LeastMove, TheSecondPathRefusesASmallerMove) {
  const auto m = two();
  ProblemIr p = problem(m);
  const SolveResult free = solve(p, m);
  p.mv[1].min_move = 1.2 * std::abs(first(free, p, 1));
  const Resimulated again = resimulate(p, m, free.candidates[0].controls);
  EXPECT_FALSE(again.feasible);
  bool named = false;
  for (const ConstraintItem& c : again.constraints)
    named = named || (c.id == "MV2.minMove" && !c.passed && c.kind == ConstraintKind::hard);
  EXPECT_TRUE(named);
}

TEST(LeastMove, WithoutAnyMoveLeftItHolds) {
  const auto m = two();
  ProblemIr p = problem(m);
  const SolveResult free = solve(p, m);
  for (std::size_t i = 0; i < 2; ++i) {
    p.mv[i].min_move = 1.9;
    ASSERT_LT(std::abs(first(free, p, i)), 1.9);
  }
  const SolveResult r = solve(p, m);
  EXPECT_EQ(r.status, SolveStatus::noChange) << to_json_value(r.reasons).dump();
}

/// An MV beyond its limit comes back whatever its minMove says.
TEST(LeastMove, LimitsOfAnMvComeFirst) {
  const auto m = lags({{{1, 0.8, 1}}}, 1, {0}, {0});
  ProblemIr p = problem_for(m, 20, 4);
  p.mv[0].max = 0.9;
  p.mv[0].min_move = 0.5;
  p.u_prev[0] = 1;
  p.cv[0].ref = 1;
  for (auto& row : p.history) row = {{1}, {1}};
  const SolveResult r = solve(p, m);
  EXPECT_LE(r.candidates[0].controls[0][0], 0.9 + 1e-9);
  EXPECT_TRUE(resimulate(p, m, r.candidates[0].controls).feasible);
}

/// Holding would break a hard limit: it moves by at least minMove.
TEST(LeastMove, WhereAHardLimitForbidsToStayItMovesByThatMuch) {
  const auto m = lags({{{1, 0.5, 1}, {1, 0.5, 1}}}, 1, {0, 0}, {0});
  ProblemIr p = problem_for(m, 20, 6);
  p.cv[0].role = CvRole::band;
  p.cv[0].hard_max = 0.05;
  p.dv[0].forecast.assign(20, 0.2);  // y(1) = 0.1 + u/2
  for (auto& row : p.history) row = {{0, 0}, {0}};
  const SolveResult free = solve(p, m);
  EXPECT_NEAR(free.candidates[0].controls[0][0], -0.1, 1e-3);
  p.mv[0].min_move = 0.3;
  const SolveResult r = solve(p, m);
  ASSERT_EQ(r.status, SolveStatus::optimal) << to_json_value(r).dump();
  EXPECT_NEAR(r.candidates[0].controls[0][0], -0.3, 1e-6);
  EXPECT_TRUE(resimulate(p, m, r.candidates[0].controls).feasible);
  p.cv[0].hard_min = 0.0;  // −0.3 makes y(1) = −0.05
  const SolveResult none = solve(p, m);
  EXPECT_EQ(none.status, SolveStatus::infeasible);
  ASSERT_FALSE(none.reasons.empty());
  EXPECT_EQ(none.reasons[0].code, "MPC_MIN_MOVE_BLOCKS");
}

}  // namespace
}  // namespace flyball::optimise
