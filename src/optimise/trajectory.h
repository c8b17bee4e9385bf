#pragma once
// What a plan costs and which limits it keeps, from its trajectories.
//
// A soft limit has one slack for each CV and side, the largest violation over the horizon (or one
// for each step); J counts ρ₁ s/σ + ½ ρ (s/σ)² of it, ρ₁ where the problem gives it. Margins inside
// hard limits are ranked, not priced.
#include "optimise/problem.h"
#include "optimise/result.h"
#include "optimise/setup.h"

namespace flyball::optimise {

struct Trajectory {
  Matrix controls;   ///< P × MVs
  Matrix predicted;  ///< P × CVs
};

/// Limits of MV m at each step: entered and train box together, and where u_prev lies outside, what
/// can be reached by then.
Band mv_band(const ProblemIr& problem, std::size_t m);

/// A first move up to this part of the train range is none.
inline constexpr double kStays = 1e-9;

/// The least first move of MV m other than none; none where it may not move, or where it has to
/// come back to its limits.
std::optional<double> least_move(const ProblemIr& problem, std::size_t m);

/// Train range, what violations are measured against.
double range_of(const TrainRange& train);

struct Judged {
  double cost = 0;
  std::vector<ConstraintItem> constraints;
  bool feasible = true;  ///< every hard limit within 1e-6 of its range
};

/// first_step: per CV the first k = 1.. where hard limits count (see Setup).
Judged judge(const ProblemIr& problem, const Trajectory& t, const std::vector<Index>& first_step);

}  // namespace flyball::optimise
