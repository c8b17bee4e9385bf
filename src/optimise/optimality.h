#pragma once
// How far an answer of the engine is from optimal, from the problem's data.
#include "optimise/result.h"
#include "optimise/setup.h"

namespace flyball::optimise {

/// H(z − z0) + Aᵀλ and λ·slack with the engine's own multipliers, hard violations of `optimum`.
Residuals residuals_of(const ProblemIr& problem, const Setup& setup, const Candidate& optimum);

/// Train range of the variable that a limit is of; 1 for an unknown one.
double limit_range(const ProblemIr& problem, const std::string& id);

}  // namespace flyball::optimise
