#pragma once
// Where the plant should rest: prices, ideal resting values, references and ranked limits over the
// steady state of the model with the present disturbance.
//
//   min Σ p_j y_j + Σ p_m u_m + ½ Σ w_j((y_j − r_j)/σ_j)² + ½ Σ μ_m((u_m − u_m^ref)/σ_m)²
//       + ½·1e-6 Σ((u_m − u_prev)/σ_m)²      of all that cost the same, the nearest: no jumping
//   x = A x + B ũ + f + B_d d,  y = C x + D ũ + g + C_d d     an integrating CV: its slope is 0
//   limits of MVs and hard limits of CVs hold; soft ones and margins by ranks, the least Σ slack/σ
//   of a rank first, then fixed. Prices are per model unit.
//
// A price of a limit is its multiplier: with those of all limits the gradient is 0, which is what
// rest_again.h checks. By the solver room (an LP where nothing is squared). Source: field-notes.md
// 1 (16), decisions.md §2 "Cost and slacks".
#include "optimise/estimator.h"
#include "optimise/result.h"

namespace flyball::optimise {

inline constexpr double kNearWeight = 1e-6;  ///< of the distance from where the MVs are
inline constexpr double kPullWeight = 0.1;   ///< μ of an MV without one, where there are prices

/// Throws as Solver::solve.
SteadyState steady_state(const ProblemIr& problem, const model::LinearStateSpace& model);
SteadyState steady_state(const ProblemIr& problem, const model::LinearStateSpace& model,
                         const Estimate& at);

/// A resting point is looked for whatever the references: the layer is on, or there are prices or
/// resting values.
bool asks_for_rest(const ProblemIr& problem);

/// The problem with kPullWeight for the MVs that have no target weight, where there are prices and
/// the layer is not off: else nothing would move the plant to where it should rest.
ProblemIr with_pull(const ProblemIr& problem);

/// The resting point of a problem that asks for one (SteadyLayer); none: the moves are planned for
/// the references as given.
std::optional<SteadyState> resting_point(const ProblemIr& problem,
                                         const model::LinearStateSpace& model, const Estimate& at);

/// with_pull, its resting values (where a target weight is given) and references at what can be
/// reached: what the dynamic layer is asked to do.
ProblemIr with_targets(const ProblemIr& problem, const SteadyState& rest);

}  // namespace flyball::optimise
