#pragma once
// static_response@1: steady surfaces y = β₀ + βᵀz + zᵀQz per CV from operating points of train.
//
// Bases linear ⊂ interactions ⊂ quadratic (squares of inputs with three levels or more), each with
// at least 3 points a parameter; ridge 0 unless a larger one is better beyond its standard error.
// Groups are left out one after another: runs from three runs on, else up to ten stretches of
// points that follow each other. The smallest basis whose mean square error is within one standard
// error (paired over groups) of the best is taken. Val and test are counted, never read.
#include <stop_token>

#include "core/progress.h"
#include "dataset/steady.h"
#include "identify/static_findings.h"
#include "identify/static_fit.h"
#include "model/static_response.h"

namespace flyball::identify {

inline constexpr std::string_view kStaticVersion = "static_response@1 1.0.0";

/// Train points as a table; left-out inputs have z = 0. `left_out` is filled.
PointTable point_table(const dataset::Dataset& data, const dataset::OperatingPoints& points,
                       std::vector<StaticInput>& inputs);

struct StaticResult {
  model::StaticResponse model;
  StaticFindings findings;
};

/// Throws STATIC_TOO_FEW (how many points are missing), MVS_CONSTANT, STATIC_CV_CONSTANT.
/// Cost: bases · ridges · (N p² + groups p³) per CV.
StaticResult identify_static(const dataset::Dataset& data, const dataset::OperatingPoints& points,
                             const ProgressFn& progress = {}, std::stop_token stop = {});

}  // namespace flyball::identify
