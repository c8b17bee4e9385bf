#pragma once
// Cost and limits of a plan by definition, in plain loops over the problem as it is stored: what
// the second paths (resimulate.h, static_again.h) have in common. The solvers use none of it.
#include "optimise/resimulate.h"

namespace flyball::optimise {

/// J as problem.h writes it. Rows: P of controls, P of predictions.
double cost_of(const ProblemIr& problem, const std::vector<std::vector<double>>& controls,
               const std::vector<std::vector<double>>& predicted);

/// Every limit over `controls` and `out.predicted`; a hard one that does not hold makes
/// out.feasible false. `first`: per CV the first k = 1.. at which hard limits count.
void add_limits(const ProblemIr& problem, const std::vector<std::int64_t>& first,
                const std::vector<std::vector<double>>& controls, Resimulated& out);

/// What holding (its limits added by add_limits) breaks more than `out` does: hold_is_as_safe.
void compare_with_hold(const Resimulated& hold, Resimulated& out);

/// Fills the distances: largest |x − mean|/std, and sqrt(Σ Σ z_i R⁻¹_ij z_j) where there is a
/// spread; none where a value is missing.
void add_distances(const ProblemIr& problem, const std::vector<std::vector<double>>& controls,
                   Resimulated& out);

}  // namespace flyball::optimise
