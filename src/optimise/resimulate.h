#pragma once
// The second code path: a candidate's controls put through the model step by step, its cost and
// every limit by definition, in plain loops over the problem as it is stored. Shares the estimate
// of the state with the solver and nothing else: no step responses, no condensing, no limits of its
// making.
#include "model/linear_state_space.h"
#include "optimise/problem.h"
#include "optimise/result.h"

namespace flyball::optimise {

struct Resimulated {
  std::vector<std::vector<double>> predicted;  ///< P rows of CVs
  double cost = 0;
  double cost_hold = 0;  ///< of the same problem with every MV held
  /// Beyond hard limits that are broken now, over σ, summed over the steps that moves reach.
  double beyond = 0, beyond_hold = 0;
  bool hold_is_as_safe = true;  ///< holding breaks no limit more than these controls do
  std::vector<ConstraintItem> constraints;
  bool feasible = false;  ///< finite, and every hard limit within 1e-6 of the train range
  /// From train, of the newest values and the largest of the rows (recount.h).
  std::optional<double> box_now, box_along, mahalanobis_now, mahalanobis_along;
};

/// Throws PROBLEM_INVALID (see check) and SHAPE_MISMATCH; a control that is not finite gives
/// feasible = false. Cost P·(n + channels)·n.
Resimulated resimulate(const ProblemIr& problem, const model::LinearStateSpace& model,
                       const std::vector<std::vector<double>>& controls);

}  // namespace flyball::optimise
