#pragma once
// instrumental_variable among the trainers of auto@1, and the gains that a loop leaves standing.
#include <stop_token>
#include <vector>

#include "identify/findings.h"
#include "identify/refine.h"

namespace flyball::identify {

/// Instrumental-variable fits of orders 1.. until three have not lowered the score, on the same
/// folds as the others. None for a CV that integrates, and none when an MV of the CV is in a loop
/// without a set-point.
std::vector<Trial> try_instrumental(const CvContext& context, const Findings& findings,
                                    const std::stop_token& stop);

/// In a loop the best forecast need not have the right gain: trials whose gain contradicts the
/// instruments' get a reason, which leaves them out.
void leave_out_contradicting(const CvContext& context, const Findings& findings,
                             std::vector<Trial>& trials);

/// Both: the instruments' trials join the others, first where they are to be used.
void add_instrumental(const CvContext& context, const Findings& findings,
                      std::vector<Trial>& trials, const std::stop_token& stop);

}  // namespace flyball::identify
