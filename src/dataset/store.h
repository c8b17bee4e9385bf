#pragma once
// A dataset as a folder (docs/formats/dataset.md): spec.json, manifest.json, report.json, the
// sidecar, the series of each run, and in windows form the arrays of users' code. Its sha256 is
// taken over spec.json, then per file of hashed_paths() the path text, then the bytes. Its id is
// "ds-" and the first 16 hex digits. report.json stands outside the hash and carries its own.
#include <string>

#include "dataset/build.h"
#include "dataset/limits.h"
#include "dataset/v1_build.h"
#include "store/files.h"

namespace flyball::dataset {

struct Saved {
  std::string id;
  std::string sha256;
  store::fs::path folder;
  bool existed = false;  ///< the same dataset was there already and is intact
};

/// Writes `<data_folder>/datasets/<id>`, whole or not at all; files are written piece by piece.
/// Throws DATASET_TOO_LARGE and DISK_QUOTA before anything is written, DISK_FULL,
/// FOLDER_NOT_WRITABLE; DATASET_CORRUPT when a folder of this id is there and damaged.
Saved save(const Built& built, const store::fs::path& data_folder, const Limits& limits = {});

/// As save() of a dataset of ours; report.json says `legacy`.
Saved save(const V1Dataset& dataset, const store::fs::path& data_folder, const Limits& limits = {});

/// The id and sha256 that save() would give; `folder` is empty.
Saved digest(const Built& built);

/// Builds and saves with the series of one run in memory at a time: series go to a staging folder
/// as they are made, what is computed over all of them reads them back. Gives the id and the files
/// of save(build(...)), and throws what they throw. `dataset.runs` of the result is empty.
struct BuiltFolder {
  Built built;
  Saved saved;
};
BuiltFolder build_to_folder(const historian::Historian& historian, const Spec& spec,
                            const LineageInput& lineage, const store::fs::path& data_folder,
                            const Limits& limits = {}, const ProgressFn& progress = {},
                            std::stop_token stop = {});

/// Reads a folder back and verifies every file against the hash in its name, and against
/// `expected_sha256` unless empty. Throws FILE_NOT_FOUND when there is no folder, DATASET_CORRUPT
/// naming the damaged file, DATASET_LEGACY for one of format v1 (verify() and read_report() take it).
Built load(const store::fs::path& folder, const std::string& expected_sha256 = {});

/// The spec, blocks, norm and report of load() without the series, verified as there; memory does
/// not grow with the dataset.
Built load_summary(const store::fs::path& folder, const std::string& expected_sha256 = {});

}  // namespace flyball::dataset
