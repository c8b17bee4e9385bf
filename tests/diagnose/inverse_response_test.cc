// An inverse response of the plant is told with its size; one that only the model has is not
// certain.
#include "diagnose/inverse_response.h"

#include <gtest/gtest.h>

#include "identify/identify_auto.h"
#include "identify/plants.h"
#include "identify/records.h"

namespace flyball::diagnose {
namespace {

using identify::first_order;
using identify::train_dataset;

/// 3·lag(0.9) − 1.5·lag(0.6): starts at −1.5·0.4 + 3·0.1 = −0.3 of a gain of 1.5.
Matrix record(double fast, double decibel, std::uint32_t seed) {
  math::Random random(seed);
  Matrix x(1500, 2);
  x.col(0) = identify::random_steps(1500, 6, random);
  Vector y = first_order(x.col(0), 3, 0.9, 2) + first_order(x.col(0), fast, 0.6, 2);
  identify::add_noise(y, decibel, random);
  x.col(1) = y;
  return x;
}

TEST(InverseResponse, OfThePlantIsToldWithItsSize) {
  const auto found = identify::identify_arx(train_dataset({record(-1.5, 35, 1)}, "uy"));
  const auto list = inverse_responses_of(found.findings);
  ASSERT_EQ(list.size(), 1u);
  // h(1) = 3(1 − 0.9²) − 1.5(1 − 0.6²) = −0.39, h(2) = 3·0.271 − 1.5·0.784 = −0.363.
  EXPECT_TRUE(list[0].certain);
  EXPECT_NEAR(list[0].share, 0.39 / 1.5, 0.05);
  EXPECT_LE(list[0].low, 0.26);
  EXPECT_GE(list[0].high, 0.26);
}

TEST(InverseResponse, IsNotClaimedOfAMinimumPhasePlant) {
  int certain = 0;
  for (std::uint32_t seed = 1; seed <= 8; ++seed) {
    const auto data = train_dataset({record(0.5, 10, seed)}, "uy");
    const identify::Families families{
        .arx = false, .subspace = true, .prediction_error = false, .output_error = false};
    for (const auto& r : inverse_responses_of(identify_auto(data, {}, families).result.findings))
      certain += r.certain ? 1 : 0;
  }
  EXPECT_LE(certain, 1);
}

/// Steady gain 1, answer h of any shape, known exactly.
identify::Findings answer(const std::vector<double>& h, double gain) {
  identify::StepResponse s;
  s.input = "u1";
  s.cv = "y1";
  s.values = h;
  s.standard_errors.assign(h.size(), 0.001);
  s.gain = gain;
  s.gain_std_error = 0.001;
  identify::Findings f;
  f.step_responses.push_back(s);
  return f;
}

/// Step response of (b1 q⁻¹ + b2 q⁻²)/(1 + a1 q⁻¹ + a2 q⁻²) with poles r·exp(±iw) and its gain.
identify::Findings second_order(double r, double w, double b1, double b2) {
  const double a1 = -2 * r * std::cos(w), a2 = r * r;
  std::vector<double> h(200, 0);
  for (std::size_t k = 1; k < h.size(); ++k) {
    h[k] = -a1 * h[k - 1] + b1;
    if (k > 1) h[k] += b2 - a2 * h[k - 2];
  }
  return answer(h, (b1 + b2) / (1 + a1 + a2));
}

TEST(InverseResponse, ARingingPlantMovesBothWaysAndIsNotCalledInverse) {
  EXPECT_TRUE(inverse_responses_of(second_order(0.97, 0.3, 0.05, 0.03)).empty());
  EXPECT_TRUE(inverse_responses_of(second_order(0.97, 0.3, -0.05, 0.13)).empty());
  // Dips below 0 later by far, as a flexible arm does.
  EXPECT_TRUE(inverse_responses_of(second_order(0.97, 0.3, 0.5, -0.42)).empty());
}

TEST(InverseResponse, AGainOfNothingHasNoOppositeWay) {
  EXPECT_TRUE(inverse_responses_of(second_order(0.8, 0, -1, 1.001)).empty());
}

TEST(InverseResponse, OfADampedPlantWithALittleOvershootIsTold) {
  // Damping about 0.5: it overshoots once.
  const auto list = inverse_responses_of(second_order(0.9, 0.18, -0.04, 0.08));
  ASSERT_EQ(list.size(), 1u);
  const double a1 = -2 * 0.9 * std::cos(0.18), a2 = 0.81, gain = 0.04 / (1 + a1 + a2);
  EXPECT_NEAR(list[0].share, 0.04 / gain, 1e-9);
  EXPECT_EQ(list[0].at, 1);
}

TEST(InverseResponse, AResonanceThatIsIdentifiedIsNotCalledInverse) {
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    math::Random random(seed);
    Matrix x(2000, 2);
    x.col(0) = identify::random_steps(2000, 15, random);
    Vector y = Vector::Zero(2000);
    for (Index t = 2; t < 2000; ++t)
      y(t) = 1.85 * y(t - 1) - 0.93 * y(t - 2) + 0.5 * x(t - 1, 0) - 0.47 * x(t - 2, 0);
    identify::add_noise(y, 30, random);
    x.col(1) = y;
    const auto found = identify::identify_arx(train_dataset({x}, "uy"));
    EXPECT_TRUE(inverse_responses_of(found.findings).empty()) << seed;
  }
}

}  // namespace
}  // namespace flyball::diagnose
