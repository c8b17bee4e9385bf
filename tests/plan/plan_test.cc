#include "plan/plan.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "identify/refine_lags.h"
#include "math/random.h"

namespace flyball::plan {
namespace {

/// A distillation column in minutes, 1 min beats.
Request column() {
  Request r;
  r.pairs = {{"reflux", "top", 12.8, 16.7 * 60, 60},
             {"steam", "top", -18.9, 21 * 60, 3 * 60},
             {"reflux", "bottom", 6.6, 10.9 * 60, 7 * 60},
             {"steam", "bottom", -19.4, 14.4 * 60, 3 * 60}};
  r.mvs = {{"reflux", 1.95, 1.5, 2.4}, {"steam", 1.71, 1.4, 2.0, 0.2}};
  r.cvs = {{"top", 96.2, 92, 99, 0.2}, {"bottom", 3, 0.5, 6, 0.2}};
  r.beat = 60;
  r.precision = 0.03;
  return r;
}

std::string code_of(const Request& r) {
  try {
    (void)plan(r);
  } catch (const Error& e) {
    return e.code();
  }
  return "none";
}

TEST(Plan, StaysInsideEveryLimit) {
  const Request r = column();
  const Plan p = plan(r);
  for (std::size_t m = 0; m < 2; ++m) {
    const auto u = p.moves.col(static_cast<Index>(m));
    EXPECT_GE(u.minCoeff(), r.mvs[m].low - 1e-12);
    EXPECT_LE(u.maxCoeff(), r.mvs[m].high + 1e-12);
  }
  EXPECT_LE(p.moves.col(1).maxCoeff() - p.moves.col(1).minCoeff(), 0.2 + 1e-12) << "one move";
  for (std::size_t j = 0; j < 2; ++j) {
    const Excursion& e = p.excursions[j];
    EXPECT_GE(e.lowest, r.cvs[j].low + 3 * r.cvs[j].noise);
    EXPECT_LE(e.highest, r.cvs[j].high - 3 * r.cvs[j].noise);
    EXPECT_LE(std::max(e.highest - r.cvs[j].now, r.cvs[j].now - e.lowest), e.bound + 1e-9)
        << "the bound holds for every sequence";
  }
}

TEST(Plan, BoundIsReachedByHoldingTheWorstSigns) {
  Request r = column();
  r.steps = 3000;
  const Plan p = plan(r);
  double reach = 0;
  for (const Pair& q : r.pairs) {
    if (q.cv == "top") reach += std::abs(q.gain) * p.amplitudes[q.mv == "reflux" ? 0 : 1];
  }
  EXPECT_NEAR(reach, p.excursions[0].bound, 1e-12);
  EXPECT_LE(reach, 99 - 96.2 - 0.6 + 1e-9) << "room above, without three deviations of noise";
}

TEST(Plan, MvsDoNotFollowEachOther) {
  const Plan p = plan(column());
  EXPECT_LT(p.correlation, 4 / std::sqrt(static_cast<double>(p.moves.rows() / p.switch_steps)));
  EXPECT_LT(p.correlation, 0.35);
}

TEST(Plan, IsAsLongAsThePrecisionTakesAndNoLongerThanNeeded) {
  Request r = column();
  const Plan coarse = plan(r);
  r.precision /= 2;
  const Plan fine = plan(r);
  EXPECT_TRUE(coarse.reached);
  EXPECT_TRUE(fine.reached);
  const double longer =
      static_cast<double>(fine.moves.rows()) / static_cast<double>(coarse.moves.rows());
  EXPECT_GT(longer, 2.5);
  EXPECT_LT(longer, 6) << "four times, apart from chance in the signals";
}

/// Records of the plan with noise, fitted: their spread is the precision that was promised.
TEST(Plan, PrecisionIsThatOfFitsToTheTest) {
  Request r = column();
  r.steps = 800;
  const Plan p = plan(r);
  constexpr int kRecords = 100;
  const Index n = p.moves.rows();
  Matrix x(n, 3);
  for (Index m = 0; m < 2; ++m)
    x.col(m) = p.moves.col(m).array() - r.mvs[static_cast<std::size_t>(m)].now;
  identify::Regression regression;
  regression.nu = 2;
  regression.stretches = {{0, n, 0}};
  regression.target.assign(static_cast<std::size_t>(n), 1);
  Vector sum = Vector::Zero(2), squares = Vector::Zero(2);
  math::Random random(7);
  for (int i = 0; i < kRecords; ++i) {
    for (Index t = 0; t < n; ++t) x(t, 2) = p.predicted(t, 0) + 0.2 * random.normal();
    regression.x = x;
    const identify::LagFit fit = identify::fit_lags(
        regression, {{{0, 12.8, 16.7, 0, 1.2}, {1, -18.9, 21, 0, 3.2}}, 96.2, {}}, {{0, n}});
    for (Index m = 0; m < 2; ++m) {
      const double error =
          fit.pairs[static_cast<std::size_t>(m)].gain - r.pairs[static_cast<std::size_t>(m)].gain;
      sum(m) += error;
      squares(m) += error * error;
    }
  }
  for (Index m = 0; m < 2; ++m) {
    const double spread = std::sqrt(squares(m) / kRecords);
    // The standard error of a spread of 100 is 7 %.
    EXPECT_NEAR(p.precisions[static_cast<std::size_t>(m)].std_error / spread, 1, 0.2);
    EXPECT_LT(std::abs(sum(m) / kRecords), 4 * spread / std::sqrt(1.0 * kRecords));
  }
}

TEST(Plan, SaysWhatIsMissing) {
  Request r = column();
  r.cvs[0].now = 98.6;
  EXPECT_EQ(code_of(r), "PLAN_NO_ROOM");
  r = column();
  r.pairs[0].mv = "other";
  EXPECT_EQ(code_of(r), "PLAN_NAME_UNKNOWN");
  r = column();
  r.cvs.push_back({"third", 0, -1, 1, 0.1});
  EXPECT_EQ(code_of(r), "PLAN_NO_PAIR");
  r = column();
  r.precision = 1e-4;
  EXPECT_EQ(code_of(r), "PLAN_TOO_LONG");
  r = column();
  r.pairs[0].time_constant = 0;
  EXPECT_EQ(code_of(r), "PLAN_NOT_POSITIVE");
}

TEST(Plan, SameRequestGivesTheSameFile) {
  const Request r = column();
  const std::string a = to_csv(r, plan(r)), b = to_csv(r, plan(r));
  EXPECT_EQ(a, b);
  EXPECT_EQ(a.substr(0, a.find('\n')), "time,reflux,steam");
}

}  // namespace
}  // namespace flyball::plan
