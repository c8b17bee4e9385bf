#pragma once
// A linear model inside the controllers that the engineer declared: does the joined system settle?
//   u(t) = K (e(t) + (T/Tᵢ) Σ_{s<t} e(s)),  e = −y, deviations from rest, T the beat
// with all declared loops closed at once. Where the model lets a CV of a loop answer an MV of a
// loop within the step, the controller acts on the step before.
#include <vector>

#include "identify/identify.h"

namespace flyball::diagnose {

/// MV and CV by position among the model's.
struct ClosedLoop {
  Index mv = 0, cv = 0;
  double gain = 0, reset_steps = 0;
};

/// Largest pole of the joined system, without the integrated disturbances, which nothing moves, and
/// without the unit poles of `integrators_left` integrating CVs outside the loops. Cost: (states +
/// delays + loops)³.
double closed_radius(const model::LinearStateSpace& model, const std::vector<ClosedLoop>& loops,
                     Index integrators_left = 0);

/// Per declared loop: the radius of all of them together, and its gain margin with the others as
/// declared (1/100 to 100; below 1 the gain has to fall). Names are those of the data's MVs and
/// CVs. A pipe that an MV comes through delays it as at the mean flow. Empty when the joined system
/// has more than 300 states.
std::vector<identify::LoopStability> judge_loops(const dataset::Dataset& data,
                                                 const identify::IdentifyResult& found,
                                                 const std::vector<identify::PiLoop>& loops);

}  // namespace flyball::diagnose
