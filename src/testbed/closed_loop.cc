#include "testbed/closed_loop.h"

#include <cmath>
#include <limits>

#include "math/random.h"

namespace flyball::testbed {

LoopRecord run_loop(const LoopSpec& spec,
                    const std::function<LoopMove(const LoopView&)>& controller) {
  const Index nu = spec.plant.inputs();
  const Index ny = spec.plant.outputs();
  std::vector<std::vector<Channel>> channels;
  for (const auto& row : spec.plant.channels) {
    channels.emplace_back();
    for (ChannelSpec c : row) {
      c.gain *= spec.gain_factor;
      if (c.gain != 0) c.dead_time = std::max(0.0, c.dead_time + spec.extra_dead_time);
      channels.back().emplace_back(c, spec.period);
    }
  }
  const Vector u0 = Eigen::Map<const Vector>(spec.plant.u0.data(), nu);
  const Vector y0 = Eigen::Map<const Vector>(spec.plant.y0.data(), ny);
  LoopRecord out{Matrix(spec.steps, nu), Matrix(spec.steps, ny), Matrix(spec.steps, ny),
                 Vector::Zero(ny),       Vector::Zero(ny),       Vector::Zero(nu)};
  math::Random random(spec.seed);
  Vector now = u0, made = y0;
  for (Index t = 0; t < spec.steps; ++t) {
    Vector y = made;
    for (Index j = 0; j < ny; ++j)
      for (Index i = 0; i < nu; ++i)
        y(j) += channels[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)].output();
    if (spec.shift.size() > 0 && t >= spec.shift_at) y += spec.shift;
    const LoopMove move = controller({t, out.u, out.y, now});
    for (Index i = 0; i < nu; ++i) {
      const bool stuck = i == spec.stuck_input && t >= spec.stuck_from && t < spec.stuck_to;
      const double next = stuck ? now(i) : move.u(i);
      out.travel(i) += std::abs(next - now(i));
      now(i) = next;
    }
    out.u.row(t) = now.transpose();
    out.y_clean.row(t) = y.transpose();
    for (Index j = 0; j < ny; ++j) {
      out.absolute_error(j) += std::abs(y(j) - move.reference(j)) * spec.period;
      if (spec.low.size() > 0)
        out.violation(j) += std::max({0.0, y(j) - spec.high(j), spec.low(j) - y(j)}) * spec.period;
      const bool missing =
          j == spec.missing_output && t >= spec.missing_from && t < spec.missing_to;
      out.y(t, j) =
          missing ? std::numeric_limits<double>::quiet_NaN() : y(j) + spec.noise * random.normal();
    }
    if (spec.machine) made = spec.machine(u0 + spec.gain_factor * (now - u0));
    for (auto& row : channels)
      for (Index i = 0; i < nu; ++i) row[static_cast<std::size_t>(i)].advance(now(i) - u0(i));
  }
  return out;
}

}  // namespace flyball::testbed
