#include "dataset/store.h"

#include "dataset/folder.h"
#include "dataset/verify.h"
#include "dataset/write.h"

namespace flyball::dataset {
namespace {

using store::fs::path;

/// Throws DATASET_CORRUPT unless every file is as it was written.
Manifest verified_manifest(const Folder& folder, const ReportFile& report,
                           const std::string& expected) {
  const auto it = report.files.find(kManifestFile);
  if (it == report.files.end() || folder.sha256_of(kManifestFile) != it->second)
    folder.corrupt(kManifestFile, "its sha256 differs");
  Manifest manifest = folder.record<Manifest>(kManifestFile);
  const std::string actual = hash_of_files(folder, hashed_paths(manifest));
  if (actual != report.sha256 || dataset_id(actual) != folder.where().filename().string()) {
    name_damage(folder, report);
    folder.corrupt(kManifestFile, "the folder's name is not its sha256");
  }
  if (!expected.empty() && actual != expected)
    folder.corrupt(kManifestFile, "not the dataset that was registered");
  return manifest;
}

struct Opened {
  Folder folder;
  Manifest manifest;
  Built built;
};

Opened open(const path& where, const std::string& expected) {
  Folder folder(where);
  ReportFile report = read_report(folder);
  if (report.legacy) throw Error("DATASET_LEGACY", {{"dataset", where.filename().string()}});
  Manifest manifest = verified_manifest(folder, report, expected);
  Built built;
  built.dataset.spec = manifest.spec;
  built.dataset.blocks = manifest.split.blocks;
  built.dataset.norm = manifest.norm.x;
  built.report = std::move(report.report);
  return {std::move(folder), std::move(manifest), std::move(built)};
}

/// Writes `files` unless the dataset is there.
Saved put(const std::vector<FileSource>& files, ReportFile report, std::int64_t bytes,
          const path& data_folder, const Limits& limits) {
  report.sha256 = hash_of(files);
  Saved out{dataset_id(report.sha256), report.sha256, {}, false};
  out.folder = data_folder / "datasets" / out.id;
  out.existed = store::fs::exists(out.folder);
  if (out.existed) return out;
  check_quota(limits.quota_bytes ? used_bytes(data_folder) : 0, bytes, limits);
  store::StagedFolder staged(out.folder);
  write_files(files, std::move(report), staged);
  out.existed = !staged.commit();
  return out;
}

}  // namespace

Saved digest(const Built& built) {
  const RunSource runs = in_memory(built.dataset.runs);
  const std::string hash = hash_of(contents_of(built, runs).files);
  return {dataset_id(hash), hash, {}, false};
}

Saved save(const Built& built, const path& data_folder, const Limits& limits) {
  const RunSource runs = in_memory(built.dataset.runs);
  const Contents contents = contents_of(built, runs);
  check_limits(contents.manifest, limits);
  const Saved out = put(contents.files, {{}, {}, built.report, false, {}},
                        array_bytes(contents.manifest), data_folder, limits);
  if (out.existed) load_summary(out.folder, out.sha256);
  return out;
}

Saved save(const V1Dataset& dataset, const path& data_folder, const Limits& limits) {
  const Saved out = put(v1_files(dataset), {{}, {}, dataset.report, true, {}},
                        v1_array_bytes(dataset), data_folder, limits);
  if (out.existed) verify(out.folder, out.sha256);
  return out;
}

Built load_summary(const path& folder, const std::string& expected_sha256) {
  return open(folder, expected_sha256).built;
}

Built load(const path& folder, const std::string& expected_sha256) {
  Opened opened = open(folder, expected_sha256);
  const std::size_t columns = opened.manifest.all_nodes.size();
  for (const SeriesFiles& s : opened.manifest.artifacts.series)
    opened.built.dataset.runs.push_back(read_series(opened.folder, s, columns));
  return std::move(opened.built);
}

}  // namespace flyball::dataset
