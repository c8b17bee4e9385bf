#pragma once
// --loop of a study: controllers that are known to act on the plant.
#include "app/requests.h"
#include "identify/identify.h"

namespace flyball::app {

/// "MV=CV,KP,TI" with an MV and a CV of the request, each MV once; what cannot be read is a
/// problem.
std::vector<identify::PiLoop> read_loops(const StudyRequest& request,
                                         std::vector<Problem>& problems);

}  // namespace flyball::app
