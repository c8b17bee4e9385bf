// The injection line by its equations, and its linear part.
#include "testbed/injection.h"

#include <gtest/gtest.h>

#include <cmath>

#include "testbed/plants.h"
#include "testbed/state_space.h"

namespace flyball::testbed {
namespace {

TEST(InjectionLine, RestsWhereItsEquationsSay) {
  math::Random r(1);
  InjectionLine line(60, 247);
  InjectionLine::Part part;
  for (int t = 0; t < 400; ++t) part = line.step(70.5, 252, r);
  EXPECT_NEAR(part.weight, 31.8 + 1.05 + 0.075, 1e-6);
  EXPECT_NEAR(part.sink, 0.02 * 2 - 0.035 * 0.5, 1e-6);
  EXPECT_EQ(part.flash, 0);
  for (int t = 0; t < 400; ++t) part = line.step(80, 240, r);
  EXPECT_NEAR(part.flash, 0.24, 1e-6);
  EXPECT_EQ(part.sink, 0);
}

/// 63 % after the time constant, one cycle late.
TEST(InjectionLine, AnswersWithItsTimeConstantsACycleLate) {
  math::Random r(1);
  InjectionLine line(60, 250);
  const double before = line.step(65, 250, r).weight;
  EXPECT_EQ(line.step(65, 250, r).weight, before) << "made before the change";
  line.step(65, 250, r);                              // made after one cycle at 65
  const double after = line.step(65, 250, r).weight;  // after two: 5 s
  EXPECT_NEAR(after - before, 0.10 * 5 * (1 - std::exp(-1.0)), 1e-9);
}

/// Inside the region the linear plant is the same, sample by sample.
TEST(InjectionLine, IsItsLinearPartBelow70BarAndAbove250Degrees) {
  math::Random r(5), none(1);
  const auto m = state_space(injection_line(), InjectionLine::kCycle);
  InjectionLine line(62, 255);
  Vector x = Vector::Zero(m.states());
  std::vector<Vector> past(4, m.u0);
  for (int t = 0; t < 300; ++t) {
    Vector u(2);
    u << 62 + r.uniform(-4, 4), 255 + r.uniform(-4, 4);
    const Vector y = m.C * x + m.g;
    const InjectionLine::Part part = line.step(u(0), u(1), none);
    ASSERT_NEAR(part.weight, y(0), 1e-9) << t;
    ASSERT_NEAR(part.sink, y(1), 1e-9) << t;
    past.insert(past.begin(), u);
    Vector in(static_cast<Index>(m.channels.size()));
    for (std::size_t c = 0; c < m.channels.size(); ++c)
      in(static_cast<Index>(c)) =
          past[static_cast<std::size_t>(m.channels[c].delay)](m.channels[c].input) -
          m.u0(m.channels[c].input);
    x = (m.A * x + m.B * in).eval();
  }
}

TEST(InjectionLine, FlashAndSinkAreNotLinear) {
  EXPECT_EQ(InjectionLine::flash(78), 0);
  EXPECT_NEAR(InjectionLine::flash(79), 0.12, 1e-12);
  EXPECT_EQ(InjectionLine::sink(75, 250), 0);
}

}  // namespace
}  // namespace flyball::testbed
