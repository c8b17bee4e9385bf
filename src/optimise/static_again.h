#pragma once
// The second code path for steady_response@1: the stored artifact evaluated from raw values by its
// own loops over its record (no model::StaticResponse), cost and every limit by definition.
//
//   z_i = (u_i − mean_i)/std_i,  y = Σ b_t z_a z_c,  leverage h = Σ φ_r G_rs φ_s ≤ hMax: .region
//   best near it: no feasible point that differs in one or two MVs, or in a drawn direction, by
//   1e-4, 1e-3 or 1e-2 of what an MV may move is better by more than 1e-4·max(|J|, |J_hold|)
#include "model/static_artifact.h"
#include "optimise/resimulate.h"

namespace flyball::optimise {

/// One row of controls. Throws PROBLEM_INVALID (see check), SHAPE_MISMATCH, ARTIFACT_INVALID when
/// the artifact's variables are not the problem's.
Resimulated static_again(const ProblemIr& problem, const model::StaticArtifact& artifact,
                         const std::vector<std::vector<double>>& controls);

/// What the best of the points next to a candidate saves, over max(|J|, |J_hold|); 0: none is
/// better. Cost: 3·(2·n + 4·n(n−1)/2 + 32) evaluations.
double better_nearby(const ProblemIr& problem, const model::StaticArtifact& artifact,
                     const std::vector<std::vector<double>>& controls);

inline constexpr double kBetterNearby = 1e-4;

}  // namespace flyball::optimise
