#include "identify/refine_lags.h"

#include <gtest/gtest.h>

#include "identify/plants.h"
#include "identify/records.h"

namespace flyball::identify {
namespace {

constexpr Interval kEverything{0, 1 << 30};

TEST(Lags, ResponseIsThatOfThePlantBetweenSamples) {
  // Unit step at t = 0 through e^{−2.3 s}/((5 s + 1)(2 s + 1)).
  Vector u = Vector::Ones(60);
  u(0) = 0;
  const LagPair first{0, 1, 5, 0, 2.3}, second{0, 1, 5, 2, 2.3};
  const Matrix one = lag_response(u, first), two = lag_response(u, second);
  for (Index t = 0; t < 60; ++t) {
    const double s = static_cast<double>(t - 1) - 2.3;
    const double a = s <= 0 ? 0 : 1 - std::exp(-s / 5), b = s <= 0 ? 0 : 1 - std::exp(-s / 2);
    EXPECT_NEAR(one(t, 0), a, 1e-12) << t;
    EXPECT_NEAR(two(t, 0), (5 * a - 2 * b) / 3, 1e-12) << t;
  }
}

TEST(Lags, SensitivitiesEqualDifferences) {
  math::Random random(1);
  const Vector u = random_steps(100, 3, random);
  const LagPair at{0, 1, 6, 2.5, 3.4};
  const Matrix slope = lag_response(u, at);
  const double h = 1e-6;
  for (int k = 0; k < 3; ++k) {
    LagPair up = at, down = at;
    double LagPair::*const member[] = {&LagPair::tau1, &LagPair::tau2, &LagPair::theta};
    up.*member[k] += h;
    down.*member[k] -= h;
    const Vector difference = (lag_response(u, up) - lag_response(u, down)).col(0) / (2 * h);
    EXPECT_LT((difference - slope.col(k + 1)).cwiseAbs().maxCoeff(), 1e-8) << k;
  }
}

struct Truth {
  std::vector<LagPair> pairs{{0, 2, 7, 0, 3.3}, {1, -0.7, 15, 0, 0.6}};
};

/// Sum of the pairs' answers; beats of 1 s.
Matrix plant(const std::vector<LagPair>& pairs, Index rows, double sigma, math::Random& random) {
  Matrix x(rows, 3);
  x.col(0) = random_steps(rows, 5, random);
  x.col(1) = random_steps(rows, 8, random);
  Vector y = Vector::Constant(rows, 20);
  for (const LagPair& p : pairs) y += p.gain * lag_response(x.col(p.input), p).col(0);
  for (Index t = 0; t < rows; ++t) y(t) += sigma * random.normal();
  x.col(2) = y;
  return x;
}

struct Fitted {
  TrainingData data;
  LagFit fit;
  [[nodiscard]] double unit(std::size_t i) const {
    return data.std(2) / data.std(static_cast<Index>(i));
  }
};

Fitted fitted(const std::vector<Matrix>& runs, const LagStart& start, bool second) {
  Fitted f;
  f.data = training_data(train_dataset(runs, "uuy"));
  const Regression r = make_regression(f.data, 0, {true, true}, false, false);
  LagStart of_order = start;
  for (LagPair& p : of_order.pairs) p.tau2 = !second ? 0 : p.tau2 > 0 ? p.tau2 : p.tau1 / 4;
  f.fit = fit_lags(r, of_order, {kEverything});
  return f;
}

TEST(Lags, RecoverNoiseFreePlantFromRunsOfUnequalLength) {
  math::Random random(2);
  const Truth truth;
  std::vector<Matrix> runs;
  for (const Index rows : {200, 60, 120}) runs.push_back(plant(truth.pairs, rows, 0, random));
  runs[0](90, 2) = std::nan("");
  const LagStart start{{{0, 1, 4, 0, 2.5}, {1, -1, 10, 0, 0.5}}, 0};
  const Fitted f = fitted(runs, start, false);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(f.fit.pairs[i].gain * f.unit(i), truth.pairs[i].gain, 1e-6);
    EXPECT_NEAR(f.fit.pairs[i].tau1, truth.pairs[i].tau1, 1e-5);
    EXPECT_NEAR(f.fit.pairs[i].theta, truth.pairs[i].theta, 1e-6);
  }
  EXPECT_TRUE(f.fit.converged);
}

TEST(Lags, SecondOrderPlantNeedsTheSecondLag) {
  math::Random random(3);
  const std::vector<LagPair> pairs{{0, 2, 9, 4, 1.5}, {1, -0.7, 15, 6, 2.2}};
  const Matrix x = plant(pairs, 500, 0, random);
  const LagStart start{{{0, 1.5, 8, 0, 1.5}, {1, -1, 10, 0, 2.5}}, 0};
  const Fitted one = fitted({x}, start, false), two = fitted({x}, start, true);
  EXPECT_LT(two.fit.mean_square, 1e-6 * one.fit.mean_square);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(two.fit.pairs[i].tau1, pairs[i].tau1, 1e-2);
    EXPECT_NEAR(two.fit.pairs[i].tau2, pairs[i].tau2, 1e-2);
    EXPECT_NEAR(two.fit.pairs[i].theta, pairs[i].theta, 1e-2);
  }
}

TEST(Lags, IntervalsCoverTheTruth) {
  const Truth truth;
  int covered[3] = {};
  for (std::uint32_t seed = 1; seed <= 50; ++seed) {
    math::Random random(seed);
    const Matrix x = plant(truth.pairs, 400, 0.1, random);
    const LagStart start{{{0, 1, 4, 0, 2.5}, {1, -1, 10, 0, 0.5}}, 0};
    const Fitted f = fitted({x}, start, false);
    const LagPair& p = f.fit.pairs[0];
    const LagPair& s = f.fit.standard_errors[0];
    covered[0] += std::abs(p.gain * f.unit(0) - 2) <= 1.96 * s.gain * f.unit(0) ? 1 : 0;
    covered[1] += std::abs(p.tau1 - 7) <= 1.96 * s.tau1 ? 1 : 0;
    covered[2] += std::abs(p.theta - 3.3) <= 1.96 * s.theta ? 1 : 0;
  }
  // Binomial(50, 0.95): P(fewer than 43) = 0.4 %.
  for (const int c : covered) EXPECT_GE(c, 43);
}

TEST(Lags, StartFromAnArxIsNearThePlant) {
  math::Random random(4);
  const Truth truth;
  const Matrix x = plant(truth.pairs, 800, 0, random);
  const TrainingData data = training_data(train_dataset({x}, "uuy"));
  const Regression r = make_regression(data, 0, {true, true}, false, false);
  Arx arx;
  arx.structure = {4, 4, {{0, 4}, {1, 1}}};
  const auto terms = arx.structure.terms(r.nu);
  const Normal normal = normal_of(r, gram_of(r, arx.structure.max_lag(), {kEverything}));
  arx.theta = solve(normal, terms, {r.nu, 0}, {.lambda = 1e-10}).theta;
  const LagStart start = lag_start(arx);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(start.pairs[i].gain * data.std(2) / data.std(static_cast<Index>(i)),
                truth.pairs[i].gain, 0.02);
    EXPECT_NEAR(start.pairs[i].tau1 + start.pairs[i].theta,
                truth.pairs[i].tau1 + truth.pairs[i].theta, 0.5);
  }
}

}  // namespace
}  // namespace flyball::identify
