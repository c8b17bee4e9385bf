#pragma once
// What of a profile contradicts itself, whatever the model and the plant.
#include "advise/profile.h"

namespace flyball::app {

/// Adds a problem for each pair of values in the wrong order (minMove above maxMove, softMin below
/// hardMin, a reference outside the hard limits, ..), for a reference that is missing, and for more
/// moves than steps.
void check_profile(const advise::ProfileContent& content, std::vector<Problem>& problems);

}  // namespace flyball::app
