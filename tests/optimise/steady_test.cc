#include <gtest/gtest.h>

#include "math/random.h"
#include "model/static_response.h"
#include "optimise/rest_again.h"
#include "optimise/steady_state.h"
#include "plants.h"

namespace flyball::optimise {
namespace {

const std::vector<std::vector<Path>> kPaths{{{1.2, 0.85, 2}, {-0.6, 0.9, 3}},
                                            {{0.5, 0.8, 4}, {1.5, 0.9, 1}}};

/// An LP over two MVs: the optimum is the best corner, found by trying them all.
TEST(SteadyState, PricesLeadToTheBestCorner) {
  const auto m = lags(kPaths, 2, {0, 0}, {0, 0});
  math::Random r(4);
  for (int i = 0; i < 20; ++i) {
    ProblemIr p = problem_for(m, 10, 2);
    for (CvTerm& cv : p.cv) {
      cv.role = CvRole::band;
      cv.price = r.uniform(-2, 2);
    }
    for (MvTerm& mv : p.mv) mv.price = r.uniform(-2, 2);
    const SteadyState s = steady_state(p, m);
    ASSERT_TRUE(s.found);
    const auto cost = [&](double a, double b) {
      return p.mv[0].price * a + p.mv[1].price * b + p.cv[0].price * (1.2 * a - 0.6 * b) +
             p.cv[1].price * (0.5 * a + 1.5 * b);
    };
    double best = 1e9;
    for (const double a : {-5.0, 5.0})
      for (const double b : {-5.0, 5.0}) best = std::min(best, cost(a, b));
    EXPECT_NEAR(cost(s.u[0], s.u[1]), best, 1e-3 * std::abs(best) + 1e-6);
    EXPECT_NEAR(s.y[0], 1.2 * s.u[0] - 0.6 * s.u[1], 1e-6);
  }
}

TEST(SteadyState, RestsAtTheClosestReachablePointWithTheDisturbanceSeen) {
  const auto m = lags({{{1, 0.8, 1}}, {{0.5, 0.9, 2}}}, 1, {0}, {0, 0});
  ProblemIr p = problem_for(m, 20, 4);
  p.cv[0].ref = p.cv[1].ref = 2;
  for (auto& row : p.history) row.y = {0.3, -0.4};
  const SteadyState s = steady_state(p, m);
  ASSERT_TRUE(s.found);
  EXPECT_NEAR(s.u[0], (1.7 + 0.5 * 2.4) / 1.25, 1e-4);
}

TEST(SteadyState, ALevelNeedsABalanceOfFlows) {
  auto m = lags({{{0.1, 1, 1}}}, 1, {4}, {30});
  m.channels.push_back({1, 0});  // one level, two flows
  m.B = Matrix(1, 2);
  m.B << 0.1, -0.2;
  m.D = Matrix::Zero(1, 2);
  m.u0 = Vector(2);
  m.u0 << 4, 2;
  ProblemIr p = problem_for(m, 20, 4);
  p.mv[0].max = p.mv[0].train.max = 20;
  p.dv[0].forecast.assign(20, 3.0);  // one more out: two more in
  const SteadyState s = steady_state(p, m);
  ASSERT_TRUE(s.found);
  EXPECT_NEAR(s.u[0], 6, 1e-6);
  EXPECT_NEAR(s.y[0], 30, 1e-4);
}

TEST(SteadyState, RanksAndHardLimits) {
  const auto m = lags({{{1, 0.8, 1}}, {{1, 0.8, 1}}}, 1, {0}, {0, 0});
  ProblemIr p = problem_for(m, 20, 4);
  p.cv[0].role = p.cv[1].role = CvRole::band;
  p.cv[0].soft_max = 1;
  p.cv[1].soft_min = 3;
  p.cv[0].rank = 2;
  p.cv[1].rank = 1;
  SteadyState s = steady_state(p, m);
  ASSERT_TRUE(s.found);
  EXPECT_NEAR(s.y[0], 3, 1e-5);
  ASSERT_EQ(s.relaxed.size(), 1u);
  EXPECT_EQ(s.relaxed[0].id, "CV1.softMax");
  EXPECT_NEAR(s.relaxed[0].amount, 2, 1e-5);
  p.cv[0].hard_max = 9;
  p.cv[0].hard_min = 7;
  s = steady_state(p, m);
  EXPECT_FALSE(s.found);
  ASSERT_EQ(s.infeasible.size(), 1u);
  EXPECT_EQ(s.infeasible[0].id, "CV1.hardMin");
  EXPECT_NEAR(s.infeasible[0].amount, 2, 1e-5);
}

TEST(SteadyState, FeedsTheDynamicLayer) {
  const auto m = lags(kPaths, 2, {0, 0}, {0, 0});
  ProblemIr p = problem_for(m, 30, 6);
  p.mv[0].target_weight = 0.1;
  p.mv[1].price = 1;
  p.cv[0].ref = 1;
  const SteadyState s = steady_state(p, m);
  const ProblemIr q = with_targets(p, s);
  EXPECT_EQ(q.mv[0].target, s.u[0]);
  EXPECT_EQ(q.mv[1].target, s.u[1]) << "prices pull every MV to where it should rest";
  EXPECT_EQ(q.mv[1].target_weight, kPullWeight);
  EXPECT_EQ(q.cv[0].ref, s.y[0]);
}

/// y = 5 + z1 + a z1² − z2 over the box −2..2, no leverage limit.
model::StaticResponse surface(double a) {
  model::StaticResponse m;
  m.mean = Vector::Zero(2);
  m.scale = Vector::Ones(2);
  m.low = Vector::Constant(2, -2);
  m.high = Vector::Constant(2, 2);
  model::Surface s;
  s.terms = {{-1, -1}, {0, -1}, {1, -1}, {0, 0}};
  s.coefficients = Vector(4);
  s.coefficients << 5, 1, -1, a;
  s.information = Matrix::Identity(4, 4) * 1e-3;
  s.h_max = 1e9;
  m.surfaces = {s};
  return m;
}

ProblemIr static_problem() {
  const auto m = lags({{{1, 0.5, 1}, {1, 0.5, 1}}}, 2, {0, 0}, {5});
  ProblemIr p = problem_for(m, 1, 1);
  p.problem_template = kSteadyResponse;
  for (MvTerm& mv : p.mv) {
    mv.move_weight = 0;
    mv.max_move = 10;
  }
  return p;
}

/// The best of a fine grid is no better.
TEST(SteadyResponse, FindsWhatAGridFinds) {
  for (const double a : {0.0, -0.8, 0.8}) {
    const auto m = surface(a);
    ProblemIr p = static_problem();
    p.cv[0].role = CvRole::max;
    p.mv[1].target = 0.5;
    p.mv[1].target_weight = 1;
    p.cv[0].hard_max = 7;
    const SolveResult r = solve(p, m);
    ASSERT_FALSE(r.candidates.empty());
    EXPECT_TRUE(r.candidates[0].feasible);
    double best = 1e9;
    for (double u = -2; u <= 2; u += 0.01) {
      for (double v = -2; v <= 2; v += 0.01) {
        const double y = 5 + u - v + a * u * u;
        if (y <= 7) best = std::min(best, -y + 0.5 * (v - 0.5) * (v - 0.5));
      }
    }
    EXPECT_LT(r.candidates[0].cost, best + 1e-6) << a;
    EXPECT_EQ(r.status, a == 0 ? SolveStatus::optimal : SolveStatus::feasible);
    EXPECT_EQ(r.diagnostics.iterations, a == 0 ? 1 : 17) << "starts";
  }
}

TEST(SteadyResponse, SaysWhenNothingKeepsTheHardLimits) {
  ProblemIr p = static_problem();
  p.cv[0].hard_min = 20;
  const SolveResult r = solve(p, surface(0.8));
  EXPECT_EQ(r.status, SolveStatus::infeasible);
  EXPECT_TRUE(r.candidates.empty());
}

}  // namespace
}  // namespace flyball::optimise
