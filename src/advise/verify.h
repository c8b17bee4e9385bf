#pragma once
// What a solver says is not believed: its controls are put through the stored model by another
// path (optimise/resimulate.h), and what that path gives is compared and kept.
#include "advise/records.h"
#include "optimise/problem.h"

namespace flyball::advise {

/// verified = everything finite and of the problem's shape, and
///   |J_solver − J| ≤ 1e-6·max(|J|, |J_hold|)
///   max |ŷ_solver − ŷ| ≤ 1e-5·σ
///   no hard limit violated by more than 1e-6 of its range (as `again` found)
///   J_hold − J ≥ minImprovement·|J_hold|, unless what is claimed is to hold, or holding breaks a
///   limit more than it does.
/// `claimed` is the solver's, `again` the same controls computed again, `hold_cost` the cost of
/// holding and `hold_is_as_safe` what it breaks, computed again.
VerifyReport verify(const optimise::ProblemIr& problem, const optimise::Candidate& claimed,
                    const optimise::Candidate& again, double hold_cost,
                    bool hold_is_as_safe = true);

/// Rows and columns of controls and predictions are those of the problem and all is finite; what
/// can be computed again at all.
bool has_shape(const optimise::ProblemIr& problem, const optimise::Candidate& candidate);

}  // namespace flyball::advise
