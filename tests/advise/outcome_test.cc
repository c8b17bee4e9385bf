#include "advise/outcome.h"

#include <gtest/gtest.h>

#include <cmath>

#include "math/random.h"

namespace flyball::advise {
namespace {

struct OutcomeTest : ::testing::Test {
  OutcomeTest() {
    problem.cv.resize(1);
    problem.cv[0].var_id = "y";
    problem.cv[0].ref = 10;
    problem.cv[0].train.std = 2;
  }
  /// White noise about two means.
  Verdict judged(double before, double after, double noise, double promised) {
    math::Random random(7);
    OutcomeSeries s;
    for (int i = 0; i < 100; ++i) {
      s.before.push_back(before + noise * random.normal());
      s.after.push_back(after + noise * random.normal());
    }
    s.predicted_before = before;
    s.predicted_after = promised;
    out = {};
    judge(out, problem, {s}, {});
    return out.verdict;
  }
  optimise::ProblemIr problem;
  AdviceOutcome out;
};

TEST_F(OutcomeTest, VerdictsFollowTheIntervalOfTheChange) {
  EXPECT_EQ(judged(12, 10, 0.2, 10), Verdict::improved);
  EXPECT_NEAR(out.loss_change, -1, 0.1);
  EXPECT_EQ(judged(10, 12, 0.2, 9.9), Verdict::worse);
  EXPECT_EQ(judged(12, 12, 0.01, 10), Verdict::neutral);
  EXPECT_EQ(judged(12, 12, 20, 11.9), Verdict::inconclusive);
  EXPECT_EQ(out.reasons.front().code, "OUTCOME_NOISE");
}

TEST_F(OutcomeTest, AnMvElsewhereOrFewValuesCannotBeJudged) {
  OutcomeSeries s{{12, 12, 12, 12, 12}, {10, 10, 10, NAN, 10}, 12, 10};
  judge(out, problem, {s}, {});
  EXPECT_EQ(out.verdict, Verdict::inconclusive);
  EXPECT_EQ(out.reasons.front().code, "OUTCOME_FEW");
  s.after[3] = 10;
  out = {};
  judge(out, problem, {s}, {});
  EXPECT_EQ(out.verdict, Verdict::improved);
  out = {};
  judge(out, problem, {s},
        {{"OUTCOME_MV_ELSEWHERE", {{"mv", "u"}, {"value", 1.0}, {"advised", 2.0}}}});
  EXPECT_EQ(out.verdict, Verdict::inconclusive);
}

TEST_F(OutcomeTest, TheIntervalOfADifferenceHoldsTheTruthInNineteenOfTwenty) {
  math::Random random(3);
  for (const double rho : {0.0, 0.8}) {
    int inside = 0;
    constexpr int kTrials = 2000;
    for (int trial = 0; trial < kTrials; ++trial) {
      std::vector<double> before, after;
      double x = 0;
      for (int i = 0; i < 400; ++i) {
        x = rho * x + random.normal();
        (i < 200 ? before : after).push_back(x + (i < 200 ? 0 : 1));
      }
      const ObservedChange c = observed_change("y", before, after);
      inside += c.low <= 1 && 1 <= c.high ? 1 : 0;
    }
    EXPECT_NEAR(static_cast<double>(inside) / kTrials, 0.95, 0.03) << rho;
  }
}

TEST(Loss, IsTheDistanceFromWhatIsWanted) {
  optimise::CvTerm cv;
  cv.train.std = 2;
  cv.ref = 10;
  EXPECT_EQ(loss(cv, 12), 1);
  EXPECT_EQ(loss(cv, 8), 1);
  cv.role = optimise::CvRole::max;
  EXPECT_LT(loss(cv, 12), loss(cv, 8));
  cv.role = optimise::CvRole::min;
  EXPECT_LT(loss(cv, 8), loss(cv, 12));
  cv.role = optimise::CvRole::band;
  cv.soft_min = 9;
  cv.soft_max = 11;
  EXPECT_EQ(loss(cv, 10.5), 0);
  EXPECT_EQ(loss(cv, 13), 1);
  EXPECT_EQ(loss(cv, 5), 2);
}

}  // namespace
}  // namespace flyball::advise
