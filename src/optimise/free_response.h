#pragma once
// What the CVs do over the horizon when every MV stays where it is.
#include "optimise/estimator.h"

namespace flyball::optimise {

/// y(t+k), k = 1..P (P × ny): from the estimate at t, past inputs from the history, MVs at u_prev,
/// DVs as forecast or held. Cost P·n·(n + channels).
Matrix free_response(const model::LinearStateSpace& model, const ProblemIr& problem,
                     const Estimate& at);

/// y(t), before any move (ny).
Vector output_now(const model::LinearStateSpace& model, const ProblemIr& problem,
                  const Estimate& at);

/// u of an input at t + offset: the past from the history (its first row before it), later u_prev
/// for an MV, the forecast or the last value for a DV.
double input_at(const ProblemIr& problem, Index input, Index offset);

}  // namespace flyball::optimise
