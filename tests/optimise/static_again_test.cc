// The second path of steady_response@1, and what is convex in it.
#include "optimise/static_again.h"

#include <gtest/gtest.h>

#include "math/random.h"
#include "optimise/solve.h"
#include "plants.h"

namespace flyball::optimise {
namespace {

/// y_j = 5 + z1 − z2 + a_j z1² + b_j z1 z2 around means and scales that are not 0 and 1.
model::StaticArtifact artifact(const std::vector<std::pair<double, double>>& bends) {
  model::StaticArtifact a;
  a.dataset_sha256 = std::string(64, 'd');
  a.beat_ms = 1000;
  a.point_count = 50;
  a.variables = {{"MV1", "mv", "", 10, 2, 6, 14, {}}, {"MV2", "mv", "", -3, 0.5, -4, -2, {}}};
  for (std::size_t j = 0; j < bends.size(); ++j) {
    const std::string id = "CV" + std::to_string(j + 1);
    a.variables.push_back({id, "cv", "", 5, 1, 0, 12, {}});
    model::StaticSurface s;
    s.cv = id;
    s.basis = "quadratic";
    s.h_max = 1e9;
    s.terms = {{-1, -1}, {0, -1}, {1, -1}, {0, 0}, {0, 1}};
    s.coefficients = {5, 1, -1, bends[j].first, bends[j].second};
    s.information.assign(5, std::vector<double>(5, 0.0));
    for (std::size_t i = 0; i < 5; ++i) s.information[i][i] = 0.01;
    a.surfaces.push_back(s);
  }
  return a;
}

ProblemIr problem(const model::StaticArtifact& a) {
  ProblemIr p;
  p.problem_template = kSteadyResponse;
  p.model_id = "mdl-test";
  p.model_artifact_hash = std::string(64, '0');
  p.beat_ms = 1000;
  for (const auto& v : a.variables) {
    const TrainRange train{v.mean, v.std, v.min, v.max};
    if (v.role == "cv") {
      CvTerm cv;
      cv.var_id = v.id;
      cv.ref = 6;
      cv.train = train;
      p.cv.push_back(cv);
      continue;
    }
    MvTerm mv;
    mv.var_id = v.id;
    mv.min = v.min;
    mv.max = v.max;
    mv.max_move = 100;
    mv.move_weight = 0.01;
    mv.train = train;
    p.mv.push_back(mv);
    p.u_prev.push_back(v.mean);
  }
  HistoryRow row;
  for (const double u : p.u_prev) row.u.emplace_back(u);
  row.y.assign(p.cv.size(), 5.0);
  p.history = {row};
  return p;
}

TEST(StaticAgain, IsWhatTheSolverSays) {
  math::Random r(6);
  for (int i = 0; i < 40; ++i) {
    const auto a = artifact({{r.uniform(-1, 1), r.uniform(-1, 1)}, {r.uniform(-1, 1), 0}});
    ProblemIr p = problem(a);
    p.seed = i;
    for (CvTerm& cv : p.cv) {
      cv.role = static_cast<CvRole>(static_cast<int>(r.uniform(0, 4)));
      if (r.uniform() < 0.4) cv.hard_max = 7;
      if (r.uniform() < 0.4) cv.soft_min = 5.5;
      cv.price = i % 3 == 0 ? r.uniform(-1, 1) : 0;
    }
    p.mv[1].price = i % 4 == 0 ? 0.3 : 0;
    const SolveResult s = solve(p, model::unpack(a));
    if (s.candidates.empty()) continue;
    for (const Candidate& c : s.candidates) {
      const Resimulated again = static_again(p, a, c.controls);
      EXPECT_NEAR(again.cost, c.cost, 1e-9 * (1 + std::abs(c.cost))) << c.label;
      EXPECT_NEAR(again.cost_hold, s.diagnostics.cost_hold, 1e-9 * (1 + std::abs(c.cost)));
      for (std::size_t j = 0; j < p.cv.size(); ++j)
        EXPECT_NEAR(again.predicted[0][j], c.predicted[0][j], 1e-10);
      EXPECT_EQ(again.feasible, c.feasible) << c.label;
    }
    EXPECT_LE(better_nearby(p, a, s.candidates[0].controls), kBetterNearby) << i;
  }
}

TEST(StaticAgain, ThePolynomialByHand) {
  const auto a = artifact({{0.7, -0.4}});
  const ProblemIr p = problem(a);
  const Resimulated r = static_again(p, a, {{13, -2.25}});  // z = (1.5, 1.5)
  EXPECT_NEAR(r.predicted[0][0], 5 + 1.5 - 1.5 + 0.7 * 2.25 - 0.4 * 2.25, 1e-12);
  double leverage = 0;
  for (const double phi : {1.0, 1.5, 1.5, 2.25, 2.25}) leverage += 0.01 * phi * phi;
  const auto region = std::ranges::find(r.constraints, "CV1.region", &ConstraintItem::id);
  ASSERT_NE(region, r.constraints.end());
  EXPECT_NEAR(region->margin, 1e9 - leverage, 1e-6);
}

/// A point that a step next to it beats is found out; so is one beyond the data.
TEST(StaticAgain, RefusesWhatIsNotTheBestNearItAndWhatHasNoData) {
  auto a = artifact({{0.3, 0.2}});
  ProblemIr p = problem(a);
  const SolveResult s = solve(p, model::unpack(a));
  ASSERT_FALSE(s.candidates.empty());
  EXPECT_LE(better_nearby(p, a, s.candidates[0].controls), kBetterNearby);
  EXPECT_GT(
      better_nearby(p, a, {{s.candidates[0].controls[0][0] + 0.3, s.candidates[0].controls[0][1]}}),
      kBetterNearby);
  a.surfaces[0].h_max = 0.02;  // leverage at the mean is 0.01
  const Resimulated far = static_again(p, a, {{13, -2.25}});
  EXPECT_FALSE(far.feasible);
  p.cv[0].ref = 9;
  const SolveResult inside = solve(p, model::unpack(a));
  ASSERT_FALSE(inside.candidates.empty());
  EXPECT_TRUE(static_again(p, a, inside.candidates[0].controls).feasible)
      << "the solver stays where there are data";
  EXPECT_LE(better_nearby(p, a, inside.candidates[0].controls), kBetterNearby);
}

TEST(StaticAgain, OtherVariablesAreRefused) {
  auto a = artifact({{0, 0}});
  const ProblemIr p = problem(a);
  a.variables[0].id = "MV9";
  EXPECT_THROW((void)static_again(p, a, {p.u_prev}), Error);
}

/// Bends that fit their roles: one start and optimal, no worse than a fine grid; against their
/// roles: many starts, and said to be feasible only.
TEST(SteadyResponse, IsSolvedAsConvexWhereItIs) {
  struct Case {
    CvRole role;
    double bend;
    bool convex;
  };
  for (const Case& c : {Case{CvRole::min, 0.8, true}, Case{CvRole::max, -0.8, true},
                        Case{CvRole::min, -0.8, false}, Case{CvRole::max, 0.8, false},
                        Case{CvRole::track, 0.8, false}, Case{CvRole::track, 0, true}}) {
    const auto a = artifact({{c.bend, 0}});
    ProblemIr p = problem(a);
    p.cv[0].role = c.role;
    p.cv[0].ref = 8;
    const SolveResult s = solve(p, model::unpack(a));
    ASSERT_FALSE(s.candidates.empty());
    EXPECT_EQ(s.status, c.convex ? SolveStatus::optimal : SolveStatus::feasible) << c.bend;
    EXPECT_EQ(s.diagnostics.iterations, c.convex ? 1 : 17);
    double best = 1e9;
    for (int i = 0; i <= 200; ++i)
      for (int k = 0; k <= 200; ++k)
        best = std::min(best, static_again(p, a, {{6 + 0.04 * i, -4 + 0.01 * k}}).cost);
    EXPECT_LE(s.candidates[0].cost, best + 1e-6) << c.bend;
  }
}

/// A setting that would move by less than its minMove stays, the other is optimised again.
TEST(StaticAgain, AMoveBelowMinMoveIsNotMade) {
  const auto a = artifact({{0, 0}});
  ProblemIr p = problem(a);
  const SolveResult free = solve(p, model::unpack(a));
  const double small = std::abs(free.candidates[0].controls[0][1] - p.u_prev[1]);
  ASSERT_GT(small, 1e-3);
  p.mv[1].min_move = 1.5 * small;
  EXPECT_FALSE(static_again(p, a, free.candidates[0].controls).feasible);
  const SolveResult r = solve(p, model::unpack(a));
  ASSERT_FALSE(r.candidates.empty());
  const auto& u = r.candidates[0].controls[0];
  EXPECT_EQ(u[1], p.u_prev[1]);
  // With z2 = 0: min over z1 of ½ (z1 − 1)² + ½·0.01 z1².
  EXPECT_NEAR((u[0] - 10) / 2, 1 / 1.01, 1e-6);
  EXPECT_TRUE(static_again(p, a, r.candidates[0].controls).feasible);
  EXPECT_LT(better_nearby(p, a, r.candidates[0].controls), kBetterNearby);
}

}  // namespace
}  // namespace flyball::optimise
