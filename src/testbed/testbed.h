#pragma once
// Simulated plants whose truth is known, for tests, benchmarks and the demo. Records are marked
// nowhere as real: whoever stores one says evidence "simulation".
#include <optional>
#include <string>
#include <vector>

#include "math/types.h"
#include "testbed/channel.h"

namespace flyball::testbed {

/// ny × nu channels, row by row, around an operating point in engineering units.
struct Plant {
  std::vector<std::vector<ChannelSpec>> channels;  ///< [output][input]
  std::vector<double> u0, y0;

  [[nodiscard]] Index outputs() const { return static_cast<Index>(channels.size()); }
  [[nodiscard]] Index inputs() const { return static_cast<Index>(channels.front().size()); }
  /// K per output and input; for integrating channels the slope per second.
  [[nodiscard]] Matrix gains() const;
  /// First lag at which an output answers an input; 0 where there is no path.
  [[nodiscard]] Eigen::MatrixX<std::int64_t> dead_steps(double period) const;
};

/// K = 2, τ = 10 s, θ = 3 s.
Plant fopdt();
/// Two inputs, two outputs, first-order lags of 8..20 s with dead times of 1..7 s, one path absent.
Plant two_by_two();
/// K = 1.5, τ = 12 s and 5 s, θ = 2 s.
Plant second_order();
/// A level: 0.02 units a second per unit of flow, θ = 1 s.
Plant level();

enum class Signal { gbn, prbs, staircase };

struct RecordOptions {
  Index steps = 2000;
  double period = 1;  ///< seconds
  Signal signal = Signal::gbn;
  double switch_steps = 15;  ///< mean (gbn) or fixed (prbs, staircase) time between moves, steps
  double amplitude = 1;      ///< of the inputs around u0
  std::optional<double> snr_db = {};  ///< of white output noise; absent: none
  std::uint32_t seed = 1;
};

struct SimulatedRecord {
  double period = 1;
  Matrix u;        ///< steps × nu, held from row t to row t+1
  Matrix y;        ///< steps × ny, measured at row t before u(t) acts
  Matrix y_clean;  ///< without noise
  Plant plant;     ///< the truth
};

/// Open loop, from rest at the operating point.
SimulatedRecord simulate(const Plant& plant, const RecordOptions& options);

struct PiSettings {
  double gain = 0.8;
  double integral_time = 10;  ///< seconds
};

/// The first output under PI control by the first input, set-point moved as options say (it stands
/// in `setpoint`, steps); noise is measured by the controller. Positional form with the trapezoid
/// left out: u = u0 + Kc·(e + Σ e·period/Ti).
struct ClosedLoopRecord {
  SimulatedRecord record;
  Vector setpoint;
};
ClosedLoopRecord simulate_pi_loop(const Plant& plant, const PiSettings& pi,
                                  const RecordOptions& options);

/// Columns u1.., y1.. with shortest round-trip numbers. With `start`, a first column "time" of RFC
/// 3339 times; without, no time.
std::string to_csv(const SimulatedRecord& record, std::optional<std::int64_t> start_us = {});

}  // namespace flyball::testbed
