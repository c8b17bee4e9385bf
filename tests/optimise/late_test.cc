// A solve whose time is over before it is done.
#include <gtest/gtest.h>

#include "optimise/resimulate.h"
#include "plants.h"

namespace flyball::optimise {
namespace {

const std::vector<std::vector<Path>> kPaths{{{1.2, 0.85, 2}, {-0.6, 0.9, 3}},
                                            {{0.5, 0.8, 4}, {1.5, 0.9, 1}}};

/// Needs changes of the working set.
ProblemIr tight() {
  ProblemIr p = problem_for(lags(kPaths, 2, {0, 0}, {0, 0}), 40, 10);
  p.solver.steady_state = SteadyLayer::off;
  for (MvTerm& mv : p.mv) mv.max_move = 0.2;
  p.cv[0].ref = 3;
  p.cv[1].ref = -1;
  return p;
}

TEST(Late, GivesTheBestPlanThatKeepsTheHardLimitsAndItsGap) {
  const auto m = lags(kPaths, 2, {0, 0}, {0, 0});
  const SolveResult done = solve(tight(), m);
  ASSERT_EQ(done.status, SolveStatus::optimal);
  ASSERT_GT(done.diagnostics.iterations, 5);
  for (const bool soft : {false, true}) {
    ProblemIr p = tight();
    if (soft) p.cv[0].soft_max = 10;
    p.solver.time_limit_ms = 1e-9;
    const SolveResult r = solve(p, m);
    EXPECT_EQ(r.status, SolveStatus::feasible);
    ASSERT_FALSE(r.candidates.empty());
    const Candidate& best = r.candidates[0];
    EXPECT_EQ(best.seq, 0);
    EXPECT_TRUE(best.feasible);
    EXPECT_TRUE(resimulate(p, m, best.controls).feasible);
    for (const Candidate& c : r.candidates) EXPECT_LE(best.cost, c.cost);
    EXPECT_GE(best.cost, done.candidates[0].cost);
    EXPECT_GE(r.diagnostics.gap, best.cost - done.candidates[0].cost) << "a bound of the optimum";
    EXPECT_LT(r.diagnostics.iterations, done.diagnostics.iterations);
    const std::string told = to_json_value(r.reasons).dump();
    EXPECT_NE(told.find("MPC_TIMEOUT"), std::string::npos);
    EXPECT_NE(told.find("MPC_GAP"), std::string::npos);
  }
}

TEST(Late, SaysNoneWhereNoPlanKeepsThem) {
  const auto m = lags(kPaths, 2, {0, 0}, {0, 0});
  ProblemIr p = tight();
  for (HistoryRow& row : p.history) row.y[0] = 2.5;
  p.cv[0].hard_max = 2;  // it stands above: clipped plans do not bring it back in time
  p.cv[0].ref = 1;
  p.solver.time_limit_ms = 1e-9;
  p.solver.broken_now = BrokenNow::refuse;
  const SolveResult r = solve(p, m);
  EXPECT_EQ(r.status, SolveStatus::timeout);
  EXPECT_TRUE(r.candidates.empty());
}

}  // namespace
}  // namespace flyball::optimise
