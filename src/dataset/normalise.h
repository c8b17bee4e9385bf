#pragma once
// Scaling from the train rows only; standard deviations are used as they are (decisions.md, X-01).
#include "dataset/dataset.h"

namespace flyball::dataset {

/// Mean, sample standard deviation (n−1), least and largest value per column over the rows of train
/// blocks: for a CV those observed, for an MV or DV those with a value. NaN where there are fewer
/// than 2 (std) or none. Two passes over the runs, O(rows·columns).
Norm normalise(const Spec& spec, const std::vector<Block>& blocks, const RunSource& runs);

}  // namespace flyball::dataset
