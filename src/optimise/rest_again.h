#pragma once
// The second code path for a resting point: in plain loops over the model and the problem as they
// are stored. Shares the estimate of the state with the solver and nothing else.
//
//   finite and of the problem's shape; the disturbance states are those of the estimate
//   the model started at x with u held gives y within 1e-5 σ, and still does after 2^16 steps
//   (x ↦ A x + b squared sixteen times)
//   MVs and hard CV limits within 1e-6 of the train range, soft ones as far as it tells itself
//   |cost − claimed| ≤ 1e-6·(1 + |cost|)
//   what any other point could save, by its prices (rest_proof.h), is ≤ 1e-4·(1 + |cost|)
#include "model/linear_state_space.h"
#include "optimise/problem.h"
#include "optimise/result.h"

namespace flyball::optimise {

struct RestAgain {
  std::vector<double> y;
  double cost = 0;
  std::vector<Words> failures;  ///< empty: confirmed
};

/// `problem` as it was asked, without targets. A point that is not `found` has nothing to check.
RestAgain rest_again(const ProblemIr& problem, const model::LinearStateSpace& model,
                     const SteadyState& claimed);

/// The claimed point with the numbers of this path, verified when nothing failed.
SteadyState confirmed(const SteadyState& claimed, const RestAgain& again);

}  // namespace flyball::optimise
