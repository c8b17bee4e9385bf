// The steady-state layer inside a solve, and the second path that confirms its resting point.
#include <gtest/gtest.h>

#include "math/linear_algebra.h"
#include "math/random.h"
#include "optimise/resimulate.h"
#include "optimise/rest_again.h"
#include "optimise/steady_state.h"
#include "plants.h"

namespace flyball::optimise {
namespace {

const std::vector<std::vector<Path>> kPaths{{{1.2, 0.85, 2}, {-0.6, 0.9, 3}},
                                            {{0.5, 0.8, 4}, {1.5, 0.9, 1}}};

bool fails(const RestAgain& again, const std::string& code) {
  return std::ranges::any_of(again.failures, [&](const Words& w) { return w.code == code; });
}

std::string text(const RestAgain& again) {
  std::string out;
  for (const Words& w : again.failures) out += w.text + "\n";
  return out;
}

ProblemIr unreachable() {
  const auto m = lags(kPaths, 2, {0, 0}, {0, 0});
  ProblemIr p = problem_for(m, 60, 8);
  p.mv[0].max = 1.5;
  p.cv[0].ref = 4;
  p.cv[1].ref = 1;
  return p;
}

TEST(Rest, IsNotLookedForWhereEveryReferenceCanBeHeld) {
  const auto m = lags(kPaths, 2, {0, 0}, {0, 0});
  ProblemIr p = problem_for(m, 60, 8);
  p.cv[0].ref = 1;
  EXPECT_FALSE(solve(p, m).rest);
  p.solver.steady_state = SteadyLayer::on;
  const SolveResult on = solve(p, m);
  ASSERT_TRUE(on.rest);
  EXPECT_NEAR(on.rest->y[0], 1, 1e-4);
  EXPECT_TRUE(on.rest->reasons.empty());
}

/// min ½(y1−4)² + ½(y2−1)² over u1 ≤ 1.5: u2 by hand.
TEST(Rest, ReferencesThatCannotBeMetEndAtTheClosestReachablePoint) {
  const auto m = lags(kPaths, 2, {0, 0}, {0, 0});
  const ProblemIr p = unreachable();
  const SolveResult r = solve(p, m);
  ASSERT_TRUE(r.rest);
  const double u2 = (-0.6 * (4 - 1.2 * 1.5) + 1.5 * (1 - 0.5 * 1.5)) / (0.36 + 2.25);
  EXPECT_NEAR(r.rest->u[0], 1.5, 1e-9);
  EXPECT_NEAR(r.rest->u[1], u2, 1e-5);
  EXPECT_NEAR(r.rest->y[0], 1.2 * 1.5 - 0.6 * u2, 1e-5);
  ASSERT_EQ(r.rest->reasons.size(), 2u);
  EXPECT_EQ(r.rest->reasons[0].code, "REST_REFERENCE");
  EXPECT_EQ(r.rest->reasons[0].params["limits"]["value"], "MV1.max");
  ASSERT_EQ(r.rest->prices.size(), 1u);
  const double e1 = r.rest->y[0] - 4, e2 = r.rest->y[1] - 1;
  EXPECT_NEAR(r.rest->prices[0].price, -(1.2 * e1 + 0.5 * e2), 1e-4) << "dJ/du1";

  ProblemIr loop = p;
  loop.solver.min_improvement = 0;
  const auto run = closed_loop(loop, m, PlantRun(m), 300);
  EXPECT_NEAR(run.u(299, 0), 1.5, 1e-5);
  EXPECT_NEAR(run.u(299, 1), u2, 1e-4);
  ProblemIr off = loop;
  off.solver.steady_state = SteadyLayer::off;
  EXPECT_FALSE(solve(off, m).rest);
}

TEST(Rest, PricesReachTheMoves) {
  const auto m = lags(kPaths, 2, {0, 0}, {0, 0});
  ProblemIr p = problem_for(m, 60, 8);
  p.solver.min_improvement = 0;
  for (CvTerm& cv : p.cv) {
    cv.role = CvRole::band;
    cv.weight = 0;
    cv.soft_min = -1;
    cv.soft_max = 1;
  }
  p.mv[0].price = -1;  // as much of MV1 as the bands allow
  const SolveResult r = solve(p, m);
  ASSERT_TRUE(r.rest);
  // CV1 = 1.2 a − 0.6 b ≤ 1, CV2 = 0.5 a + 1.5 b ≤ 1: the corner of both.
  const double det = 1.2 * 1.5 + 0.6 * 0.5;
  EXPECT_NEAR(r.rest->u[0], (1.5 + 0.6) / det, 1e-5);
  EXPECT_NEAR(r.rest->u[1], (1.2 - 0.5) / det, 1e-5);
  const auto run = closed_loop(p, m, PlantRun(m), 300);
  EXPECT_NEAR(run.u(299, 0), r.rest->u[0], 1e-3);
  EXPECT_NEAR(run.u(299, 1), r.rest->u[1], 1e-3);
}

/// The plan's cost is that of the problem with the targets, by the second path.
TEST(Rest, TheMovesAreVerifiedForItsTargets) {
  const auto m = lags(kPaths, 2, {0, 0}, {0, 0});
  ProblemIr p = unreachable();
  p.mv[1].target = -1;
  p.mv[1].target_weight = 0.2;
  const SolveResult r = solve(p, m);
  ASSERT_TRUE(r.rest);
  const Resimulated again = resimulate(with_targets(p, *r.rest), m, r.candidates[0].controls);
  EXPECT_NEAR(again.cost, r.candidates[0].cost, 1e-9 * again.cost_hold);
  const Resimulated other = resimulate(p, m, r.candidates[0].controls);
  EXPECT_GT(std::abs(other.cost - r.candidates[0].cost), 1e-3);
}

/// Random plants, problems of every kind: what the layer says stands.
TEST(RestAgain, ConfirmsWhatTheLayerFinds) {
  math::Random r(31);
  int found = 0, bound = 0, relaxed = 0;
  for (int i = 0; i < 120; ++i) {
    const Index mvs = 1 + i % 3, cvs = 1 + i % 4;
    std::vector<std::vector<Path>> paths;
    for (Index j = 0; j < cvs; ++j) {
      paths.emplace_back();
      for (Index k = 0; k < mvs + i % 2; ++k)
        paths.back().push_back({r.uniform(-2, 2), r.uniform(0.5, 0.995), 1 + (j + k) % 4});
    }
    const auto m = lags(paths, mvs, std::vector<double>(static_cast<std::size_t>(mvs + i % 2), 3.0),
                        std::vector<double>(static_cast<std::size_t>(cvs), 40.0));
    ProblemIr p = problem_for(m, 40, 5);
    p.solver.steady_state = SteadyLayer::on;
    for (CvTerm& cv : p.cv) {
      cv.role = static_cast<CvRole>(static_cast<int>(r.uniform(0, 4)));
      cv.ref = 40 + r.uniform(-6, 6);
      cv.price = i % 5 == 0 ? r.uniform(-1, 1) : 0;
      if (r.uniform() < 0.5) cv.soft_max = 40 + r.uniform(-3, 3);
      if (r.uniform() < 0.3 && !cv.soft_max) cv.soft_min = 40 + r.uniform(-3, 3);
      if (r.uniform() < 0.3) cv.hard_max = 48;
      if (r.uniform() < 0.3) cv.margin.assign(40, 0.7);
      cv.rank = 1 + i % 2;
    }
    for (MvTerm& mv : p.mv) {
      if (r.uniform() < 0.3) mv.price = r.uniform(-1, 1);
      if (r.uniform() >= 0.3) continue;
      mv.target = 3 + r.uniform(-4, 4);
      mv.target_weight = 0.5;
    }
    if (i % 7 == 0) p.mv[0].available = false;
    for (HistoryRow& row : p.history)
      for (auto& y : row.y) y = 40 + 0.8;  // a lasting disturbance
    const SteadyState s = steady_state(p, m);
    if (!s.found) continue;
    ++found;
    bound += s.prices.empty() ? 0 : 1;
    relaxed += s.relaxed.empty() ? 0 : 1;
    const RestAgain again = rest_again(p, m, s);
    EXPECT_TRUE(again.failures.empty()) << i << "\n" << text(again);
    EXPECT_TRUE(confirmed(s, again).verified);
  }
  EXPECT_GT(found, 100);
  EXPECT_GT(bound, 50);
  EXPECT_GT(relaxed, 10);
}

TEST(RestAgain, ALevelToo) {
  auto m = lags({{{0.1, 1, 1}}}, 1, {4}, {30});
  ProblemIr p = problem_for(m, 20, 4);
  p.cv[0].ref = 32;
  p.solver.steady_state = SteadyLayer::on;
  const SteadyState s = steady_state(p, m);
  ASSERT_TRUE(s.found);
  const RestAgain again = rest_again(p, m, s);
  EXPECT_TRUE(again.failures.empty()) << text(again);
  SteadyState drifts = s;
  drifts.u[0] += 0.01;
  EXPECT_TRUE(fails(rest_again(p, m, drifts), "REST_UNSTEADY"));
}

/// Each number in turn changed by more than its tolerance: refused, by the rule that is broken.
TEST(RestAgain, RefusesWhatWasChanged) {
  const auto m = lags(kPaths, 2, {0, 0}, {0, 0});
  ProblemIr p = unreachable();
  p.cv[1].soft_min = 1.2;
  p.cv[1].rank = 1;
  const SteadyState s = steady_state(p, m);
  ASSERT_TRUE(rest_again(p, m, s).failures.empty()) << text(rest_again(p, m, s));
  for (std::size_t j = 0; j < 2; ++j) {
    SteadyState c = s;
    c.y[j] += 2e-5;
    EXPECT_TRUE(fails(rest_again(p, m, c), "REST_UNSTEADY")) << j;
    c = s;
    c.u[j] -= 1e-3;
    EXPECT_TRUE(fails(rest_again(p, m, c), "REST_UNSTEADY")) << j;
  }
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    SteadyState c = s;
    c.x[i] += 1e-4;
    EXPECT_TRUE(fails(rest_again(p, m, c), "REST_UNSTEADY")) << i;
  }
  SteadyState c = s;
  c.cost *= 1.001;
  EXPECT_TRUE(fails(rest_again(p, m, c), "REST_COST"));
  c = s;
  c.u.pop_back();
  EXPECT_TRUE(fails(rest_again(p, m, c), "REST_SHAPE"));
  c = s;
  c.prices.clear();
  EXPECT_TRUE(fails(rest_again(p, m, c), "REST_NOT_BEST"));
  c = s;
  c.prices[0].price *= -1;
  EXPECT_TRUE(fails(rest_again(p, m, c), "REST_NOT_BEST"));
}

/// A steady point of the model that keeps every limit but is not the best one.
TEST(RestAgain, RefusesAnotherSteadyPoint) {
  const auto m = lags(kPaths, 2, {0, 0}, {0, 0});
  const ProblemIr p = unreachable();
  ProblemIr q = p;
  q.cv[1].ref = 0.4;
  SteadyState other = steady_state(q, m);
  other.cost = rest_again(p, m, other).cost;
  const RestAgain again = rest_again(p, m, other);
  ASSERT_EQ(again.failures.size(), 1u) << text(again);
  EXPECT_EQ(again.failures[0].code, "REST_NOT_BEST");
}

/// Prices of limits that are not reached prove nothing, nor do those of limits that there are not.
TEST(RestAgain, RefusesPricesOfLimitsThatAreNotReached) {
  const auto m = lags({{{1, 0.8, 1}}}, 1, {0}, {0});
  ProblemIr p = problem_for(m, 20, 4);
  p.cv[0].ref = 3;
  p.solver.steady_state = SteadyLayer::on;
  SteadyState s = steady_state(p, m);
  ASSERT_TRUE(rest_again(p, m, s).failures.empty());
  s.u[0] = s.y[0] = 2;  // as steady as the best, 5 below MV1.max
  s.x[0] = 2;
  s.cost = 0.5 + kNearWeight / 2 * 4;
  for (const char* id : {"MV1.max", "MV9.max"}) {
    s.prices = {{id, 0, 1 - 2 * kNearWeight}};  // the gradient is 0 with it
    const RestAgain again = rest_again(p, m, s);
    ASSERT_EQ(again.failures.size(), 1u) << id << text(again);
    EXPECT_EQ(again.failures[0].code, "REST_NOT_BEST");
  }
}

/// A limit that is broken and not told; told by less than it is.
TEST(RestAgain, RefusesAViolationThatWasNotTold) {
  const auto m = lags({{{1, 0.8, 1}}, {{1, 0.8, 1}}}, 1, {0}, {0, 0});
  ProblemIr p = problem_for(m, 20, 4);
  p.cv[0].role = p.cv[1].role = CvRole::band;
  p.cv[0].soft_max = 1;
  p.cv[1].soft_min = 3;
  p.cv[0].rank = 2;
  SteadyState s = steady_state(p, m);
  ASSERT_EQ(s.relaxed.size(), 1u);
  ASSERT_TRUE(rest_again(p, m, s).failures.empty()) << text(rest_again(p, m, s));
  s.relaxed[0].amount -= 1e-3;
  EXPECT_TRUE(fails(rest_again(p, m, s), "REST_BROKEN"));
  s.relaxed.clear();
  EXPECT_TRUE(fails(rest_again(p, m, s), "REST_BROKEN"));
}

TEST(Rest, WordsAreInEngineeringUnits) {
  const auto m = lags(kPaths, 2, {0, 0}, {0, 0});
  ProblemIr p = unreachable();
  p.cv[0].unit = "degF";
  p.cv[0].unit_scale = 0.5;
  p.cv[0].unit_offset = -10;
  const SteadyState s = steady_state(p, m);
  const Json& params = s.reasons.at(0).params;
  EXPECT_NEAR(params["ref"]["value"].get<double>(), (4 + 10) / 0.5, 1e-12);
  EXPECT_NEAR(params["value"]["value"].get<double>(), (s.y[0] + 10) / 0.5, 1e-12);
  EXPECT_EQ(params["value"]["unit"], "degF");
}

}  // namespace
}  // namespace flyball::optimise
