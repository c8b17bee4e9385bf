#include "testbed/closed_loop.h"

#include <gtest/gtest.h>

#include <cmath>

namespace flyball::testbed {
namespace {

/// One move at the start: the loop is the open-loop simulation of the plant that differs.
TEST(ClosedLoop, IsThePlantWithItsDifferences) {
  LoopSpec spec;
  spec.plant = fopdt();  // K = 2, τ = 10 s, θ = 3 s
  spec.gain_factor = 1.5;
  spec.extra_dead_time = 2;
  spec.steps = 40;
  const double u0 = spec.plant.u0[0];
  const double y0 = spec.plant.y0[0];
  const auto r = run_loop(spec, [&](const LoopView&) {
    return LoopMove{Vector::Constant(1, u0 + 1), Vector::Constant(1, y0)};
  });
  double error = 0;
  for (Index t = 0; t < 40; ++t) {
    const double answer = t < 5 ? 0.0 : 3 * (1 - std::exp(-static_cast<double>(t - 5) / 10));
    EXPECT_NEAR(r.y(t, 0), y0 + answer, 1e-9) << t;
    error += answer;
  }
  EXPECT_NEAR(r.absolute_error(0), error, 1e-9);
  EXPECT_NEAR(r.travel(0), 1, 1e-12);
}

TEST(ClosedLoop, AStuckValveStaysAndAMissingSignalIsNan) {
  LoopSpec spec;
  spec.plant = fopdt();
  spec.steps = 20;
  spec.stuck_input = 0;
  spec.stuck_from = 5;
  spec.stuck_to = 10;
  spec.missing_output = 0;
  spec.missing_from = 3;
  spec.missing_to = 4;
  const double u0 = spec.plant.u0[0];
  const auto r = run_loop(spec, [&](const LoopView& v) {
    return LoopMove{Vector::Constant(1, u0 + static_cast<double>(v.t)), Vector::Zero(1)};
  });
  EXPECT_EQ(r.u(9, 0), u0 + 4);
  EXPECT_EQ(r.u(10, 0), u0 + 10);
  EXPECT_TRUE(std::isnan(r.y(3, 0)));
  EXPECT_FALSE(std::isnan(r.y(4, 0)));
}

}  // namespace
}  // namespace flyball::testbed
