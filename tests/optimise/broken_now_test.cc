// A hard CV limit that is broken now: back as fast as the MVs may, told, and confirmed.
#include "optimise/broken_now.h"

#include <gtest/gtest.h>

#include "math/random.h"
#include "optimise/resimulate.h"
#include "plants.h"

namespace flyball::optimise {
namespace {

/// Gain 1, pole 0.5: y(k+1) = (y(k) + u(k))/2, at rest at u = y = 3; moves of 0.5, u within −5..5.
ProblemIr above(model::LinearStateSpace& m) {
  m = lags({{{1, 0.5, 1}}}, 1, {0}, {0});
  ProblemIr p = problem_for(m, 20, 12);
  p.cv[0].role = CvRole::band;
  p.cv[0].hard_max = 1;
  p.mv[0].max_move = 0.5;
  p.u_prev[0] = 3;
  for (auto& row : p.history) row = {{3}, {3}};
  return p;
}

/// The fastest way back is the full move at every step; by hand: u(k) = 2.5, 2, 1.5, .. until y is
/// within the limit.
TEST(BrokenNow, ComesBackAsFastAsItMay) {
  model::LinearStateSpace m;
  const ProblemIr p = above(m);
  const SolveResult r = solve(p, m);
  ASSERT_EQ(r.status, SolveStatus::optimal) << to_json_value(r.reasons).dump();
  double y = 3;
  std::size_t k = 0;
  for (double u = 2.5; y > 1; u -= 0.5, ++k) {
    y = (y + u) / 2;
    if (y <= 1) break;
    EXPECT_NEAR(r.candidates[0].controls[k][0], u, 1e-6) << k;
    EXPECT_NEAR(r.candidates[0].predicted[k][0], y, 1e-6) << k;
  }
  ASSERT_GT(k, 3U);
  for (std::size_t i = k; i < 20; ++i) EXPECT_LE(r.candidates[0].predicted[i][0], 1 + 1e-6) << i;
  ASSERT_EQ(r.relaxed.size(), 1U);
  EXPECT_EQ(r.relaxed[0].id, "CV1.hardMax");
  EXPECT_EQ(r.relaxed[0].rank, 0);
  EXPECT_NEAR(r.relaxed[0].amount, 2.75 - 1, 1e-6);
  EXPECT_EQ(r.relaxed[0].words.code, "RELAXED_BACK");
  EXPECT_EQ(r.relaxed[0].words.params["step"]["value"], static_cast<int>(k) + 1);
}

TEST(BrokenNow, TheSecondPathAgreesAndMvLimitsStayHard) {
  model::LinearStateSpace m;
  const ProblemIr p = above(m);
  const SolveResult r = solve(p, m);
  const Resimulated again = resimulate(p, m, r.candidates[0].controls);
  EXPECT_TRUE(again.feasible);
  EXPECT_FALSE(again.hold_is_as_safe);
  EXPECT_NEAR(again.beyond_hold, 20 * 2, 1e-6) << "20 steps at 3, the limit is 1, σ 1";
  EXPECT_LT(again.beyond, 12);
  for (const ConstraintItem& c : again.constraints)
    if (c.id == "CV1.hardMax") {
      EXPECT_EQ(c.kind, ConstraintKind::soft);
      EXPECT_FALSE(c.passed);
    }
  auto faster = r.candidates[0].controls;
  faster[0][0] -= 0.1;
  EXPECT_FALSE(resimulate(p, m, faster).feasible) << "maxMove";
}

/// No plan within the MVs' limits lies less beyond it, whatever its shape.
TEST(BrokenNow, NoPlanLiesLessBeyondIt) {
  const auto m = lags({{{1.2, 0.85, 2}, {-0.6, 0.9, 3}}, {{0.5, 0.8, 4}, {1.5, 0.9, 1}}}, 2,
                      {10, 20}, {50, -8});
  math::Random random(5);
  for (int seed = 0; seed < 10; ++seed) {
    ProblemIr p = problem_for(m, 25, 6);
    for (MvTerm& mv : p.mv) mv.max_move = random.uniform(0.2, 0.6);
    p.cv[0].hard_max = *p.cv[0].ref - random.uniform(0.5, 2);
    p.cv[1].hard_min = *p.cv[1].ref - 4;
    const SolveResult r = solve(p, m);
    ASSERT_EQ(r.status, SolveStatus::optimal) << to_json_value(r.reasons).dump();
    const Resimulated best = resimulate(p, m, r.candidates[0].controls);
    ASSERT_TRUE(best.feasible);
    int tried = 0;
    for (int i = 0; i < 400; ++i) {
      auto u = r.candidates[0].controls;
      const double size = std::pow(10, random.uniform(-4, 0));
      for (std::size_t mv = 0; mv < 2; ++mv)
        for (std::size_t at = 0; at < 6; ++at) {
          const double by = size * random.normal();
          for (std::size_t k = at; k < u.size(); ++k) u[k][mv] += by;
        }
      for (std::size_t mv = 0; mv < 2; ++mv) {  // as far as the MV's limits let it
        double before = p.u_prev[mv];
        for (std::size_t k = 0; k < u.size(); ++k) {
          auto& row = u[k];
          if (k >= 6) row[mv] = before;  // it has six moves
          row[mv] = std::clamp(row[mv], before - p.mv[mv].max_move, before + p.mv[mv].max_move);
          before = row[mv] = std::clamp(row[mv], p.mv[mv].min, p.mv[mv].max);
        }
      }
      const Resimulated other = resimulate(p, m, u);
      if (!other.feasible) continue;
      ++tried;
      EXPECT_GE(other.beyond, best.beyond - 1e-5);
    }
    EXPECT_GT(tried, 50);
  }
}

TEST(BrokenNow, ALimitThatHoldsNowStaysHard) {
  model::LinearStateSpace m;
  ProblemIr p = above(m);
  p.cv[0].hard_max = 3.1;  // it holds now,
  p.dv.push_back({"DV1", {}, {0, 1, -5, 5}});
  m = lags({{{1, 0.5, 1}, {1, 0.5, 1}}}, 1, {0, 0}, {0});
  for (auto& row : p.history) row = {{3, 0}, {3}};
  p.dv[0].forecast.assign(20, 4.0);  // and is about to be broken faster than the MV can follow
  const SolveResult r = solve(p, m);
  EXPECT_EQ(r.status, SolveStatus::infeasible);
  ASSERT_FALSE(r.infeasible.empty());
  EXPECT_EQ(r.infeasible[0].id, "CV1.hardMax");
}

TEST(BrokenNow, WhatNeverComesBackIsSaid) {
  model::LinearStateSpace m;
  ProblemIr p = above(m);
  p.mv[0].min = 2;
  const SolveResult r = solve(p, m);
  ASSERT_EQ(r.status, SolveStatus::optimal);
  EXPECT_NEAR(r.candidates[0].controls.back()[0], 2, 1e-6);
  ASSERT_FALSE(r.relaxed.empty());
  EXPECT_EQ(r.relaxed[0].words.code, "RELAXED_STAYS");
}

/// Noise on the newest value alone does not cost the limit anything.
TEST(BrokenNow, AValueThatOnlyMeasuresHighCostsNothing) {
  model::LinearStateSpace m;
  ProblemIr p = above(m);
  p.cv[0].hard_max = 3.5;
  p.history.back().y[0] = 3.6;
  const SolveResult r = solve(p, m);
  ASSERT_NE(r.status, SolveStatus::infeasible);
  for (const auto& y : r.candidates[0].predicted) EXPECT_LE(y[0], 3.5 + 1e-6);
  EXPECT_TRUE(r.relaxed.empty());
}

TEST(BrokenNow, RefusesWhereThatIsAsked) {
  model::LinearStateSpace m;
  ProblemIr p = above(m);
  p.solver.broken_now = BrokenNow::refuse;
  EXPECT_EQ(solve(p, m).status, SolveStatus::infeasible);
}

}  // namespace
}  // namespace flyball::optimise
