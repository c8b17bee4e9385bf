#include "optimise/activation.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace flyball::optimise
