#pragma once
// Closed loops of plants that are not their models, in numbers: what a change of the controller
// does to all of them. Used by mpc_bench, which prints it, and by a test against a stored table.
#include <functional>
#include <string>
#include <vector>

#include "model/linear_state_space.h"
#include "optimise/problem.h"
#include "testbed/plants.h"

namespace flyball::bench {

/// Of a loop of 200 steps whose set-points move every 50: mean |y − r| over the span, mean excess
/// over limits at 1.1 spans (in thousandths of the span), Σ|Δu| in amplitudes, and
/// Σ ½((y − r)/span)² + ½·λ(Δu/amplitude)².
struct LoopRow {
  std::string plant, fault;
  double error = 0, violation = 0, travel = 0, cost = 0;
};

/// A plant with what one of its outputs moves by when an input does, and the horizons of its loop.
struct LoopPlant {
  std::string name;
  testbed::Plant plant;
  double period = 1, amplitude = 1, span = 1;
  Index horizon = 60, moves = 10;
  /// Of a plant that is no plant of channels: what the controller knows, and the machine itself (a
  /// new one each time), whose inputs are held for a period.
  std::function<model::LinearStateSpace()> linear = {};
  std::function<std::function<Vector(const Vector&)>()> machine = {};
};
model::LinearStateSpace model_of(const LoopPlant& plant);
std::vector<LoopPlant> loop_plants();

/// nominal, gains (×1.3), noise (5 % of the span), disturbance (0.6 spans on every output), stuck
/// (the first valve stands for 40 steps), missing (the first output for 30 steps, the
/// disturbance among them).
inline constexpr std::array<std::string_view, 6> kFaults{"nominal",     "gains", "noise",
                                                         "disturbance", "stuck", "missing"};

/// The problem that the controller of a plant is given; λ = 0.2·`caution`.
optimise::ProblemIr loop_problem(const LoopPlant& plant, double caution = 1);

LoopRow run_fault(const LoopPlant& plant, std::string_view fault, double caution = 1);

}  // namespace flyball::bench
