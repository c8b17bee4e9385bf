#pragma once
// The beat of a study that was not told one.
#include "app/requests.h"
#include "historian/historian.h"

namespace flyball::app {

/// How often each sample was repeated when the record was exported: the largest k ≥ 2 such that
/// every CV is held for multiples of k samples, and so is every MV that changes often enough to
/// tell. Both must repeat: a CV alone that is held is a slow analyser, whose inputs act between its
/// samples. `step` is the time between samples. One pass over the samples of the CVs and MVs.
std::optional<std::int64_t> repeats_of(const historian::Historian& historian,
                                       const StudyRequest& request, DurationUs step);

/// CV_SLOWER_THAN_BEAT for every CV whose samples come 1.5 beats or more apart (median).
std::vector<Message> slow_cvs(const historian::Historian& historian, const StudyRequest& request,
                              DurationUs beat);

}  // namespace flyball::app
