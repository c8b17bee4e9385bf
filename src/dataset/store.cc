#include "dataset/store.h"

#include "core/digest.h"
#include "dataset/snapshot.h"

namespace flyball::dataset {
namespace {

using store::fs::path;

/// report.json: the report, the digest of every file, and the digest of all that.
struct ReportFile {
  std::string sha256;
  std::map<std::string, std::string> files;
  Report report;
  std::string self;
  static constexpr auto fields() {
    return std::tuple{field("sha256", &ReportFile::sha256, "of the dataset"),
                      field("files", &ReportFile::files, "sha256 by path"),
                      field("report", &ReportFile::report, "what the builder saw and did"),
                      field("selfSha256", &ReportFile::self, "of this file with this field empty")};
  }
};

std::string self_hash(ReportFile file) {
  file.self.clear();
  return sha256(canonical(to_json_value(file)));
}

std::string report_text(const Snapshot& snapshot, const Report& report) {
  ReportFile file{snapshot.sha256, {}, report, {}};
  for (const auto& [name, bytes] : snapshot.files) file.files[name] = sha256(bytes);
  file.self = self_hash(file);
  return pretty(to_json_value(file));
}

[[noreturn]] void corrupt(const path& folder, const std::string& file, const std::string& reason) {
  throw Error("DATASET_CORRUPT",
              {{"dataset", folder.filename().string()}, {"file", file}, {"reason", reason}});
}

/// The files of a folder, mapped on first use.
class Folder {
 public:
  explicit Folder(const path& folder)
      : folder_(folder.has_filename() ? folder : folder.parent_path()) {}

  std::string_view bytes(const std::string& name) {
    auto it = files_.find(name);
    if (it == files_.end()) {
      try {
        it = files_.emplace(name, folder_ / name).first;
      } catch (const Error& e) {
        corrupt(folder_, name, e.what());
      }
    }
    return it->second.text();
  }

  template <Record R>
  R record(const std::string& name) {
    try {
      return parse_record<R>(parse_json(bytes(name), name));
    } catch (const Error& e) {
      if (e.code() == "DATASET_CORRUPT") throw;
      corrupt(folder_, name, e.what());
    }
  }

  [[nodiscard]] const path& where() const { return folder_; }

 private:
  path folder_;
  std::map<std::string, store::MappedFile> files_;
};

ReportFile read_report(Folder& folder) {
  ReportFile file = folder.record<ReportFile>(kReportFile);
  if (file.self != self_hash(file) || pretty(to_json_value(file)) != folder.bytes(kReportFile)) {
    corrupt(folder.where(), kReportFile, "its own sha256 differs");
  }
  return file;
}

/// Names the file that differs from what was written; report.json was found intact.
void name_damage(Folder& folder, const ReportFile& report) {
  for (const auto& [name, expected] : report.files) {
    if (sha256(folder.bytes(name)) != expected) corrupt(folder.where(), name, "its sha256 differs");
  }
}

void verify(Folder& folder, const Manifest& manifest, const ReportFile& report,
            const std::string& expected) {
  const std::string actual =
      dataset_hash(manifest, [&](const std::string& name) { return folder.bytes(name); });
  if (actual != report.sha256 || dataset_id(actual) != folder.where().filename().string()) {
    name_damage(folder, report);
    corrupt(folder.where(), kManifestFile, "the folder's name is not its sha256");
  }
  if (!expected.empty() && actual != expected)
    corrupt(folder.where(), kManifestFile, "not the dataset that was registered");
}

Manifest read_manifest(Folder& folder, const ReportFile& report) {
  const auto it = report.files.find(kManifestFile);
  if (it == report.files.end() || sha256(folder.bytes(kManifestFile)) != it->second) {
    corrupt(folder.where(), kManifestFile, "its sha256 differs");
  }
  return folder.record<Manifest>(kManifestFile);
}

Series read_series(Folder& folder, const SeriesFiles& files, std::size_t columns) {
  const auto steps = static_cast<std::size_t>(files.steps);
  const auto sized = [&](const std::string& name, std::size_t size) {
    const std::string_view bytes = folder.bytes(name);
    if (bytes.size() != size) corrupt(folder.where(), name, "its size does not fit the manifest");
    return bytes;
  };
  return from_bytes(files.run_id, files.steps, static_cast<Index>(columns),
                    sized(files.values, steps * columns * sizeof(double)),
                    sized(files.mask, steps * columns), sized(files.t, steps * sizeof(TimeUs)));
}

}  // namespace

Saved digest(const Built& built) {
  const Snapshot snapshot = take_snapshot(built);
  return {dataset_id(snapshot.sha256), snapshot.sha256, {}, false};
}

Saved save(const Built& built, const path& data_folder) {
  const Snapshot snapshot = take_snapshot(built);
  Saved out{dataset_id(snapshot.sha256), snapshot.sha256, {}, false};
  out.folder = data_folder / "datasets" / out.id;
  out.existed = store::fs::exists(out.folder);
  if (!out.existed) {
    store::StagedFolder staged(out.folder);
    for (const auto& [name, bytes] : snapshot.files) staged.write(name, bytes);
    staged.write(kReportFile, report_text(snapshot, built.report));
    out.existed = !staged.commit();
  }
  if (out.existed) load(out.folder, out.sha256);
  return out;
}

Built load(const path& folder, const std::string& expected_sha256) {
  if (!store::fs::is_directory(folder)) throw Error("FILE_NOT_FOUND", {{"path", folder.string()}});
  Folder files(folder);
  ReportFile report = read_report(files);
  const Manifest manifest = read_manifest(files, report);
  verify(files, manifest, report, expected_sha256);
  Built out;
  out.dataset.spec = manifest.spec;
  out.dataset.blocks = manifest.split.blocks;
  out.dataset.norm = manifest.norm.x;
  for (const SeriesFiles& s : manifest.artifacts.series) {
    out.dataset.runs.push_back(read_series(files, s, manifest.spec.variables.size()));
  }
  out.report = std::move(report.report);
  return out;
}

}  // namespace flyball::dataset
