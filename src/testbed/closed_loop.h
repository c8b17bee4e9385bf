#pragma once
// A controller in a loop with a plant that is not its model: gains and dead times that differ,
// noise, disturbances, a stuck valve, missing signals; and what the loop did, in numbers.
#include <functional>
#include <optional>
#include <vector>

#include "testbed/testbed.h"

namespace flyball::testbed {

struct LoopSpec {
  Plant plant;
  /// A plant that is not its channels (which then only say how many inputs and outputs there are):
  /// inputs held for a period to the outputs at its end; at rest at u0, y0 at first. It has no
  /// dead time of its own.
  std::function<Vector(const Vector& u)> machine;
  double period = 1;  ///< seconds
  Index steps = 200;
  double gain_factor = 1;      ///< of every channel
  double extra_dead_time = 0;  ///< seconds, of every channel
  double noise = 0;            ///< standard deviation of white noise on every output
  Vector shift;                ///< ny, added to the outputs from step shift_at on; empty: none
  Index shift_at = 0;
  Index stuck_input = -1;  ///< this valve stays where it is from stuck_from to stuck_to
  Index stuck_from = 0, stuck_to = 0;
  Index missing_output = -1;  ///< this measurement is missing from missing_from to missing_to
  Index missing_from = 0, missing_to = 0;
  Vector low, high;  ///< ny, limits of the outputs that violations are counted against
  std::uint32_t seed = 1;
};

/// What a controller sees at step t: rows 0..t−1 of the inputs as they were and of the outputs as
/// they were measured (NaN: missing), and where the inputs are now.
struct LoopView {
  Index t = 0;
  const Matrix& u;
  const Matrix& y;
  Vector u_now;
};
/// New inputs, and the set-points that errors are counted against.
struct LoopMove {
  Vector u, reference;
};

struct LoopRecord {
  Matrix u, y;            ///< steps × nu as applied, steps × ny as measured
  Matrix y_clean;         ///< without noise
  Vector absolute_error;  ///< ny, Σ |y − reference|·period, without noise
  Vector violation;       ///< ny, Σ of the excess over low and high·period
  Vector travel;          ///< nu, Σ |Δu|
};

LoopRecord run_loop(const LoopSpec& spec,
                    const std::function<LoopMove(const LoopView&)>& controller);

}  // namespace flyball::testbed
