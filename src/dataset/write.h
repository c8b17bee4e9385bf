#pragma once
// Writing the files of a dataset to a staged folder, and reading series back from it.
#include <map>

#include "dataset/folder.h"
#include "dataset/limits.h"
#include "dataset/snapshot.h"

namespace flyball::dataset {

/// Digests of files by path.
using Digests = std::map<std::string, std::string>;

/// Writes the files that do not stand in `report.files`, whose digests go there, and report.json.
void write_files(const std::vector<FileSource>& files, ReportFile report,
                 store::StagedFolder& staged);

/// Writes the three files of a run; their digests go to `written`.
void write_series(const Series& series, const SeriesFiles& names, store::StagedFolder& staged,
                  Digests& written);

/// Throws DATASET_CORRUPT when a size does not fit.
Series read_series(const Folder& folder, const SeriesFiles& files, std::size_t columns);

/// Throws DATASET_TOO_LARGE for the windows form.
void check_limits(const Manifest& manifest, const Limits& limits);

}  // namespace flyball::dataset
