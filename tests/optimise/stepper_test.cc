#include "optimise/stepper.h"

#include <gtest/gtest.h>

#include <limits>

#include "math/random.h"
#include "plants.h"

namespace flyball::optimise {
namespace {

/// Row by row it plans what solve() plans from the whole history.
TEST(Stepper, PlansWhatSolvePlans) {
  const auto m = lags({{{1.2, 0.85, 2}, {-0.6, 0.9, 3}, {0.7, 0.8, 2}},
                       {{0.5, 0.8, 4}, {1.5, 0.9, 1}, {0, 0.5, 1}}},
                      2, {10, 20, 3}, {50, -8});
  ProblemIr p = problem_for(m, 25, 6);
  p.solver.steady_state = SteadyLayer::off;  // a stepper keeps the targets that it was given
  p.cv[0].ref = 53;
  p.cv[0].hard_max = 60;
  p.cv[1].soft_max = -7;
  p.cv[1].soft_min = -9;
  p.mv[0].target = 9;
  p.mv[0].target_weight = 0.2;
  p.cv[1].role = CvRole::min;
  p.cv[1].weight = 0.3;
  // Long enough for the filter's gain to be the steady one, which a stepper has.
  p.history.insert(p.history.begin(), 2000, p.history.front());
  Stepper stepper(p, m);
  math::Random r(2);
  for (int t = 0; t < 40; ++t) {
    const double u[3] = {p.u_prev[0] + r.uniform(-0.5, 0.5), p.u_prev[1] + r.uniform(-0.5, 0.5),
                         3 + r.uniform(-1, 1)};
    double y[2] = {50 + r.uniform(-1, 1), -8 + r.uniform(-0.5, 0.5)};
    HistoryRow row{{u[0], u[1], u[2]}, {y[0], y[1]}};
    if (t % 7 == 3) {
      y[1] = std::numeric_limits<double>::quiet_NaN();
      row.y[1].reset();
    }
    p.history.push_back(row);
    p.u_prev = {u[0], u[1]};
    ASSERT_EQ(stepper.step(u, y), Answer::solved);
    const SolveResult s = solve(p, m);
    if (!s.relaxed.empty()) continue;  // ranks to the letter are solve's
    ASSERT_FALSE(s.candidates.empty());
    for (Index i = 0; i < 2; ++i)
      EXPECT_NEAR(stepper.u(i), s.candidates[0].controls[0][static_cast<std::size_t>(i)], 1e-7)
          << t;
    for (Index k = 0; k < 25; ++k)
      EXPECT_NEAR(stepper.y(0)[k], s.candidates[0].predicted[static_cast<std::size_t>(k)][0], 1e-7);
  }
}

TEST(Stepper, IsNoexcept) {
  const double* any = nullptr;
  Stepper* stepper = nullptr;
  static_assert(noexcept(stepper->step(any, any)));
  (void)any;
  (void)stepper;
}

}  // namespace
}  // namespace flyball::optimise
