#pragma once
// A dataset as a folder: spec.json, manifest.json, report.json, arrays/sidecar.json and per run
// arrays/<run>.f64, .mask.u8, .t.i64. Its sha256 is taken over spec.json, then for manifest.json,
// the sidecar and the series files by path: the path text, then the bytes. Its id is "ds-" and the
// first 16 hex digits. report.json stands outside the hash and carries its own.
#include <string>

#include "dataset/build.h"
#include "store/files.h"

namespace flyball::dataset {

struct Saved {
  std::string id;
  std::string sha256;
  store::fs::path folder;
  bool existed = false;  ///< the same dataset was there already and is intact
};

/// Writes `<data_folder>/datasets/<id>`, whole or not at all. Throws DISK_FULL,
/// FOLDER_NOT_WRITABLE; DATASET_CORRUPT when a folder of this id is there and damaged.
Saved save(const Built& built, const store::fs::path& data_folder);

/// The id and sha256 that save() would give; `folder` is empty.
Saved digest(const Built& built);

/// Reads a folder back and verifies every file against the hash in its name, and against
/// `expected_sha256` unless empty. Throws FILE_NOT_FOUND when there is no folder, DATASET_CORRUPT
/// naming the damaged file.
Built load(const store::fs::path& folder, const std::string& expected_sha256 = {});

}  // namespace flyball::dataset
