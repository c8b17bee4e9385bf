#pragma once
// Datasets by the rules of the reference system (platform.md §2.4.1 to 2.4.3), for programs that
// read them. They are marked legacy and are never fit for optimisation: their cleaning deletes
// steps, their scaling has a floor of 1.
#include "dataset/build.h"
#include "dataset/emit.h"
#include "dataset/limits.h"
#include "dataset/snapshot.h"

namespace flyball::dataset {

/// A run on the grid of the reference: rows from the latest first to the earliest last bucket.
struct V1Run {
  std::string run_id;
  Matrix values;               ///< steps × nodes, NaN = missing
  std::vector<Index> windows;  ///< starts t of its windows
  Part part = Part::train;
};

/// Mean and sample standard deviation over all cells of the train windows; below 1 it is 1.
struct V1Norm {
  std::vector<double> mean, std;
};

struct V1Dataset {
  Spec spec;
  std::vector<V1Run> runs;  ///< that have windows; train, val, test, in the order of the shuffle
  V1Norm x, u, y;
  Report report;
};

/// The order of variables is kept. Roles are control (MV), feature (DV) and target (CV), all of
/// them sloped; stepped, modes, units, gaps and lineage of the spec play no part. Throws
/// V1_SPEC_INVALID for what the reference does not take: a beat that is not 1 000 to 3 600 000
/// whole ms, a scale other than 1 or an offset other than 0, no CV; else what build() throws, and
/// DATASET_TOO_LARGE.
V1Dataset build_v1(const historian::Historian& historian, const Spec& spec,
                   const Limits& limits = {}, const ProgressFn& progress = {},
                   std::stop_token stop = {});

/// spec.json, manifest.json and the arrays, in the order of the hash. `dataset` must outlive it.
std::vector<FileSource> v1_files(const V1Dataset& dataset);

/// Size of the arrays, bytes.
std::int64_t v1_array_bytes(const V1Dataset& dataset);

}  // namespace flyball::dataset
