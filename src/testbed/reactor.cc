#include "testbed/reactor.h"

#include <algorithm>
#include <cmath>

namespace flyball::testbed {
namespace {

constexpr double kHeatUnit = 100, kConcentrationUnit = 0.1;
constexpr double kHour = 3600;

Vector slope(const Vector& x, double feed, double heat) {
  const double ca = x(0), cb = x(1), t = x(2), tk = x(3);
  const double k12 = 1.287e12 * std::exp(-9758.3 / (t + 273.15));  // 1/h
  const double k3 = 9.043e9 * std::exp(-8560 / (t + 273.15));      // l/(mol h)
  const double density = 0.9342, capacity = 3.01, volume = 10;     // kg/l, kJ/(kg K), l
  const double wall = 4032 * 0.215;                                // kJ/(h K)
  const double jacket = 5 * 2.0;                                   // kJ/K
  const double feed_a = 5.10, feed_t = 104.9;                      // mol/l, °C
  const double reaction = 4.2 * k12 * ca - 11.0 * k12 * cb - 41.85 * k3 * ca * ca;  // kJ/(l h)
  Vector out(4);
  out << feed * (feed_a - ca) - k12 * ca - k3 * ca * ca, -feed * cb + k12 * ca - k12 * cb,
      feed * (feed_t - t) + wall / (density * capacity * volume) * (tk - t) -
          reaction / (density * capacity),
      (heat + wall * (t - tk)) / jacket;
  return out;
}

Vector outputs(const Vector& state) {
  Vector y(2);
  y << state(0) / kConcentrationUnit, state(2);
  return y;
}

}  // namespace

StirredReactor::StirredReactor() : state_(4) {
  state_ << 2.14, 1.09, 114.2, 112.9;
  advance(kFeed, kHeat, 10 * kHour);
}

void StirredReactor::advance(double feed, double heat, double seconds) {
  const int steps = std::max(1, static_cast<int>(std::ceil(seconds / 2.5)));
  const double h = seconds / kHour / steps;
  for (int i = 0; i < steps; ++i) {
    const Vector a = slope(state_, feed, heat);
    const Vector b = slope(state_ + h / 2 * a, feed, heat);
    const Vector c = slope(state_ + h / 2 * b, feed, heat);
    const Vector d = slope(state_ + h * c, feed, heat);
    state_ += h / 6 * (a + 2 * b + 2 * c + d);
  }
}

model::LinearStateSpace linear_reactor(double period) {
  const StirredReactor rest;
  const auto after = [&](const Vector& state, double feed, double heat) {
    StirredReactor r(state);
    r.advance(feed, heat, period);
    return r.state();
  };
  constexpr double kFeedStep = 1e-3, kHeatStep = 1e-1;
  model::LinearStateSpace m;
  m.A = Matrix(4, 4);
  for (Index i = 0; i < 4; ++i) {
    const double h = 1e-5 * std::max(1.0, rest.state()(i));
    Vector up = rest.state(), down = up;
    up(i) += h;
    down(i) -= h;
    m.A.col(i) = (after(up, StirredReactor::kFeed, StirredReactor::kHeat) -
                  after(down, StirredReactor::kFeed, StirredReactor::kHeat)) /
                 (2 * h);
  }
  const Vector& x = rest.state();
  m.B = Matrix(4, 2);
  m.B.col(0) = (after(x, StirredReactor::kFeed + kFeedStep, StirredReactor::kHeat) -
                after(x, StirredReactor::kFeed - kFeedStep, StirredReactor::kHeat)) /
               (2 * kFeedStep);
  m.B.col(1) = kHeatUnit *
               (after(x, StirredReactor::kFeed, StirredReactor::kHeat + kHeatStep) -
                after(x, StirredReactor::kFeed, StirredReactor::kHeat - kHeatStep)) /
               (2 * kHeatStep);
  m.C = Matrix::Zero(2, 4);
  m.C(0, 0) = 1 / kConcentrationUnit;
  m.C(1, 2) = 1;
  m.D = Matrix::Zero(2, 2);
  m.K = Matrix::Zero(4, 2);
  m.f = Vector::Zero(4);
  m.g = outputs(x);
  m.u0 = Vector(2);
  m.u0 << StirredReactor::kFeed, StirredReactor::kHeat / kHeatUnit;
  m.S = Matrix::Identity(2, 2) * 1e-4;
  m.n_mv = 2;
  m.channels = {{0, 0}, {1, 0}};
  return m;
}

Vector ReactorLoop::step(const Vector& u) {
  reactor.advance(u(0), u(1) * kHeatUnit, period);
  return outputs(reactor.state());
}

}  // namespace flyball::testbed
