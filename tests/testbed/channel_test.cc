#include "testbed/channel.h"

#include <gtest/gtest.h>

#include <cmath>

namespace flyball::testbed {
namespace {

/// y at 0, T, 2T, ... for u = 1 from t = 0 on.
std::vector<double> step_answer(const ChannelSpec& spec, double period, int steps) {
  Channel channel(spec, period);
  std::vector<double> y;
  for (int t = 0; t < steps; ++t) {
    y.push_back(channel.output());
    channel.advance(1);
  }
  return y;
}

double since(double t, const ChannelSpec& spec) {
  return std::max(0.0, t - spec.dead_time);
}

TEST(Channel, FirstOrderFollowsItsFormulaForAnyDeadTime) {
  for (const double theta : {0.0, 0.3, 1.0, 2.5, 7.0}) {
    const ChannelSpec spec{.gain = 2, .tau1 = 6, .dead_time = theta};
    const auto y = step_answer(spec, 0.5, 60);
    for (int k = 0; k < 60; ++k) {
      EXPECT_NEAR(y[static_cast<std::size_t>(k)], 2 * (1 - std::exp(-since(0.5 * k, spec) / 6)),
                  1e-12)
          << theta;
    }
  }
}

TEST(Channel, SecondOrderFollowsItsFormula) {
  const ChannelSpec spec{.gain = 1.5, .tau1 = 12, .tau2 = 5, .dead_time = 2.25};
  const auto y = step_answer(spec, 1, 80);
  for (int k = 0; k < 80; ++k) {
    const double t = since(k, spec);
    EXPECT_NEAR(y[static_cast<std::size_t>(k)],
                1.5 * (1 - (12 * std::exp(-t / 12) - 5 * std::exp(-t / 5)) / 7), 1e-12);
  }
}

TEST(Channel, EqualTimeConstantsAreTheLimitOfNearlyEqualOnes) {
  const auto equal = step_answer({.gain = 1, .tau1 = 5, .tau2 = 5}, 1, 40);
  const auto nearly = step_answer({.gain = 1, .tau1 = 5, .tau2 = 5.0001}, 1, 40);
  for (std::size_t k = 0; k < equal.size(); ++k) EXPECT_NEAR(equal[k], nearly[k], 1e-4);
  EXPECT_NEAR(equal[20], 1 - (1 + 4.0) * std::exp(-4.0), 1e-12);
}

TEST(Channel, AnIntegratorRampsByItsGain) {
  const ChannelSpec spec{.gain = 0.02, .dead_time = 1.5, .integrating = true};
  const auto y = step_answer(spec, 1, 30);
  for (int k = 0; k < 30; ++k)
    EXPECT_NEAR(y[static_cast<std::size_t>(k)], 0.02 * since(k, spec), 1e-12);
}

TEST(Channel, DeadStepsIsTheFirstLagThatAnswers) {
  for (const double theta : {0.0, 0.4, 1.0, 2.999999999999, 3.0, 5.7}) {
    const ChannelSpec spec{.gain = 1, .tau1 = 3, .dead_time = theta};
    const auto y = step_answer(spec, 1, 12);
    int first = 0;
    while (y[static_cast<std::size_t>(first)] == 0) ++first;
    EXPECT_EQ(spec.dead_steps(1), first) << theta;
  }
}

TEST(Channel, WithoutGainNothingMoves) {
  for (const double y : step_answer({}, 1, 5)) EXPECT_EQ(y, 0);
}

}  // namespace
}  // namespace flyball::testbed
