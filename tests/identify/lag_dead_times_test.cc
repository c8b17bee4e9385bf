#include "identify/lag_dead_times.h"

#include <gtest/gtest.h>

#include "identify/identify_auto.h"
#include "identify/plants.h"
#include "identify/records.h"

namespace flyball::identify {
namespace {

constexpr Interval kEverything{0, 1 << 30};

/// Two pairs with white noise at 20 dB.
Matrix record(double theta1, double theta2, std::uint32_t seed) {
  math::Random random(seed);
  Matrix x(1500, 3);
  x.col(0) = random_steps(1500, 5, random);
  x.col(1) = random_steps(1500, 8, random);
  const LagPair one{0, 2, 16, 0, theta1}, two{1, -1.5, 20, 0, theta2};
  Vector y = lag_response(x.col(0), one).col(0) * 2 + lag_response(x.col(1), two).col(0) * -1.5;
  add_noise(y, 20, random);
  x.col(2) = y;
  return x;
}

LagFit fit_of(const Matrix& x) {
  const TrainingData data = training_data(train_dataset({x}, "uuy"));
  const Regression r = make_regression(data, 0, {true, true}, false, false);
  return fit_lags(r, {{{0, 1, 10, 0, 2.5}, {1, -1, 10, 0, 5.5}}, 0, {}}, {kEverything});
}

TEST(LagDeadTimes, WholeOnesAreNotTakenAStepEarly) {
  int exact = 0;
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    const Matrix x = record(3, 5, seed);
    const TrainingData data = training_data(train_dataset({x}, "uuy"));
    const Regression r = make_regression(data, 0, {true, true}, false, false);
    const auto lags = first_lags(r, fit_of(x), {kEverything});
    exact += lags == std::vector<Index>{4, 6} ? 1 : 0;
  }
  EXPECT_EQ(exact, 10) << "⌊θ⌋ + 1 alone is right in a quarter of the records";
}

TEST(LagDeadTimes, FractionsEndAtTheStepThatHoldsThem) {
  const Matrix x = record(2.6, 5.4, 3);
  const TrainingData data = training_data(train_dataset({x}, "uuy"));
  const Regression r = make_regression(data, 0, {true, true}, false, false);
  EXPECT_EQ(first_lags(r, fit_of(x), {kEverything}), (std::vector<Index>{3, 6}));
}

TEST(LagDeadTimes, ArxOfLagsHasTheirAnswers) {
  LagFit fit;
  fit.pairs = {{0, 2, 7, 2.5, 3.3}, {1, -0.7, 15, 0, 0.6}};
  const Arx arx = arx_of(fit);
  Vector step = Vector::Ones(60);
  step(0) = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    LagPair unit = fit.pairs[i];
    const Vector expected = unit.gain * lag_response(step, unit).col(0).tail(59);
    const Vector answer = step_response(arx, static_cast<Index>(i), 59);
    EXPECT_LT((answer - expected).cwiseAbs().maxCoeff(), 1e-9) << i;
    EXPECT_NEAR(gain(arx, static_cast<Index>(i)), unit.gain, 1e-9);
  }
}

TEST(LagDeadTimes, AutoReportsThem) {
  // A quarter of the first step's answer: an ARX misses it under noise.
  const Matrix x = record(2.75, 5, 4);
  const AutoResult r = identify_auto(train_dataset({x}, "uuy"));
  const auto& d = r.result.findings.dead_times;
  EXPECT_EQ(d[0].steps, 3);
  EXPECT_EQ(d[1].steps, 6);
  for (const DeadTime& of_pair : d) {
    EXPECT_TRUE(of_pair.by_lags);
    EXPECT_LE(of_pair.low, of_pair.steps);
    EXPECT_GE(of_pair.high, of_pair.steps);
  }
}

}  // namespace
}  // namespace flyball::identify
