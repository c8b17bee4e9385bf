#include "dataset/snapshot.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/digest.h"

namespace flyball::dataset {
namespace {

static_assert(std::endian::native == std::endian::little, "array files are little-endian");

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowMajorMask = Eigen::Matrix<std::uint8_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
constexpr std::size_t kIdDigits = 16;

}  // namespace

std::vector<std::string> hashed_paths(const Manifest& manifest) {
  std::vector<std::string> series;
  for (const SeriesFiles& s : manifest.artifacts.series) {
    series.insert(series.end(), {s.values, s.mask, s.t});
  }
  std::ranges::sort(series);
  std::vector<std::string> out{kManifestFile, manifest.artifacts.sidecar};
  out.insert(out.end(), series.begin(), series.end());
  return out;
}

std::string dataset_hash(const Manifest& manifest,
                         const std::function<std::string_view(const std::string&)>& bytes_of) {
  Sha256 hash;
  hash.update(bytes_of(kSpecFile));
  for (const std::string& path : hashed_paths(manifest)) {
    hash.update(path);
    hash.update(bytes_of(path));
  }
  return hash.hex();
}

std::string dataset_id(const std::string& sha256) {
  return "ds-" + sha256.substr(0, kIdDigits);
}

SeriesBytes to_bytes(const Series& series) {
  SeriesBytes out;
  const auto cells = static_cast<std::size_t>(series.values.size());
  out.values.resize(cells * sizeof(double));
  Eigen::Map<RowMajor>(reinterpret_cast<double*>(out.values.data()), series.values.rows(),
                       series.values.cols()) = series.values;
  out.mask.resize(cells);
  Eigen::Map<RowMajorMask>(reinterpret_cast<std::uint8_t*>(out.mask.data()), series.mask.rows(),
                           series.mask.cols()) = series.mask;
  out.t.assign(reinterpret_cast<const char*>(series.t.data()), series.t.size() * sizeof(TimeUs));
  return out;
}

Series from_bytes(const std::string& run_id, Index steps, Index columns, std::string_view values,
                  std::string_view mask, std::string_view t) {
  Series out;
  out.run_id = run_id;
  RowMajor rows(steps, columns);
  std::memcpy(rows.data(), values.data(), values.size());
  out.values = rows;
  RowMajorMask mask_rows(steps, columns);
  std::memcpy(mask_rows.data(), mask.data(), mask.size());
  out.mask = mask_rows;
  out.t.resize(static_cast<std::size_t>(steps));
  std::memcpy(out.t.data(), t.data(), t.size());
  return out;
}

Snapshot take_snapshot(const Built& built) {
  Snapshot out;
  std::string spec = canonical(to_json_value(built.dataset.spec));
  out.manifest = manifest_of(built, sha256(spec));
  out.files[kSpecFile] = std::move(spec);
  out.files[kManifestFile] = canonical(to_json_value(out.manifest));
  out.files[out.manifest.artifacts.sidecar] = canonical(to_json_value(sidecar_of(out.manifest)));
  for (std::size_t i = 0; i < built.dataset.runs.size(); ++i) {
    const SeriesFiles& names = out.manifest.artifacts.series[i];
    SeriesBytes bytes = to_bytes(built.dataset.runs[i]);
    out.files[names.values] = std::move(bytes.values);
    out.files[names.mask] = std::move(bytes.mask);
    out.files[names.t] = std::move(bytes.t);
  }
  out.sha256 = dataset_hash(out.manifest, [&](const std::string& path) -> std::string_view {
    return out.files.at(path);
  });
  return out;
}

}  // namespace flyball::dataset
