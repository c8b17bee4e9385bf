#pragma once
// The front door of the room: a problem and its model in, an answer out. Deterministic but for
// elapsedMs: the same problem gives the same candidates whatever was solved before.
#include <stop_token>

#include "model/linear_state_space.h"
#include "model/static_response.h"
#include "optimise/problem.h"
#include "optimise/result.h"
#include "optimise/setup.h"

namespace flyball::optimise {

/// Keeps set-ups from one problem to the next of the same profile. One thread at a time.
class Solver {
 public:
  /// template linear_mpc_quadratic@1. Throws PROBLEM_INVALID (see check), SHAPE_MISMATCH when
  /// problem and model do not fit, MPC_NOT_CONVEX, MPC_NOT_DETECTABLE, CANCELLED on a stop. What
  /// has no answer is a status, not an exception.
  SolveResult solve(const ProblemIr& problem, const model::LinearStateSpace& model,
                    const std::stop_token& stop = {});

 private:
  SetupCache cache_;
};

SolveResult solve(const ProblemIr& problem, const model::LinearStateSpace& model,
                  const std::stop_token& stop = {});

/// template steady_response@1: horizon and control horizon 1; one row of controls and predictions.
SolveResult solve(const ProblemIr& problem, const model::StaticResponse& model,
                  const std::stop_token& stop = {});

}  // namespace flyball::optimise
