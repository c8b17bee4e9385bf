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
// By the solver room (an LP where nothing is squared). Source: field-notes.md 1 (16).
#include "optimise/estimator.h"
#include "optimise/result.h"

namespace flyball::optimise {

struct SteadyState {
  bool found = false;  ///< false: hard limits cannot hold at rest, see infeasible
  std::vector<double> u, y;
  double cost = 0;
  std::vector<Relaxed> relaxed, infeasible;
  std::vector<ShadowPrice> prices;
  static constexpr auto fields() {
    using S = SteadyState;
    return FieldList{field("found", &S::found, "hard limits hold"),
                     field("u", &S::u, "MVs at rest"),
                     field("y", &S::y, "CVs at rest"),
                     field("cost", &S::cost, "the sum above"),
                     field("relaxed", &S::relaxed, "soft limits given up"),
                     field("infeasible", &S::infeasible, "hard limits that cannot hold at rest"),
                     field("prices", &S::prices, "limits that bind")};
  }
};

/// Throws as Solver::solve.
SteadyState steady_state(const ProblemIr& problem, const model::LinearStateSpace& model);

/// The problem with its resting values (where a target weight is given) and references at what can
/// be reached: what the dynamic layer is asked to do.
ProblemIr with_targets(const ProblemIr& problem, const SteadyState& rest);

}  // namespace flyball::optimise
