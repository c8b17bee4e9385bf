#pragma once
// What is said about a polynomial NARX: terms, inputs that answer, answers to steps, leaderboard.
#include <vector>

#include "identify/narx.h"
#include "identify/narx_search.h"

namespace flyball::identify {

/// The terms of a search as those of CV `cv`, bounds `share` of the train range beyond it.
model::NarxOutput narx_output(const TrainingData& data, Index cv, const NarxSearch& search,
                              double share);

/// Fills findings, terms and leaderboard of a result whose model is complete. Findings of the data
/// (excitation, feedback, collinear inputs) stay as `linear` has them.
void describe_narx(const TrainingData& data, const IdentifyResult& linear,
                   const std::vector<NarxSearch>& searches, NarxResult& out);

}  // namespace flyball::identify
