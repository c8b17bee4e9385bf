#pragma once
// The report of a finished dataset: summaries per column and warnings.
#include "dataset/report.h"

namespace flyball::dataset {

/// Summaries of the columns over all runs, and what a person should look at: constant MVs and DVs,
/// empty parts, much filled or dropped, out of mode, frozen, held, coarsely quantised and irregular
/// signals. The rest of the report must be filled. Some passes over the runs, O(cells) each; memory
/// does not grow with them.
void summarise(const Spec& spec, const Norm& norm, const RunSource& runs, Report& report);

}  // namespace flyball::dataset
