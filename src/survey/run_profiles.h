#pragma once
// The runs of a dataset: how much of each can be used, and whether its mean differs from the
// others.
#include "dataset/dataset.h"
#include "dataset/report.h"
#include "identify/training_data.h"
#include "survey/dataset_facts.h"

namespace flyball::survey {

/// Means are those of the train blocks, columns in the order of `data`. Distance, from 5 train runs
/// on: (mean − median over the runs) / (1.4826·MAD over the runs, at least a tenth of the column's
/// standard deviation). Dropped runs last. O(rows).
std::vector<RunFacts> run_profiles(const dataset::Dataset& dataset, const dataset::Report& report,
                                   const identify::TrainingData& data);

}  // namespace flyball::survey
