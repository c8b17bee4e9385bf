#include "plan/plan.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "identify/refine_lags.h"
#include "math/linear_algebra.h"
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
  EXPECT_FALSE(fine.shortest);
  r.precision = 10;
  EXPECT_TRUE(plan(r).shortest);
  r.least_steps = 2 * fine.moves.rows();
  EXPECT_EQ(plan(r).moves.rows(), r.least_steps);
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

/// A drum level (% per t/h and second) that the feed moves, beside a temperature.
Request drum() {
  Request r;
  r.pairs = {{"feed", "level", 0.02, 0, 25, true},
             {"steam", "level", -0.015, 0, 0, true},
             {"steam", "temperature", 1.5, 120, 30}};
  r.mvs = {{"feed", 20, 16, 24}, {"steam", 18, 15, 22}};
  r.cvs = {{"level", 50, 38, 65, 0.4}, {"temperature", 300, 290, 310, 0.3}};
  r.beat = 10;
  return r;
}

/// The level by its definition: the sum of what stands off balance, θ later.
Vector level_by_sums(const Request& r, const Plan& p) {
  const Index n = p.moves.rows();
  Vector y = Vector::Constant(n, 50);
  for (Index t = 1; t < n; ++t) {
    const double steam = p.moves(t - 1, 1) - 18;
    double feed = 0;  // 25 s are two and a half beats
    if (t >= 3) feed += 0.5 * (p.moves(t - 3, 0) - 20);
    if (t >= 4) feed += 0.5 * (p.moves(t - 4, 0) - 20);
    y(t) = y(t - 1) + r.beat * (0.02 * feed - 0.015 * steam);
  }
  return y;
}

TEST(PlanOfLevels, MovesReturnAndTheLevelStaysInsideItsLimits) {
  Request r = drum();
  for (const std::uint32_t seed : {1U, 2U, 3U, 4U, 5U}) {
    r.seed = seed;
    const Plan p = plan(r);
    const Vector y = level_by_sums(r, p);
    EXPECT_LT((y - p.predicted.col(0)).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_GE(y.minCoeff(), 38 + 3 * 0.4);
    EXPECT_LE(y.maxCoeff(), 65 - 3 * 0.4);
    const Excursion& e = p.excursions[0];
    EXPECT_LE(std::max(y.maxCoeff() - 50, 50 - y.minCoeff()), e.bound + 1e-9);
    EXPECT_GT(std::max(y.maxCoeff() - 50, 50 - y.minCoeff()), 0.3 * e.bound) << "it does move";
    for (Index m = 0; m < 2; ++m) {
      const double now = r.mvs[static_cast<std::size_t>(m)].now;
      EXPECT_NEAR((p.moves.col(m).array() - now).sum(), 0, 1e-9) << "every move is taken back";
      EXPECT_EQ(p.moves(p.moves.rows() - 1, m), now);
    }
  }
}

/// White noise on the level: the spread of least-squares rates is the precision that was promised.
TEST(PlanOfLevels, PrecisionIsThatOfFitsToTheTest) {
  Request r;
  r.pairs = {{"feed", "level", 0.02, 0, 0, true}};
  r.mvs = {{"feed", 20, 16, 24}};
  r.cvs = {{"level", 50, 38, 65, 0.4}};
  r.beat = 10;
  r.steps = 300;
  const Plan p = plan(r);
  const Index n = p.moves.rows();
  Matrix x(n, 4);  // the level's sum, its derivative by the dead time, a constant and a drift
  x.setOnes();
  double sum = 0;
  for (Index t = 0; t < n; ++t) {
    x(t, 0) = sum;
    x(t, 1) = t > 0 ? p.moves(t - 1, 0) - 20 : 0;
    x(t, 3) = static_cast<double>(t) / static_cast<double>(n);
    sum += 10 * (p.moves(t, 0) - 20);
  }
  x.col(0) /= 1000;
  const Matrix inverse = math::Cholesky::of(x.transpose() * x)->inverse();
  math::Random random(11);
  constexpr int kRecords = 400;
  double squares = 0;
  for (int i = 0; i < kRecords; ++i) {
    Vector y = p.predicted.col(0);
    for (double& value : y) value += 0.4 * random.normal();
    const double rate = (inverse * (x.transpose() * y))(0) / 1000;
    squares += (rate - 0.02) * (rate - 0.02);
  }
  // The standard error of a spread of 400 is 3.5 %.
  EXPECT_NEAR(p.precisions[0].std_error / std::sqrt(squares / kRecords), 1, 0.12);
}

TEST(PlanOfLevels, RoomWithoutUseIsNotUsed) {
  Request r;
  r.pairs = {{"feed", "level", 0.02, 0, 0, true}};
  r.mvs = {{"feed", 20, 16, 24}};
  r.cvs = {{"level", 50, -1e6, 1e6, 0.4}};
  r.beat = 10;
  const Plan p = plan(r);
  EXPECT_LT(p.moves.rows(), 50'000);
  EXPECT_LE(p.excursions[0].bound, 30 * 0.4 + 0.02 * 4 * 10) << "30 deviations and one step";
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
  for (const double absurd : {1e12, 1e300}) {
    r = column();
    r.pairs[0].time_constant = absurd;
    EXPECT_EQ(code_of(r), "PLAN_TOO_LONG");
  }
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
