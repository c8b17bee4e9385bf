#pragma once
// Does the plant answer after train as it did in train?
#include <vector>

#include "evaluate/free_run.h"
#include "identify/findings.h"

namespace flyball::app {

/// GAIN_CHANGED_LATER, one per CV: in val or test the ratio of the measured to the predicted
/// movement differs from that in train by a quarter and by more than 4 standard errors. CVs with an
/// integrator, declared or of the disturbance, have no free run to tell it by.
std::vector<Message> later_changes(const identify::Findings& findings,
                                   const std::vector<evaluate::FreeRunFit>& fits);

}  // namespace flyball::app
