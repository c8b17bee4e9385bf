#pragma once
// A loop with known truth for the tests of this room.
#include "math/random.h"
#include "testbed/signals.h"

namespace flyball::identify {

/// y(t) = plant + w, plant(t) = pole·plant(t−1) + gain·(1−pole)·u(t−lag), w an AR(1) disturbance.
/// The controller sees y(t) and moves u(t) in the same row:
/// u = kp·(r − y) + Σ ki·(r − y) + white moves of its own.
struct LoopSettings {
  Index rows = 800;
  double gain = 2, pole = 0.9;
  Index lag = 3;
  double kp = 0.8, ki = 0.05;
  double noise_pole = 0.95, noise = 0.1;
  double sensor = 0;           ///< standard deviation of white noise of the sensor
  double mv_moves = 0;         ///< standard deviation of the MV's own moves
  double set_point_moves = 0;  ///< ± of a binary set-point
  double set_point_hold = 25;  ///< mean steps
};

/// Columns u, y, r.
inline Matrix pi_loop(const LoopSettings& s, std::uint32_t seed) {
  math::Random random(seed);
  const Vector r = s.set_point_moves * testbed::gbn(s.rows, 1, s.set_point_hold, 1, random).col(0);
  Matrix x(s.rows, 3);
  double w = 0, plant = 0, integral = 0;
  for (Index t = 0; t < s.rows; ++t) {
    w = s.noise_pole * w + s.noise * random.normal();
    plant = s.pole * plant + (t >= s.lag ? s.gain * (1 - s.pole) * x(t - s.lag, 0) : 0);
    x(t, 1) = plant + w + (s.sensor > 0 ? s.sensor * random.normal() : 0);
    const double error = r(t) - x(t, 1);
    integral += s.ki * error;
    x(t, 0) = s.kp * error + integral + s.mv_moves * random.normal();
    x(t, 2) = r(t);
  }
  return x;
}

}  // namespace flyball::identify
