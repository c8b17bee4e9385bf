#include "identify/simulated_gain.h"

#include <gtest/gtest.h>

#include <cmath>

#include "identify/identify_auto.h"
#include "identify/plants.h"
#include "identify/records.h"

namespace flyball::identify {
namespace {

struct Count {
  int inside = 0, warned = 0, gains = 0;
};

/// Two lags of one CV under noise that `add` adds, over ten seeds.
template <class Add>
Count over_seeds(const Add& add) {
  constexpr double kGain[] = {2, -1.5};
  Count out;
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    math::Random random(seed);
    Matrix x(2000, 3);
    x.col(0) = random_steps(2000, 12, random);
    x.col(1) = random_steps(2000, 12, random);
    Vector y = first_order(x.col(0), kGain[0], 0.92, 5) + first_order(x.col(1), kGain[1], 0.95, 9);
    add(y, random);
    x.col(2) = y;
    const IdentifyResult r = identify_arx(train_dataset({x}, "uuy"));
    for (const StepResponse& s : r.findings.step_responses) {
      const double truth = kGain[s.input == "u1" ? 0 : 1];
      ++out.gains;
      out.inside += std::abs(*s.gain - truth) <= 1.96 * *s.gain_std_error ? 1 : 0;
    }
    for (const Message& m : r.findings.warnings) out.warned += m.code == "ARX_GAIN_BIASED" ? 1 : 0;
  }
  return out;
}

TEST(SimulatedGain, UnderWhiteOutputNoiseTheRangeHoldsTheTruthAndTheBiasIsTold) {
  const Count c = over_seeds([](Vector& y, math::Random& random) { add_noise(y, 20, random); });
  ASSERT_EQ(c.gains, 20);
  EXPECT_GE(c.inside, 18);
  EXPECT_GE(c.warned, 8);
}

TEST(SimulatedGain, UnderARandomWalkTheRangeHoldsTheTruth) {
  const Count c = over_seeds([](Vector& y, math::Random& random) {
    double level = 0;
    for (double& v : y) v += level += 0.03 * random.normal();
  });
  ASSERT_EQ(c.gains, 20);
  EXPECT_GE(c.inside, 16);
}

/// Two time constants in one denominator of first order, under a disturbance that wanders: the fit
/// of lags to the changes, as likely and with a time constant of its own for each, is in the range.
TEST(SimulatedGain, UnderSlowNoiseEachInputKeepsItsOwnTimeConstant) {
  constexpr double kGain[] = {2, -1};
  int inside = 0, gains = 0;
  for (std::uint32_t seed = 1; seed <= 12; ++seed) {
    math::Random random(seed);
    Matrix x(800, 3);
    for (Index c = 0; c < 2; ++c) {
      double level = 1;
      for (Index t = 0; t < 800; ++t) x(t, c) = level = random.uniform() < 0.03 ? -level : level;
    }
    Vector y =
        first_order(x.col(0), kGain[0], 0.905, 4) + first_order(x.col(1), kGain[1], 0.9355, 2);
    double w = 0;
    for (double& v : y) v += w = 0.995 * w + 0.1 * random.normal();
    x.col(2) = y;
    const Families subspace{
        .arx = false, .subspace = true, .prediction_error = false, .output_error = false};
    const AutoResult r = identify_auto(train_dataset({x}, "uuy"), {}, subspace);
    for (const StepResponse& s : r.result.findings.step_responses) {
      if (!s.gain || !s.gain_std_error) continue;
      const double truth = kGain[s.input == "u1" ? 0 : 1];
      ++gains;
      inside += std::abs(*s.gain - truth) <= 1.96 * *s.gain_std_error ? 1 : 0;
    }
  }
  EXPECT_GE(gains, 20);
  EXPECT_GE(inside, gains - 2);
}

TEST(SimulatedGain, NoiseOfTheEquationIsNoBias) {
  int warned = 0;
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    math::Random random(seed);
    Matrix x(2000, 2);
    x.col(0) = random_steps(2000, 12, random);
    Vector y = Vector::Zero(2000);
    for (Index t = 3; t < 2000; ++t)
      y(t) = 0.9 * y(t - 1) + 0.2 * x(t - 3, 0) + 0.05 * random.normal();
    x.col(1) = y;
    for (const Message& m : identify_arx(train_dataset({x}, "uy")).findings.warnings)
      warned += m.code == "ARX_GAIN_BIASED" ? 1 : 0;
  }
  EXPECT_LE(warned, 1);
}

IdentifyResult as_level(const Vector& u, const Vector& y) {
  Matrix x(u.size(), 2);
  x << u, y;
  dataset::Dataset d = train_dataset({x}, "uy");
  d.spec.variables[1].integrating = true;
  return identify_arx(d);
}

TEST(LevelDoubt, ACvThatSettlesIsNoLevelAndALevelIsOne) {
  math::Random random(3);
  const Vector u = random_steps(2000, 12, random);
  Vector settles = first_order(u, 2, 0.92, 3), level = Vector::Zero(2000);
  add_noise(settles, 26, random);
  for (Index t = 3; t < 2000; ++t) level(t) = level(t - 1) + 0.05 * u(t - 3);
  add_noise(level, 26, random);
  EXPECT_TRUE(as_level(u, settles).findings.cvs[0].settles_by_itself);
  EXPECT_FALSE(as_level(u, level).findings.cvs[0].settles_by_itself);
}

}  // namespace
}  // namespace flyball::identify
