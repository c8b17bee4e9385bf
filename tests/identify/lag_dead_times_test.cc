#include "identify/lag_dead_times.h"

#include <gtest/gtest.h>

#include "identify/identify_auto.h"
#include "identify/plants.h"
#include "identify/records.h"

namespace flyball::identify {
namespace {

constexpr Interval kEverything{0, 1 << 30};

/// Two pairs with white noise.
Matrix record(double theta1, double theta2, std::uint32_t seed, double snr_db = 20) {
  math::Random random(seed);
  Matrix x(1500, 3);
  x.col(0) = random_steps(1500, 5, random);
  x.col(1) = random_steps(1500, 8, random);
  const LagPair one{0, 2, 16, 0, theta1}, two{1, -1.5, 20, 0, theta2};
  Vector y = lag_response(x.col(0), one).col(0) * 2 + lag_response(x.col(1), two).col(0) * -1.5;
  add_noise(y, snr_db, random);
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

bool stand(const Matrix& x) {
  const auto dataset = train_dataset({x}, "uuy");
  const TrainingData data = training_data(dataset);
  IdentifyResult found = identify_arx(dataset, {});
  const CvContext context = context_of(data, 0, found);
  const auto trials = try_subspace_and_refined(context, {.arx = false, .subspace = false}, {});
  return sharpen_dead_times(context, trials, found.findings.dead_times).stand;
}

/// A trial of many parameters finds resonances in any noise: it has to win by more than that.
TEST(LagDeadTimes, StandForAPlantOfLagsUnderNoise) {
  int standing = 0;
  for (std::uint32_t seed = 1; seed <= 12; ++seed) standing += stand(record(2.4, 5.6, seed, 10));
  EXPECT_EQ(standing, 12);
}

TEST(LagDeadTimes, DoNotStandForAPlantThatOscillates) {
  Matrix x = record(3, 5, 1);
  for (Index t = 2; t < x.rows(); ++t) {
    x(t, 2) = 1.6 * x(t - 1, 2) - 0.8 * x(t - 2, 2) + 0.2 * x(t - 2, 0) - 0.1 * x(t - 1, 1);
  }
  math::Random random(2);
  Vector y = x.col(2);
  add_noise(y, 10, random);
  x.col(2) = y;
  EXPECT_FALSE(stand(x));
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
