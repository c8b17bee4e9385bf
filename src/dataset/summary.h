#pragma once
// The report of a finished dataset: summaries per column and warnings.
#include "dataset/report.h"

namespace flyball::dataset {

/// `report.cleaning` must be filled. O(cells·log) for the quantiles.
std::vector<NodeSummary> summarise(const Dataset& dataset, const Report& report);

/// What a person should look at: constant MVs and DVs, empty parts, much filled or dropped, frozen,
/// held and coarsely quantised signals.
std::vector<Words> find_warnings(const Dataset& dataset, const Report& report);

}  // namespace flyball::dataset
