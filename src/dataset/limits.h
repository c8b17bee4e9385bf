#pragma once
// What a dataset may cost, checked before anything is written.
#include "dataset/manifest.h"
#include "store/files.h"

namespace flyball::dataset {

struct Limits {
  std::int64_t max_rows = 200'000;  ///< windows of the windows form (dataset.maxRows)
  std::optional<std::int64_t>
      quota_bytes;  ///< of datasets, jobs and models together; none: no limit
};

/// Size of the array files that the manifest names, bytes.
std::int64_t array_bytes(const Manifest& manifest);

/// Throws DATASET_TOO_LARGE.
void check_windows(std::int64_t windows, std::int64_t history, std::int64_t horizon,
                   const Limits& limits);

/// Bytes under the folders of datasets, jobs and models, less those under `without`.
std::int64_t used_bytes(const store::fs::path& data_folder, const store::fs::path& without = {});

/// Throws DISK_QUOTA when `used` and `more` are above the quota.
void check_quota(std::int64_t used, std::int64_t more, const Limits& limits);

}  // namespace flyball::dataset
