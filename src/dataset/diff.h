#pragma once
// What differs between two datasets, from their folders' own records; the arrays are compared by
// their digests.
#include <map>
#include <string>
#include <vector>

#include "core/record.h"
#include "dataset/folder.h"

namespace flyball::dataset {

/// A value at a JSON Pointer; null where one of them has none.
struct ValueDiff {
  std::string at;
  Json a, b;
  static constexpr auto fields() {
    return FieldList{field("at", &ValueDiff::at, "JSON Pointer"),
                      field("a", &ValueDiff::a, "of the first"),
                      field("b", &ValueDiff::b, "of the second")};
  }
};

/// of one file; "" where a dataset has none of the name.
struct FileDiff {
  std::string path, a, b;
  static constexpr auto fields() {
    return FieldList{field("path", &FileDiff::path, "file"),
                      field("a", &FileDiff::a, "sha256 in the first"),
                      field("b", &FileDiff::b, "sha256 in the second")};
  }
};

struct DatasetDiff {
  std::string a, b;  ///< sha256
  bool same = false;
  std::vector<ValueDiff> spec;
  std::vector<std::string> runs_only_a, runs_only_b;
  std::vector<ValueDiff> runs;     ///< shapes and drops of the runs that both have
  std::vector<ValueDiff> counts;   ///< rows, windows and cleaning
  std::vector<ValueDiff> norms;    ///< by node
  std::vector<ValueDiff> lineage;  ///< provenance and lineage
  std::vector<FileDiff> files;
  static constexpr auto fields() {
    using D = DatasetDiff;
    return FieldList{field("a", &D::a, "sha256 of the first"),
                      field("b", &D::b, "sha256 of the second"),
                      field("same", &D::same, "the datasets are equal"),
                      field("spec", &D::spec, "what was asked for"),
                      field("runsOnlyA", &D::runs_only_a, "runs used by the first alone"),
                      field("runsOnlyB", &D::runs_only_b, "runs used by the second alone"),
                      field("runs", &D::runs, "shape and dropped samples of runs in both"),
                      field("counts", &D::counts, "rows, windows and cleaning"),
                      field("norms", &D::norms, "of the train rows, by node"),
                      field("lineage", &D::lineage, "what the data came from"),
                      field("files", &D::files, "files whose bytes differ")};
  }
};

/// Of two folders of ours. Each is read with load_summary() first, which throws DATASET_CORRUPT.
DatasetDiff diff(const store::fs::path& a, const store::fs::path& b);

/// Every value that differs, by pointer; objects by key, lists by index.
std::vector<ValueDiff> diff_json(const Json& a, const Json& b, const std::string& at = "");

}  // namespace flyball::dataset
