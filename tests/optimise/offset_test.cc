// What a loop does in the long run, with a plant that is not the model.
#include <gtest/gtest.h>

#include "math/random.h"
#include "optimise/estimator.h"
#include "plants.h"

namespace flyball::optimise {
namespace {

const std::vector<std::vector<Path>> kPaths{{{1.2, 0.85, 2}, {-0.6, 0.9, 3}},
                                            {{0.5, 0.8, 4}, {1.5, 0.9, 1}}};

std::vector<std::vector<Path>> scaled(double a, double b) {
  auto paths = kPaths;
  for (auto& row : paths) {
    row[0].gain *= a;
    row[1].gain *= b;
  }
  return paths;
}

/// Model around other operating points than 0, gains wrong by up to 40 %, a step at the output or
/// at the inputs that nobody measures: the CVs end at their references.
TEST(Offset, IsZeroWithPersistentDisturbancesAndWrongGains) {
  for (const Disturbance where : {Disturbance::output, Disturbance::input}) {
    for (const bool at_input : {false, true}) {
      for (const auto& [a, b] : {std::pair{1.0, 1.0}, std::pair{0.6, 1.3}, std::pair{1.4, 0.8}}) {
        const auto m = lags(kPaths, 2, {10, 20}, {50, -8});
        PlantRun plant(lags(scaled(a, b), 2, {10, 20}, {50, -8}));
        ProblemIr p = problem_for(m, 30, 5);
        p.solver.disturbance = where;
        p.solver.min_improvement = 0;
        p.cv[0].ref = 51.5;
        p.cv[1].ref = -7;
        const auto r = closed_loop(p, m, plant, 420, [&](Index t, ProblemIr&, PlantRun& real) {
          if (t != 60) return;
          if (at_input) {
            real.load = Vector(2);
            real.load << 0.7, -0.5;
          } else {
            real.shift = Vector(2);
            real.shift << 0.8, -0.6;
          }
        });
        EXPECT_NEAR(r.y(419, 0), 51.5, 1e-6) << at_input << a;
        EXPECT_NEAR(r.y(419, 1), -7, 1e-6) << at_input << a;
      }
    }
  }
}

/// A plant that was not at rest where its history begins, and a level that runs away: the filter
/// finds both, whatever the first row says.
TEST(Estimator, TheFirstRowIsNoRest) {
  const auto m = lags({{{2.0, 0.97, 2}}}, 1, {10}, {100});
  const Estimator filter(m, Disturbance::output, 0.1);
  math::Random random(5);
  double worst = 0;
  for (int seed = 0; seed < 20; ++seed) {
    std::vector<HistoryRow> history;
    double x = 6 * random.normal();  // far from rest
    double u = 10;
    for (int t = 0; t < 120; ++t) {
      if (t % 10 == 0) u = 10 + random.normal();
      const double past = t >= 2 ? *history[static_cast<std::size_t>(t - 2)].u[0] : 10;
      x = 0.97 * x + 2 * 0.03 * (past - 10);
      history.push_back({{u}, {100 + x + 0.01 * random.normal()}});
    }
    const Estimate now = filter.run(history);
    worst = std::max(worst, std::abs(now.y_shift(0)));
  }
  EXPECT_LT(worst, 0.15) << "no disturbance: what is left is noise";
}

TEST(Estimator, ASlowPoleThatIsNotAtRestGivesNoRunawayState) {
  const auto m = lags({{{400.0, 0.9999, 1}}}, 1, {90}, {50});  // next to a level
  const Estimator filter(m, Disturbance::output, 0.1);
  math::Random random(6);
  std::vector<HistoryRow> history;
  double x = 0;
  for (int t = 0; t < 120; ++t) {
    const double u = 88;  // it falls all the time
    history.push_back({{u}, {50 + x + 0.01 * random.normal()}});
    x = 0.9999 * x + 400 * 0.0001 * (u - 90);
  }
  const Estimate now = filter.run(history);
  EXPECT_LT(std::abs(now.y_shift(0)), 30);
  EXPECT_NEAR((m.C * now.x + m.g)(0) + now.y_shift(0), 50 + x, 0.1) << "what is measured next";
  Vector next = m.A * now.x + m.f;
  next += m.B * Vector::Constant(1, -2.0);
  EXPECT_NEAR((m.C * next + m.g)(0) + now.y_shift(0), 50 + x - 0.08, 0.15) << "and where it goes";
}

TEST(Offset, IsZeroForALevelWithAnUnmeasuredOutflow) {
  const auto m = lags({{{0.1, 1, 2}}}, 1, {4}, {30});
  PlantRun plant(lags({{{0.13, 1, 2}}}, 1, {4}, {30}));
  ProblemIr p = problem_for(m, 40, 6);
  p.cv[0].integrating = true;
  p.cv[0].ref = 31;
  p.solver.min_improvement = 0;
  const auto r = closed_loop(p, m, plant, 400, [](Index t, ProblemIr&, PlantRun& real) {
    if (t == 50) real.load = Vector::Constant(1, -0.8);
  });
  EXPECT_NEAR(r.y(399, 0), 31, 1e-6);
}

/// One MV for two references: the loop rests where the weighted squared distance is least on the
/// plant itself, whatever the gain of the model.
TEST(Offset, TheClosestReachableRestIsFound) {
  const auto m = lags({{{1, 0.8, 1}}, {{0.5, 0.9, 2}}}, 1, {0}, {0, 0});
  PlantRun plant(m);
  ProblemIr p = problem_for(m, 40, 6);
  p.solver.min_improvement = 0;
  p.cv[0].ref = 2;
  p.cv[1].ref = 2;
  plant.shift = Vector(2);
  plant.shift << 0.3, -0.4;
  const auto r = closed_loop(p, m, plant, 400);
  // min (u + 0.3 − 2)² + (0.5 u − 0.4 − 2)²  →  u = (1.7 + 0.5·2.4)/1.25
  const double u = (1.7 + 0.5 * 2.4) / 1.25;
  EXPECT_NEAR(r.u(399, 0), u, 2e-3);
  EXPECT_LT(std::abs(r.u(399, 0) - r.u(398, 0)), 1e-6) << "at rest";
}

TEST(Offset, ASaturatedMvLeavesTheOtherTheBestItCanDo) {
  const auto m = lags(kPaths, 2, {0, 0}, {0, 0});
  ProblemIr p = problem_for(m, 40, 6);
  p.solver.min_improvement = 0;
  p.mv[1].max = 0.5;
  p.cv[0].ref = -1;
  p.cv[1].ref = 4;
  p.cv[1].weight = 0.5;
  const auto r = closed_loop(p, m, PlantRun(m), 400);
  EXPECT_NEAR(r.u(399, 1), 0.5, 1e-6);
  // min over u1: (1.2 u1 − 0.3 + 1)² + 0.5 (0.5 u1 + 0.75 − 4)²
  const double u1 = (-1.2 * 0.7 + 0.5 * 0.5 * 3.25) / (1.44 + 0.5 * 0.25);
  EXPECT_NEAR(r.u(399, 0), u1, 3e-3);
}

/// Gains that are nearly multiples of each other: the plan does not flip between corners.
TEST(Offset, NearlyCollinearGainsDoNotOscillate) {
  const auto m =
      lags({{{1, 0.85, 1}, {1.01, 0.85, 1}}, {{1, 0.9, 2}, {1.0, 0.9, 2}}}, 2, {0, 0}, {0, 0});
  PlantRun plant(lags({{{1.02, 0.85, 1}, {1.0, 0.85, 1}}, {{0.99, 0.9, 2}, {1.01, 0.9, 2}}}, 2,
                      {0, 0}, {0, 0}));
  ProblemIr p = problem_for(m, 30, 5);
  p.solver.min_improvement = 0;
  p.cv[0].ref = 2;
  p.cv[1].ref = 2.3;
  const auto r = closed_loop(p, m, plant, 300);
  int turns = 0;
  for (Index t = 150; t + 1 < 300; ++t) {
    const double before = r.u(t, 0) - r.u(t - 1, 0);
    const double after = r.u(t + 1, 0) - r.u(t, 0);
    if (before * after < 0 && std::min(std::abs(before), std::abs(after)) > 1e-3) ++turns;
  }
  EXPECT_EQ(turns, 0);
}

/// NaN in a measurement for a while, then good data: the loop goes on as if little had happened.
TEST(Offset, RecoversAfterMissingMeasurements) {
  const auto m = lags(kPaths, 2, {10, 20}, {50, -8});
  ProblemIr p = problem_for(m, 30, 5);
  p.solver.min_improvement = 0;
  p.cv[0].ref = 51;
  PlantRun plant(m);
  plant.shift = Vector(2);
  plant.shift << 0.4, 0.2;
  const auto r = closed_loop(p, m, plant, 200, [](Index t, ProblemIr& q, PlantRun&) {
    if (t > 80 && t < 90) q.history.back().y[0].reset();
  });
  EXPECT_NEAR(r.y(199, 0), 51, 1e-6);
  EXPECT_TRUE(r.u.allFinite());
}

}  // namespace
}  // namespace flyball::optimise
