#pragma once
// What was given up, what cannot hold and what binds, by name and in engineering units.
#include "optimise/ranked.h"

namespace flyball::optimise {

/// Soft limits and margins that a trajectory does not keep.
std::vector<Relaxed> relaxed_limits(const ProblemIr& problem, const Trajectory& t);

/// After a hard set without answer: the hard CV limits with the least total change (over σ) that
/// would do, where and by how much, which MVs are at their limits then, and which single MV limit
/// would do instead. `start` as the engine had it.
std::vector<Relaxed> infeasible_limits(const ProblemIr& problem, const Setup& setup,
                                       const double* start, std::vector<Words>& reasons);

/// Limits in the set with their multipliers, J per model unit.
std::vector<ShadowPrice> shadow_prices(const ProblemIr& problem, const std::vector<TierPlan>& tiers,
                                       const MpcEngine& engine);

/// Trajectories of the engine's answer, P rows.
Trajectory trajectory_of(const ProblemIr& problem, const MpcEngine& engine);

}  // namespace flyball::optimise
