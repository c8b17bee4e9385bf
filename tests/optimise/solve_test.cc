#include "optimise/solve.h"

#include <gtest/gtest.h>

#include <limits>

#include "math/random.h"
#include "optimise/resimulate.h"
#include "optimise/steady_state.h"
#include "optimise/trajectory.h"
#include "plants.h"
#include "support/expect_error.h"

namespace flyball::optimise {
namespace {

model::LinearStateSpace two_by_two(double gain = 1) {
  return lags({{{1.2 * gain, 0.85, 2}, {-0.6 * gain, 0.9, 3}},
               {{0.5 * gain, 0.8, 4}, {1.5 * gain, 0.9, 1}}},
              2, {10, 20}, {50, -8});
}

/// A problem somewhere in the middle of things.
ProblemIr busy_problem(const model::LinearStateSpace& m, std::uint32_t seed) {
  math::Random r(seed);
  ProblemIr p = problem_for(m, 25, 6);
  if (seed % 2 == 0) p.blocks = {0, 1, 2, 4, 8, 14};
  for (HistoryRow& row : p.history) {
    for (auto& u : row.u) u = *u + r.uniform(-1, 1);
    for (auto& y : row.y) y = *y + r.uniform(-1, 1);
  }
  for (std::size_t i = 0; i < p.mv.size(); ++i) p.u_prev[i] = *p.history.back().u[i];
  for (CvTerm& cv : p.cv) {
    cv.ref = *cv.ref + r.uniform(-4, 4);
    cv.soft_max = *cv.ref + r.uniform(-0.5, 1);
    cv.soft_min = *cv.soft_max - 3;
    cv.rank = 1 + r.index(2);
    cv.hard_max = *cv.ref + 15;
    cv.hard_min = *cv.ref - 15;
    cv.margin.assign(25, 1.0);
    if (seed % 3 == 0) cv.soft_linear = 2.0;
  }
  p.mv[0].target = p.u_prev[0] - 1;
  p.mv[0].target_weight = 0.05;
  p.mv[1].max_move = 0.4;
  if (seed % 5 == 0) p.solver.slack = Slack::perStep;
  if (seed % 4 == 0) p.cv[1].role = CvRole::min;
  return p;
}

/// What the moves of an answer were planned for.
ProblemIr planned_for(const ProblemIr& p, const SolveResult& r) {
  return r.rest ? with_targets(p, *r.rest) : p;
}

TEST(Solve, IsWhatTheSecondPathFinds) {
  const auto m = two_by_two();
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    const ProblemIr p = busy_problem(m, seed);
    const SolveResult r = solve(p, m);
    ASSERT_EQ(r.status, SolveStatus::optimal) << seed << to_json_value(r.reasons).dump();
    ASSERT_GE(r.candidates.size(), 3u);
    for (const Candidate& c : r.candidates) {
      const Resimulated again = resimulate(planned_for(p, r), m, c.controls);
      EXPECT_NEAR(again.cost, c.cost, 1e-9 * (1 + std::abs(c.cost))) << c.label;
      EXPECT_NEAR(again.cost_hold, r.diagnostics.cost_hold, 1e-9 * (1 + std::abs(again.cost_hold)));
      EXPECT_EQ(again.feasible, c.feasible);
      for (std::size_t k = 0; k < again.predicted.size(); ++k)
        for (std::size_t j = 0; j < p.cv.size(); ++j)
          EXPECT_NEAR(again.predicted[k][j], c.predicted[k][j], 1e-9);
      ASSERT_EQ(again.constraints.size(), c.constraints.size());
      for (std::size_t i = 0; i < c.constraints.size(); ++i) {
        EXPECT_EQ(again.constraints[i].id, c.constraints[i].id);
        EXPECT_NEAR(again.constraints[i].margin, c.constraints[i].margin, 1e-9)
            << c.constraints[i].id;
        EXPECT_EQ(again.constraints[i].passed, c.constraints[i].passed) << c.constraints[i].id;
      }
    }
  }
}

/// With priced soft limits (no ranks) no other plan of moves within the limits is cheaper.
TEST(Solve, NoFeasiblePlanIsCheaper) {
  const auto m = two_by_two();
  math::Random r(9);
  for (std::uint32_t seed = 3; seed <= 24; seed += 3) {
    ProblemIr p = busy_problem(m, seed);
    for (CvTerm& cv : p.cv) cv.margin.clear();
    const SolveResult best = solve(p, m);
    ASSERT_EQ(best.status, SolveStatus::optimal);
    for (int i = 0; i < 50; ++i) {
      auto controls = best.candidates[0].controls;
      for (std::size_t u = 0; u < p.mv.size();
           ++u) {  // another plan on the way to a random feasible one
        const double to = r.uniform(-0.3, 0.3);
        for (auto& row : controls) row[u] += 0.05 * to;
      }
      const Resimulated other = resimulate(planned_for(p, best), m, controls);
      if (!other.feasible) continue;
      EXPECT_GE(other.cost, best.candidates[0].cost - 1e-9 * std::abs(best.candidates[0].cost));
    }
  }
}

TEST(Solve, DoesNotRememberWhatItSolvedBefore) {
  const auto m = two_by_two();
  Solver used;
  for (std::uint32_t seed = 1; seed <= 8; ++seed) {
    const ProblemIr p = busy_problem(m, seed);
    (void)used.solve(p, m);
    const SolveResult again = used.solve(p, m);
    const SolveResult fresh = solve(p, m);
    EXPECT_EQ(to_json_value(again.candidates), to_json_value(fresh.candidates)) << seed;
    EXPECT_EQ(again.diagnostics.setup_ms, 0) << "kept";
  }
}

TEST(Solve, HoldsWhenThereIsNothingToGain) {
  const auto m = two_by_two();
  const ProblemIr p = problem_for(m, 20, 5);  // at rest at its references
  const SolveResult r = solve(p, m);
  EXPECT_EQ(r.status, SolveStatus::noChange);
  ASSERT_FALSE(r.reasons.empty());
  EXPECT_EQ(r.reasons[0].code, "MPC_NO_CHANGE");
  EXPECT_TRUE(r.candidates[1].feasible);
}

TEST(Solve, AMissingCvIsNamedAndAMissingInputGivesNoAdvice) {
  const auto m = two_by_two();
  ProblemIr p = busy_problem(m, 1);
  p.history.back().y[1].reset();
  const SolveResult r = solve(p, m);
  EXPECT_EQ(r.status, SolveStatus::optimal);
  EXPECT_EQ(r.diagnostics.missing, std::vector<std::string>{"CV2"});
  p.history[2].u[0].reset();
  const SolveResult none = solve(p, m);
  EXPECT_EQ(none.status, SolveStatus::error);
  EXPECT_TRUE(none.candidates.empty());
  EXPECT_EQ(none.reasons.at(0).code, "MPC_INPUT_MISSING");
}

TEST(Solve, RefusesProblemsThatDoNotFitTheModel) {
  const auto m = two_by_two();
  ProblemIr p = problem_for(m, 20, 5);
  p.mv.pop_back();
  p.u_prev.pop_back();
  for (auto& row : p.history) row.u.pop_back();
  EXPECT_ERROR((void)solve(p, m), "SHAPE_MISMATCH");
  p = problem_for(m, 20, 5);
  p.cv[0].ref = std::numeric_limits<double>::quiet_NaN();
  EXPECT_ERROR((void)solve(p, m), "PROBLEM_INVALID");
}

TEST(Solve, AnMvInManualStaysWhereItIs) {
  const auto m = two_by_two();
  ProblemIr p = busy_problem(m, 1);
  p.mv[0].available = false;
  const SolveResult r = solve(p, m);
  for (const Candidate& c : r.candidates)
    for (const auto& row : c.controls) EXPECT_EQ(row[0], p.u_prev[0]);
}

TEST(Solve, AnMvOutsideItsLimitsComesBackAsFastAsItMay) {
  const auto m = two_by_two();
  ProblemIr p = problem_for(m, 20, 5);
  p.u_prev[0] = p.mv[0].max + 3;
  for (auto& row : p.history) row.u[0] = p.u_prev[0];
  const SolveResult r = solve(p, m);
  ASSERT_EQ(r.status, SolveStatus::optimal);
  EXPECT_LE(r.candidates[0].controls[0][0], p.u_prev[0] - 2 + 1e-9);
  EXPECT_LE(r.candidates[0].controls[1][0], p.mv[0].max + 1e-9);
  EXPECT_FALSE(r.candidates[1].feasible) << "holding does not come back";
}

/// The higher rank is kept, the lower one gives up no more than it must.
TEST(Solve, RanksAreGivenUpInOrder) {
  const auto m = lags({{{1, 0.8, 1}}, {{1, 0.8, 1}}}, 1, {0}, {0, 0});
  ProblemIr p = problem_for(m, 30, 8);
  p.cv[0].role = p.cv[1].role = CvRole::band;
  p.solver.slack = Slack::perStep;  // a slack for all steps stays where the first step needs it
  p.cv[0].soft_max = 1;             // both CVs are the same signal
  p.cv[1].soft_min = 2;
  p.u_prev[0] = 1.5;
  for (auto& row : p.history) row = {{1.5}, {1.5, 1.5}};
  for (const bool first : {true, false}) {
    p.cv[0].rank = first ? 1 : 2;
    p.cv[1].rank = first ? 2 : 1;
    const SolveResult r = solve(p, m);
    ASSERT_NE(r.status, SolveStatus::infeasible);
    const auto& y = r.candidates[0].predicted.back();
    EXPECT_NEAR(y[0], first ? 1.0 : 2.0, 2e-2);
    bool named = false;
    for (const Relaxed& x : r.relaxed)
      named = named || (x.id == (first ? "CV2.softMin" : "CV1.softMax") && x.amount > 0.9);
    EXPECT_TRUE(named) << to_json_value(r.relaxed).dump();
  }
}

/// What softMax has to give up at the start is no room below softMin, whatever pulls there.
TEST(Solve, WhatOneSideGivesUpIsNotGivenToTheOther) {
  const auto m = lags({{{1, 0.8, 1}}, {{1, 0.8, 1}}}, 1, {0}, {0, 0});
  ProblemIr p = problem_for(m, 30, 8);
  p.cv[0].role = CvRole::band;  // both CVs are the same signal
  p.cv[0].soft_min = -1;
  p.cv[0].soft_max = 1;
  p.cv[1].ref = -4;
  p.u_prev[0] = 3;
  for (auto& row : p.history) row = {{3}, {3, 3}};
  for (const std::optional<double> linear : {std::optional<double>(), std::optional(500.0)}) {
    p.cv[0].soft_linear = linear;
    const SolveResult r = solve(p, m);
    ASSERT_EQ(r.status, SolveStatus::optimal) << to_json_value(r.reasons).dump();
    double least = 0;
    for (const auto& y : r.candidates[0].predicted) least = std::min(least, y[0]);
    EXPECT_NEAR(least, -1, 1e-6) << "pulled down to its limit, not beyond";
    ASSERT_EQ(r.relaxed.size(), 1U) << to_json_value(r.relaxed).dump();
    EXPECT_EQ(r.relaxed[0].id, "CV1.softMax");
    const Resimulated again = resimulate(planned_for(p, r), m, r.candidates[0].controls);
    EXPECT_NEAR(again.cost, r.candidates[0].cost, 1e-9 * again.cost);
  }
}

/// Both sides violated: the penalty counts both. By hand: y = 3 at first, held at u = -3 at last.
TEST(Solve, TheCostCountsBothSides) {
  const auto m = lags({{{1, 0.5, 1}}}, 1, {0}, {0});
  ProblemIr p = problem_for(m, 2, 2);
  p.cv[0].role = CvRole::band;
  p.cv[0].soft_min = -1;
  p.cv[0].soft_max = 1;
  p.cv[0].soft_penalty = 10;
  p.cv[0].soft_linear = 3;
  p.mv[0].move_weight = 0;
  for (auto& row : p.history) row = {{3}, {3}};
  p.u_prev[0] = 3;
  // y(1) = (3 + 3)/2 = 3, y(2) = (3 − 11)/2 = −4: slacks 2 above, 3 below.
  const Resimulated again = resimulate(p, m, {{3}, {-11}});
  EXPECT_NEAR(again.predicted[0][0], 3, 1e-9);
  EXPECT_NEAR(again.predicted[1][0], -4, 1e-9);
  EXPECT_NEAR(again.cost, 3 * (2 + 3) + 5 * (4 + 9), 1e-6);
  Trajectory t{Matrix(2, 1), Matrix(2, 1)};
  t.controls << 3, -11;
  t.predicted << 3, -4;
  EXPECT_NEAR(judge(p, t, {1}).cost, 3 * (2 + 3) + 5 * (4 + 9), 1e-9);
}

/// The reference lies on the limit: the optimum stays away by the margin, and says so when it
/// cannot.
TEST(Solve, MarginsAreKeptBeforeSoftLimitsAndGivenUpBeforeHardOnes) {
  const auto m = lags({{{1, 0.8, 1}}}, 1, {0}, {0});
  ProblemIr p = problem_for(m, 30, 8);
  p.cv[0].ref = 3;
  p.cv[0].hard_max = 3;
  p.cv[0].margin.assign(30, 0.5);
  SolveResult r = solve(p, m);
  EXPECT_NEAR(r.candidates[0].predicted.back()[0], 2.5, 1e-6);
  EXPECT_TRUE(r.relaxed.empty());
  p.mv[0].min = 2.8;  // now the CV has to end above 2.5
  p.u_prev[0] = 2.8;
  for (auto& row : p.history) row = {{2.8}, {2.8}};
  r = solve(p, m);
  ASSERT_NE(r.status, SolveStatus::infeasible);
  ASSERT_FALSE(r.relaxed.empty());
  EXPECT_EQ(r.relaxed[0].id, "CV1.hardMax+margin");
  EXPECT_EQ(r.relaxed[0].rank, 0);
  EXPECT_NEAR(r.relaxed[0].amount, 0.3, 1e-6);
  EXPECT_TRUE(r.candidates[0].feasible);
}

TEST(Solve, AnnouncedDisturbancesAreMetBeforehand) {
  const auto m = lags({{{1, 0.8, 1}, {1, 0.5, 1}}}, 1, {0, 0}, {0});
  ProblemIr p = problem_for(m, 30, 20);
  p.mv[0].move_weight = 1e-4;
  p.mv[0].max_move = 0.5;
  EXPECT_EQ(solve(p, m).status, SolveStatus::noChange);
  p.dv[0].forecast.assign(30, 2.0);
  for (std::size_t k = 0; k < 6; ++k) p.dv[0].forecast[k] = 0;
  const SolveResult r = solve(p, m);
  ASSERT_EQ(r.status, SolveStatus::optimal);
  EXPECT_LT(r.candidates[0].controls[5][0], -0.1) << "moves before it comes";
  EXPECT_NEAR(r.candidates[0].predicted.back()[0], 0, 0.05);
}

}  // namespace
}  // namespace flyball::optimise
