#pragma once
// The files of a dataset folder and the hash over them.
#include <functional>
#include <string>
#include <vector>

#include "core/digest.h"
#include "dataset/emit.h"
#include "dataset/manifest.h"

namespace flyball::dataset {

inline constexpr const char* kSpecFile = "spec.json";
inline constexpr const char* kManifestFile = "manifest.json";
inline constexpr const char* kReportFile = "report.json";

/// Paths after spec.json in the order of the hash: manifest.json, x, u, y, timestamps, mask, the
/// sidecar, then series files by path.
std::vector<std::string> hashed_paths(const Manifest& manifest);

/// sha256 over the bytes of spec.json, then per file the path and its bytes.
class DatasetHash {
 public:
  void begin(const std::string& path) {
    if (path != kSpecFile) hash_.update(path);
  }
  void add(std::string_view bytes) { hash_.update(bytes); }
  std::string hex() { return hash_.hex(); }

 private:
  Sha256 hash_;
};

std::string dataset_id(const std::string& sha256);

struct FileSource {
  std::string path;
  Emit emit;
};

/// Every hashed file in the order of the hash, spec.json first.
struct Contents {
  Manifest manifest;
  std::vector<FileSource> files;
};

/// Gives the bytes of a run's file; `run` counts the runs of the manifest.
using EmitSeries = std::function<void(std::size_t run, SeriesFile file, const Sink& sink)>;

/// What it is given must outlive it.
Contents contents_of(const Built& built, const RunSource& runs, const EmitSeries& series);
Contents contents_of(const Built& built, const RunSource& runs);

std::string hash_of(const std::vector<FileSource>& files);

}  // namespace flyball::dataset
