#pragma once
// What a resting point could still save, by its prices: weak duality in plain terms.
//
//   f(z) ≥ f(z*) − Σ λ_i·room_i − Σ |r_m|·(max_m − min_m)   for every z within the limits
//
// λ: the prices, room: how far z* is from each limit, r: the gradient of the Lagrangian over the
// MVs with the state eliminated by its steady equations. NaN: no proof (a price below 0, or of no
// limit; the stable part of the model has no resting point).
#include <map>
#include <string>

#include "model/linear_state_space.h"
#include "optimise/problem.h"
#include "optimise/result.h"

namespace flyball::optimise {

/// `y`: the CVs at rest; `room`: by limit, as far as it may be given up.
double savings_left(const ProblemIr& problem, const model::LinearStateSpace& model,
                    const SteadyState& claimed, const std::vector<double>& y,
                    const std::map<std::string, double>& room);

}  // namespace flyball::optimise
