#pragma once
// The rule that sets F, the number of steps predicted.
#include <vector>

#include "identify/arx.h"

namespace flyball::identify {

inline constexpr Index kHorizonMin = 10;
inline constexpr Index kHorizonMax = 60;
inline constexpr Index kSteadyMax = 3000;

/// Steps to 63 % of the answer to the MV with the largest |gain|·train range, the slowest CV,
/// clamped to 10..60; 60 where a CV is integrating or has no steady state within 3 000 steps, or
/// no CV answers an MV.
Index horizon_of(const std::vector<Arx>& cvs, const TrainingData& data);

/// A first stable ARX of one CV for the rule above, before orders are chosen: na = nb = 4, 2, 1.
/// The last one tried may be unstable: then it has no steady state and F is 60.
Arx preliminary(const Regression& r, const std::vector<Structure::Input>& inputs, Index max_order);

}  // namespace flyball::identify
