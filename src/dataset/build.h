#pragma once
// From stored samples to a dataset: fetch, clean, grid, units, split, normalise (platform.md §2.4.2
// with the changes of decisions.md §2).
#include <stop_token>

#include "core/progress.h"
#include "dataset/dataset.h"
#include "dataset/report.h"
#include "historian/historian.h"

namespace flyball::dataset {

struct Built {
  Dataset dataset;
  Report report;
};

/// Same samples and spec give the same bytes, whatever the order of variables, runs and rows: the
/// spec is brought into canonical_order(). Samples are read filtered by line, product, recipe and
/// run, never by time alone. The train rows do not depend on H and F when runs are cut in time. A
/// run whose confirmed context contradicts `lineage` is left out and named.
/// Throws what validate() throws; NODE_MISSING, MODE_TAG_INVALID, MODE_UNKNOWN, NO_RUNS,
/// RUN_MISSING, RUN_MISMATCH, NO_USABLE_RUNS (with each run's reason), TRAIN_EMPTY,
/// VARIABLE_CONSTANT (a CV, or all MVs), CANCELLED.
Built build(const historian::Historian& historian, const Spec& spec, const LineageInput& lineage,
            const ProgressFn& progress = {}, std::stop_token stop = {});
Built build(const historian::Historian& historian, const Spec& spec,
            const ProgressFn& progress = {}, std::stop_token stop = {});

/// For predictions beside what happened: as build(), but nothing needs to move.
Built build_for_replay(const historian::Historian& historian, const Spec& spec,
                       const ProgressFn& progress = {}, std::stop_token stop = {});

}  // namespace flyball::dataset
