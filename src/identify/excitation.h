#pragma once
// Did an input move enough in train to be identified, and did it move by itself?
#include <vector>

#include "identify/findings.h"
#include "identify/training_data.h"

namespace flyball::identify {

inline constexpr Index kMovesNeeded = 10;
inline constexpr Index kPersistenceMax = 20;

/// Moves: changes of the level by more than 10 % of the train range since the last move; with
/// several runs, of the largest range within one: runs may stand at levels of their own.
/// Persistence order: rank of the matrix of lagged inputs after a constant (pivots above 1e-9), at
/// most 20. Excited: not constant, and 10 moves or persistently exciting (smallest pivot above
/// 1e-2) of `parameters` lags.
Excitation excitation_of(const TrainingData& data, Index input, Index parameters);

}  // namespace flyball::identify
