// Priors as an engineer states them: read strictly, used in the search, judged against the data.
#include <gtest/gtest.h>

#include "identify/identify_auto.h"
#include "identify/plants.h"
#include "identify/prior_use.h"
#include "identify/records.h"

namespace flyball::identify {
namespace {

std::vector<Problem> problems_of(const std::vector<std::string>& texts) {
  std::vector<Problem> problems;
  (void)parse_priors(texts, {"u1", "steam flow", "a->b"}, {"y1", "temp"}, problems);
  return problems;
}

std::vector<Prior> priors(const std::vector<std::string>& texts) {
  std::vector<Problem> problems;
  auto out =
      parse_priors(texts, {"u1", "u2", "steam flow", "a->b"}, {"y1", "y2", "temp"}, problems);
  EXPECT_TRUE(problems.empty());
  return out;
}

TEST(Priors, AreReadAsStated) {
  const auto p =
      priors({"u1->y1 gain>0", "steam flow -> temp gain 0.5..2", "a->b->y1 gain=0",
              "u1->y2 deadTime 10s..60s", "u2 -> y1 timeConstant<5min", "u2->y2 gain <= -1.5e-3"});
  EXPECT_TRUE(p[0].holds(1e-9) && !p[0].holds(0) && !p[0].high);
  EXPECT_EQ(p[1].input, "steam flow");
  EXPECT_EQ(p[1].cv, "temp");
  EXPECT_TRUE(p[1].holds(0.5) && p[1].holds(2) && !p[1].holds(2.01));
  EXPECT_EQ(p[2].input, "a->b");
  EXPECT_TRUE(p[2].zero_gain());
  EXPECT_EQ(p[3].quantity, PriorQuantity::dead_time);
  EXPECT_EQ(*p[3].low, 10);
  EXPECT_EQ(*p[3].high, 60);
  EXPECT_TRUE(p[4].holds(299) && !p[4].holds(300));
  EXPECT_TRUE(p[5].holds(-1.5e-3) && !p[5].holds(0));
}

TEST(Priors, WhatCannotBeReadIsNamed) {
  const auto code = [](const std::string& text) {
    const auto problems = problems_of({text});
    return problems.size() == 1 ? problems[0].message.code : std::to_string(problems.size());
  };
  EXPECT_EQ(code("u1->y1"), "PRIOR_UNREADABLE");
  EXPECT_EQ(code("u1 y1 gain>0"), "PRIOR_UNREADABLE");
  EXPECT_EQ(code("u1->y1 gain"), "PRIOR_UNREADABLE");
  EXPECT_EQ(code("u1->y1 gain>x"), "PRIOR_UNREADABLE");
  EXPECT_EQ(code("u1->y1 gain>0 and a half"), "PRIOR_UNREADABLE");
  EXPECT_EQ(code("u1->y1 gain>nan"), "PRIOR_UNREADABLE");
  EXPECT_EQ(code("u1->y1 Gain>0"), "PRIOR_UNREADABLE");
  EXPECT_EQ(code("u1->y1 deadTime<10"), "PRIOR_UNREADABLE") << "a time needs a unit";
  EXPECT_EQ(code("u9->y1 gain>0"), "PRIOR_NAME_UNKNOWN");
  EXPECT_EQ(code("y1->u1 gain>0"), "2") << "both names";
  EXPECT_EQ(code("u1->y1 gain 2..1"), "PRIOR_EMPTY");
  EXPECT_EQ(code("u1->y1 timeConstant<0s"), "PRIOR_EMPTY");
}

TEST(Priors, ThoseThatContradictEachOtherAreRefused) {
  const auto contradict = [](const std::string& a, const std::string& b) {
    const auto problems = problems_of({a, b});
    return problems.size() == 1 && problems[0].message.code == "PRIOR_CONTRADICTION" &&
           problems[0].pointer == "/prior/1";
  };
  EXPECT_TRUE(contradict("u1->y1 gain>0", "u1->y1 gain<0"));
  EXPECT_TRUE(contradict("u1->y1 gain>0", "u1->y1 gain=0"));
  EXPECT_TRUE(contradict("u1->y1 deadTime<10s", "u1->y1 deadTime 20s..30s"));
  EXPECT_FALSE(contradict("u1->y1 gain>0", "u1->temp gain<0"));
  EXPECT_FALSE(contradict("u1->y1 gain>0", "u1->y1 gain<2"));
  EXPECT_FALSE(contradict("u1->y1 gain>=0", "u1->y1 gain<=0"));
}

IdentifyResult with(const Matrix& x, const std::string& roles,
                    const std::vector<std::string>& texts) {
  ArxOptions options;
  options.priors = priors(texts);
  return identify_arx(train_dataset({x}, roles), options);
}

Matrix plant(double decibel) {
  math::Random random(11);
  return two_lags(1200, decibel, random);  // gains 0.6 and −1.5, first lags 2 and 4
}

TEST(Priors, TheTruthChangesNothing) {
  const Matrix x = plant(25);
  const IdentifyResult a = with(x, "uuy", {});
  const IdentifyResult b = with(x, "uuy",
                                {"u1->y1 gain 0.3..1", "u2->y1 gain<0", "u1->y1 deadTime 0s..4s",
                                 "u2->y1 timeConstant 5s..15s"});
  EXPECT_EQ(a.findings.step_responses[0].values, b.findings.step_responses[0].values);
  ASSERT_EQ(b.findings.priors.size(), 4u);
  for (const PriorCheck& c : b.findings.priors) {
    EXPECT_EQ(c.status, PriorStatus::held) << c.prior;
    EXPECT_LE(*c.low, *c.estimate);
    EXPECT_GE(*c.high, *c.estimate);
  }
  EXPECT_NEAR(*b.findings.priors[3].estimate, -1 / std::log(0.9), 1.5) << "time constant of u2";
}

TEST(Priors, ZeroGainTakesThePairOut) {
  const IdentifyResult r = with(plant(25), "uuy", {"u1->y1 gain=0"});
  EXPECT_EQ(model::dc_gain(r.model)(0, 0), 0);
  EXPECT_NEAR(model::dc_gain(r.model)(0, 1), -1.5, 0.2);
  EXPECT_FALSE(r.findings.dead_times[0].active);
  // u1 does move y1, by 0.6: the statement is obeyed, and said to be impossible.
  EXPECT_EQ(r.findings.priors[0].status, PriorStatus::impossible);
  ASSERT_TRUE(r.findings.priors[0].estimate);
  EXPECT_NEAR(*r.findings.priors[0].estimate, 0.6, 0.15);
}

TEST(Priors, ATrueZeroGainStands) {
  math::Random random(7);
  Matrix x(2000, 3);
  x.col(0) = random_steps(2000, 8, random);
  x.col(1) = random_steps(2000, 8, random);
  Vector y = first_order(x.col(0), 2, 0.8, 3);
  add_noise(y, 25, random);
  x.col(2) = y;
  const IdentifyResult r = with(x, "uuy", {"u2->y1 gain=0"});
  EXPECT_EQ(r.findings.priors[0].status, PriorStatus::removed);
}

TEST(Priors, DeadTimesAreSoughtWhereTheyAreStated) {
  // A sine fits many dead times; the bounds choose among them.
  math::Random random(12);
  Matrix x(1500, 2);
  x.col(0) = random_steps(1500, 6, random);
  Vector y = first_order(x.col(0), 2, 0.8, 9);
  add_noise(y, 15, random);
  x.col(1) = y;
  const IdentifyResult free = with(x, "uy", {});
  const IdentifyResult held = with(x, "uy", {"u1->y1 deadTime 7s..9s"});
  EXPECT_EQ(held.findings.dead_times[0].steps, free.findings.dead_times[0].steps);
  EXPECT_EQ(held.findings.priors[0].status, PriorStatus::held);
  const IdentifyResult wrong = with(x, "uy", {"u1->y1 deadTime 0s..3s"});
  EXPECT_LE(wrong.findings.dead_times[0].steps, 4);
  EXPECT_EQ(wrong.findings.priors[0].status, PriorStatus::impossible);
  EXPECT_NEAR(*wrong.findings.priors[0].estimate, 8.5, 1);
}

TEST(Priors, AGainThatTheDataCannotTellIsHeldToItsRange) {
  // A weak input under strong noise: about 0.05 ± 0.1.
  math::Random random(13);
  const Index n = 900;
  Matrix x(n, 3);
  x.col(0) = random_steps(n, 4, random);
  x.col(1) = random_steps(n, 6, random);
  Vector y = first_order(x.col(0), 0.4, 0.8, 2) + first_order(x.col(1), 3, 0.8, 2);
  add_noise(y, 12, random);
  x.col(2) = y;
  const IdentifyResult free = with(x, "uuy", {});
  const StepResponse& s = free.findings.step_responses[0];
  ASSERT_EQ(s.input, "u1");
  ASSERT_GT(*s.gain, 0);
  const double bound = *s.gain + *s.gain_std_error;  // inside the 95 % range, outside the estimate
  const IdentifyResult held = with(x, "uuy", {"u1->y1 gain>=" + std::to_string(bound)});
  EXPECT_EQ(held.findings.priors[0].status, PriorStatus::imposed);
  EXPECT_NEAR(*held.findings.priors[0].estimate, *s.gain, 1e-9) << "what the data alone say";
  EXPECT_NEAR(model::dc_gain(held.model)(0, 0), bound, 1e-5);
  EXPECT_NEAR(model::dc_gain(held.model)(0, 1), model::dc_gain(free.model)(0, 1), 0.3);
}

TEST(Priors, WhatTheDataExcludeIsSaidToBeImpossible) {
  const IdentifyResult r = with(plant(25), "uuy", {"u2->y1 gain>0", "u2->y1 timeConstant>60s"});
  EXPECT_EQ(r.findings.priors[0].status, PriorStatus::impossible);
  EXPECT_NEAR(*r.findings.priors[0].estimate, -1.5, 0.2);
  EXPECT_LT(*r.findings.priors[0].high, 0);
  EXPECT_NEAR(model::dc_gain(r.model)(0, 1), -1.5, 0.2) << "the model stays what the data say";
  EXPECT_NE(r.findings.priors[1].status, PriorStatus::held);
}

TEST(Priors, TheConstrainedFitIsTheLeastOfAllThatHold) {
  // Against brute force: the sum of squares of any other θ on the bound is larger.
  const Matrix x = plant(10);
  const auto dataset = train_dataset({x}, "uuy");
  const TrainingData data = training_data(dataset);
  const Regression r = make_regression(data, 0, {true, true}, false, false);
  SearchResult search;
  search.best.structure = {1, 1, {{0, 2}, {1, 4}}};
  search.candidates.push_back({1, 1, 1e-12, false, 3, 1, 1, "chosen"});
  FinalFit fit = final_fit(r, search);
  const FinalFit free = fit;
  const double unit = data.std(2) / data.std(0);
  const double own = gain(free.arx, 0) * unit, bound = own + 0.02;
  const auto done =
      impose_gains(priors({"u1->y1 gain>=" + std::to_string(bound)}), data, 0, r, fit, true);
  ASSERT_EQ(done.size(), 1u);
  EXPECT_NEAR(gain(fit.arx, 0) * unit, bound, 1e-6);
  const auto sum = [&](const FinalFit& f) {
    double out = 0;
    for (const double e : f.residual) out += std::isfinite(e) ? e * e : 0;
    return out;
  };
  EXPECT_GT(sum(fit), sum(free));
  math::Random random(1);
  for (int i = 0; i < 50; ++i) {
    FinalFit other = fit;
    for (double& t : other.arx.theta) t += 0.01 * random.normal();
    // back onto the bound by its b
    const double g = bound / unit;
    other.arx.theta(0) = g * (1 - other.arx.a().sum());
    for_each_run(r, {0, 1 << 30}, other.arx.structure.max_lag(), [&](Index t0, Index t1) {
      residuals(r, other.arx.structure, other.arx.theta, other.arx.constant, t0, t1,
                other.residual.data() + t0);
    });
    EXPECT_GE(sum(other), sum(fit) * (1 - 1e-9));
  }
}

TEST(Priors, HoldForTheFamiliesOfAuto) {
  const Matrix x = plant(15);
  ArxOptions options;
  options.priors = priors({"u1->y1 gain 0.3..1", "u2->y1 gain<0", "u2->y1 timeConstant 3s..30s"});
  AutoResult r = identify_auto(train_dataset({x}, "uuy"), options);
  judge_priors(options.priors, 1000, r.result.findings);
  for (const PriorCheck& c : r.result.findings.priors)
    EXPECT_TRUE(c.status == PriorStatus::held || c.status == PriorStatus::imposed) << c.prior;
  EXPECT_GE(model::dc_gain(r.result.model)(0, 0), 0.3 - 1e-6);
}

}  // namespace
}  // namespace flyball::identify
