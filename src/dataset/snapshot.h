#pragma once
// The bytes of a dataset folder, and its hash.
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dataset/manifest.h"

namespace flyball::dataset {

inline constexpr const char* kSpecFile = "spec.json";
inline constexpr const char* kManifestFile = "manifest.json";
inline constexpr const char* kReportFile = "report.json";

/// Paths after spec.json in the order of the hash: manifest.json, the sidecar, series files by
/// path.
std::vector<std::string> hashed_paths(const Manifest& manifest);

/// sha256 over spec.json, then per path of hashed_paths(): the path, then the bytes.
std::string dataset_hash(const Manifest& manifest,
                         const std::function<std::string_view(const std::string&)>& bytes_of);

std::string dataset_id(const std::string& sha256);

/// Every hashed file by path, and the hash.
struct Snapshot {
  Manifest manifest;
  std::map<std::string, std::string> files;
  std::string sha256;
};
Snapshot take_snapshot(const Built& built);

/// One run's arrays as bytes, little-endian, row-major.
struct SeriesBytes {
  std::string values, mask, t;
};
SeriesBytes to_bytes(const Series& series);

/// The inverse. The lengths must fit steps × columns.
Series from_bytes(const std::string& run_id, Index steps, Index columns, std::string_view values,
                  std::string_view mask, std::string_view t);

}  // namespace flyball::dataset
