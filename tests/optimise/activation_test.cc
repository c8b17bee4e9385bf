#include "optimise/activation.h"

#include <gtest/gtest.h>

#include "optimise/free_response.h"
#include "plants.h"
#include "support/expect_error.h"

namespace flyball::optimise {
namespace {

const std::vector<std::vector<Path>> kPaths{{{1.2, 0.8, 2}, {-0.4, 0.8, 3}},
                                            {{0.3, 0.8, 4}, {1.5, 0.8, 1}}};

ProblemIr profile(const model::LinearStateSpace& m) {
  ProblemIr p = problem_for(m, 40, 6);
  p.history.clear();
  for (MvTerm& mv : p.mv) mv.move_weight = 3;
  p.cv[0].ref = *p.cv[0].ref + 1;
  return p;
}

TEST(Activation, PassesALoopWithReserve) {
  const auto m = lags(kPaths, 2, {10, 20}, {50, -8});
  const Activation a = check_activation(profile(m), m);
  EXPECT_TRUE(a.passed) << to_json_value(a).dump();
  EXPECT_EQ(a.cases.size(), 3u + 2 * 3 + 2);
  EXPECT_EQ(a.dead_time, 4);
}

TEST(Activation, RefusesAHorizonShorterThanTheAnswer) {
  const auto m = lags({{{1, 0.97, 5}}}, 1, {0}, {0});
  ProblemIr p = problem_for(m, 20, 4);
  const Activation a = check_activation(p, m, 60);
  EXPECT_FALSE(a.passed);
  ASSERT_FALSE(a.reasons.empty());
  EXPECT_EQ(a.reasons[0].code, "ACTIVATE_HORIZON");
  EXPECT_GT(a.settling, 90);
}

/// Without a weight on moves and with dead time, twice the gain is not stable.
TEST(Activation, RefusesALoopWithoutReserveAndNamesTheCase) {
  const auto m = lags({{{1, 0.5, 5}}}, 1, {0}, {0});
  ProblemIr p = problem_for(m, 40, 10);
  p.mv[0].move_weight = 1e-6;
  p.mv[0].max_move = 10;
  p.solver.disturbance_ratio = 100;
  p.cv[0].ref = 1;
  const Activation a = check_activation(p, m);
  EXPECT_FALSE(a.passed);
  bool named = false;
  for (const ActivationCase& c : a.cases)
    named =
        named || (!c.passed && c.fault == "unstable" && c.name.find("gains") != std::string::npos);
  EXPECT_TRUE(named) << to_json_value(a).dump();
  EXPECT_TRUE(a.cases[0].passed) << "the nominal loop is fine";
}

/// A reference so near its hard limit that a plant of twice the gain breaks it.
TEST(Activation, RefusesALoopThatBreaksALimit) {
  const auto m = lags({{{1, 0.8, 4}}}, 1, {0}, {0});
  ProblemIr p = problem_for(m, 40, 6);
  p.cv[0].ref = 2;
  p.cv[0].hard_max = 2.1;
  p.mv[0].move_weight = 0.05;
  const Activation a = check_activation(p, m);
  EXPECT_FALSE(a.passed);
  bool broken = false;
  for (const ActivationCase& c : a.cases)
    broken = broken || c.limit == "CV1.hardMax" || c.fault == "noAdvice";
  EXPECT_TRUE(broken) << to_json_value(a).dump();
}

/// What was not tried by its time has not passed, and the case that was reached is named.
TEST(Activation, CannotTellWhatItHadNoTimeFor) {
  const auto m = lags(kPaths, 2, {10, 20}, {50, -8});
  const Activation a = check_activation(profile(m), m, 0, {}, 0);
  EXPECT_FALSE(a.passed);
  EXPECT_TRUE(a.timed_out);
  ASSERT_EQ(a.cases.size(), 1u);
  EXPECT_EQ(a.cases[0].fault, "time");
  ASSERT_EQ(a.reasons.size(), 1u);
  EXPECT_EQ(a.reasons[0].code, "ACTIVATE_TIME");
  EXPECT_NE(a.reasons[0].text.find("nominal, 1 of 11"), std::string::npos) << a.reasons[0].text;
}

TEST(Activation, StopsWhenAsked) {
  const auto m = lags(kPaths, 2, {10, 20}, {50, -8});
  std::stop_source stop;
  stop.request_stop();
  EXPECT_ERROR((void)check_activation(profile(m), m, 0, stop.get_token()), "CANCELLED");
}

/// A level as studies give it: its noise is white, so that K = (−1, 0, 1) adds nothing to its
/// slope.
model::LinearStateSpace white_level() {
  model::LinearStateSpace m;
  m.A = Matrix::Zero(3, 3);
  m.A << -0.003, 1, 0, 0, 0, 0, 1, 0, 1;
  m.B = Matrix::Zero(3, 2);
  m.B(0, 0) = -0.02;
  m.B(0, 1) = 0.02;
  m.C = Matrix::Zero(1, 3);
  m.C << 1, 0, 1;
  m.D = Matrix::Zero(1, 2);
  m.K = Matrix::Zero(3, 1);
  m.K << -1.003, 0, 1;
  m.f = Vector::Zero(3);
  m.g = Vector::Constant(1, 50);
  m.u0 = Vector::Constant(2, 100);
  m.S = Matrix::Constant(1, 1, 9e-4);
  m.n_mv = 1;
  m.integrators = 1;
  m.channels = {{0, 1}, {1, 2}};
  return m;
}

TEST(Activation, ALevelWithATargetComesToRestWhereMovesWeighEnough) {
  const auto m = white_level();
  for (const double weight : {5.0, 100.0, 1000.0}) {
    ProblemIr p = problem_for(m, 60, 8);
    p.history.clear();
    p.cv[0].integrating = true;
    p.cv[0].ref = 51;
    p.mv[0].move_weight = weight;
    p.mv[0].train.std = 5;
    p.mv[0].train.min = 88;
    p.mv[0].train.max = 112;
    p.mv[0].min = 85;
    p.mv[0].max = 115;
    p.cv[0].train = {50, 2.7, 43, 57};
    const Activation a = check_activation(p, m);
    EXPECT_TRUE(a.passed) << weight << to_json_value(a.reasons).dump();
  }
}

/// Inflow and outflow do not balance: between its soft limits a level without a target may drift.
TEST(Activation, ALevelMayDriftWithinItsBand) {
  auto m = white_level();
  m.f(0) = 0.01;
  ProblemIr p = problem_for(m, 60, 8);
  p.history.clear();
  p.cv[0].integrating = true;
  p.cv[0].role = CvRole::band;
  p.cv[0].train = {50, 2.7, 43, 57};
  p.mv[0].move_weight = 5;
  EXPECT_FALSE(check_activation(p, m).passed) << "nothing holds it";
  EXPECT_EQ(check_activation(p, m).reasons.front().code, "ACTIVATE_LEVEL");
  p.cv[0].soft_min = 45;
  p.cv[0].soft_max = 55;
  const Activation a = check_activation(p, m);
  EXPECT_TRUE(a.passed) << to_json_value(a.reasons).dump();
}

/// Another inflow than the model has: the estimate finds the slope, the prediction goes on with it.
TEST(Activation, TheSlopeOfALevelIsEstimated) {
  const auto m = white_level();
  const Estimator e(m, Disturbance::output, 0.1);
  std::vector<HistoryRow> rows;
  for (int t = 0; t < 300; ++t) rows.push_back({{100, 100}, {40 + 0.05 * t}});
  const Estimate at = e.run(rows);
  EXPECT_NEAR((m.C * at.x)(0) + m.g(0), 40 + 0.05 * 300, 1e-3);
  ProblemIr p = problem_for(m, 20, 2);
  p.history = rows;
  p.u_prev = {100};
  const Matrix free = free_response(m, p, at);
  EXPECT_NEAR(free(19, 0), 40 + 0.05 * 320, 1e-2);
}

}  // namespace
}  // namespace flyball::optimise
