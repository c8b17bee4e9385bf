#pragma once
// "What if": changes of a question that was asked, in the units of its tags.
#include <string>
#include <vector>

#include "optimise/problem.h"

namespace flyball::app {

/// Each "VARIABLE.FIELD=NUMBER". MV: min, max, maxMove, target. CV: ref, softMin, softMax, hardMin,
/// hardMax, weight. A value per step gives way to the one that is set. Throws TRY_INVALID with what
/// can be set.
void apply_changes(const std::vector<std::string>& changes, optimise::ProblemIr& problem);

}  // namespace flyball::app
