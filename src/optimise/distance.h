#pragma once
// How far a point or a plan lies from where the model was trained.
//   box: max |x − mean|/std over MVs, DVs and CVs;  Mahalanobis: see TrainSpread
#include <optional>

#include "optimise/trajectory.h"

namespace flyball::optimise {

struct Distances {
  std::optional<double> box, mahalanobis;  ///< none: a value is missing, or no spread is known
};

/// Of the newest values: MVs as read back, DVs of the last row, each CV's newest.
Distances distances_now(const ProblemIr& problem);

/// The largest over the steps of a plan, DVs as forecast or held.
Distances distances_along(const ProblemIr& problem, const Trajectory& t);

}  // namespace flyball::optimise
