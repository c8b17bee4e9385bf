#include "model/linear_state_space.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model/models.h"

namespace flyball::model {
namespace {

TEST(LinearStateSpace, StepResponseFollowsTheEquations) {
  const Matrix s = step_response(two_by_two(), 0, 12);
  double y = 0;
  for (Index k = 0; k < 12; ++k) {
    y = 0.8 * y + (k >= 3 ? 0.5 : 0);
    EXPECT_NEAR(s(k, 0), y, 1e-14);
    EXPECT_EQ(s(k, 1), 0);
  }
  const Matrix w = step_response(two_by_two(), 1, 3);
  EXPECT_DOUBLE_EQ(w(0, 1), 2) << "direct feed-through";
  EXPECT_DOUBLE_EQ(w(1, 1), 0.3 * 2 + 3);
}

TEST(LinearStateSpace, GainIsTheEndOfTheStepResponse) {
  const Matrix gain = dc_gain(two_by_two());
  EXPECT_NEAR(gain(0, 0), 2.5, 1e-12);
  EXPECT_NEAR(gain(1, 1), 3 / 0.7, 1e-12);
  EXPECT_EQ(gain(0, 1), 0);
  EXPECT_NEAR(step_response(two_by_two(), 0, 400)(399, 0), gain(0, 0), 1e-10);
}

TEST(LinearStateSpace, StepsToShareCountTheDeadTime) {
  // 1 − 0.8ⁿ ≥ 0.63 at n = 5, the first answer stands at k = 3, so k = 7.
  EXPECT_EQ(steps_to_share(two_by_two(), 0, 0.63, 3000), 7);
  EXPECT_EQ(steps_to_share(two_by_two(), 0, 0.63, 6), -1);
}

TEST(LinearStateSpace, IntegratorHasNoSteadyState) {
  LinearStateSpace m = two_by_two();
  m.A(1, 1) = 1;
  m.integrators = 1;
  EXPECT_TRUE(std::isnan(dc_gain(m)(1, 1)));
  EXPECT_NEAR(dc_gain(m)(0, 0), 2.5, 1e-12);
  EXPECT_EQ(steps_to_share(m, 1, 0.63, 100), -1);
  EXPECT_NEAR(spectral_radius(m), 0.8, 1e-12) << "the declared integrator is not counted";
}

TEST(LinearStateSpace, SpectralRadiusOfAComplexPair) {
  LinearStateSpace m = two_by_two();
  m.A << 0.6, -0.7, 0.7, 0.6;
  EXPECT_NEAR(spectral_radius(m), std::hypot(0.6, 0.7), 1e-12);
}

}  // namespace
}  // namespace flyball::model
