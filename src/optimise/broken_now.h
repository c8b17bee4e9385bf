#pragma once
// Hard CV limits that are broken now. No plan keeps them in its first steps, so they come as the
// highest rank of what is soft (one slack for each step, the least Σ s/σ): back as fast as the MVs
// may, with the least violation. Limits that hold now stay hard, and so do those of the MVs.
#include "optimise/free_response.h"

namespace flyball::optimise {

/// The problem with below_now, above_now set: the newest measured value, or the model's y(t) before
/// any move, lies beyond the limit by more than 1e-6 of the train range. `brokenNow: refuse`: none.
ProblemIr with_broken_limits(const ProblemIr& problem, const model::LinearStateSpace& model,
                             const Estimate& at);

/// Σ over such limits and the steps from first_step on of what lies beyond, over σ. predicted: P
/// rows of CVs.
double beyond_broken(const ProblemIr& problem, const std::vector<std::vector<double>>& predicted,
                     const std::vector<Index>& first_step);

}  // namespace flyball::optimise
