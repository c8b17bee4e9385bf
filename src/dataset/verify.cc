#include "dataset/verify.h"

#include <algorithm>

#include "dataset/folder.h"
#include "dataset/store.h"

namespace flyball::dataset {
namespace {

/// "ds-" and 16 hex digits: the name of a folder that we wrote.
bool is_named_by_hash(const std::string& name) {
  return name.size() == 19 && name.starts_with("ds-") &&
         name.find_first_not_of("0123456789abcdef", 3) == std::string::npos;
}

/// A reference manifest, as far as its hash and sizes need it.
class ReferenceManifest {
 public:
  ReferenceManifest(const Folder& folder, Json json) : folder_(folder), json_(std::move(json)) {}

  [[nodiscard]] std::int64_t version() const {
    const Json& v = at(json_, "version");
    if (v != 1 && v != 2) folder_.corrupt(kManifestFile, "its version is neither 1 nor 2");
    return v.get<std::int64_t>();
  }

  [[nodiscard]] std::vector<std::string> paths() const {
    std::vector<std::string> out{kManifestFile, "arrays/x.f32", "arrays/u.f32", "arrays/y.f32"};
    if (version() == 1) return out;
    const Json& artifacts = at(json_, "artifacts");
    for (const char* name : {"timestamps", "mask", "sidecar"}) {
      const auto it = artifacts.find(name);
      if (it != artifacts.end() && it->is_string()) add(out, it->get<std::string>());
    }
    for (const auto& [name, path] : artifacts.items()) {
      if (path.is_string()) add(out, path.get<std::string>());
    }
    return out;
  }

  /// Cells of one of x, u, y.
  [[nodiscard]] std::int64_t cells(const char* name) const {
    std::int64_t n = 1;
    for (const Json& s : at(at(json_, "shapes"), name)) {
      if (!s.is_number_integer() || s.get<std::int64_t>() < 0 || s.get<std::int64_t>() > kMost)
        folder_.corrupt(kManifestFile, "a shape is not a list of counts");
      n *= std::max<std::int64_t>(1, s.get<std::int64_t>());  // no control: one column of zeros
    }
    return windows() == 0 ? 0 : n;
  }

  [[nodiscard]] std::int64_t windows() const {
    const Json& shape = at(at(json_, "shapes"), "x");
    if (shape.size() != 3 || !shape[0].is_number_integer())
      folder_.corrupt(kManifestFile, "the shape of x is not three counts");
    return shape[0].get<std::int64_t>();
  }

 private:
  static constexpr std::int64_t kMost = 1'000'000'000;

  const Json& at(const Json& parent, const char* name) const {
    const auto it = parent.find(name);
    if (it == parent.end()) folder_.corrupt(kManifestFile, std::string("it has no ") + name);
    return *it;
  }

  /// Each path once; none leads out of the folder.
  void add(std::vector<std::string>& paths, const std::string& path) const {
    const store::fs::path p(path);
    if (p.is_absolute() || std::ranges::find(p, store::fs::path("..")) != p.end())
      folder_.corrupt(kManifestFile, "an artifact lies outside the folder");
    if (std::ranges::find(paths, path) == paths.end()) paths.push_back(path);
  }

  const Folder& folder_;
  Json json_;
};

void check_sizes(const Folder& folder, const ReferenceManifest& manifest) {
  for (const char* name : {"x", "u", "y"}) {
    const std::string path = std::string("arrays/") + name + ".f32";
    const auto size = folder.with(path, [](std::string_view bytes) { return std::ssize(bytes); });
    if (size != 4 * manifest.cells(name))
      folder.corrupt(path, "its size does not fit the shape in the manifest");
  }
}

Json manifest_json(const Folder& folder) {
  return folder.with(kManifestFile, [&](std::string_view text) {
    try {
      return parse_json(text, kManifestFile);
    } catch (const Error& e) {
      folder.corrupt(kManifestFile, e.what());
    }
  });
}

std::string reference_hash(const Folder& folder, const std::vector<std::string>& paths,
                           const std::optional<std::string>& spec_json) {
  if (!spec_json) return hash_of_files(folder, paths);
  DatasetHash hash;
  hash.add(*spec_json);
  for (const std::string& path : paths) {
    hash.begin(path);
    folder.with(path, [&](std::string_view bytes) { hash.add(bytes); });
  }
  return hash.hex();
}

void measure(const Folder& folder, std::vector<std::string> paths, Verified& out) {
  paths.push_back(kSpecFile);
  out.files = std::ssize(paths);
  for (const std::string& path : paths)
    out.bytes += folder.with(path, [](std::string_view bytes) { return std::ssize(bytes); });
}

Verified verify_reference(const Folder& folder, const ReferenceManifest& manifest,
                          const std::optional<ReportFile>& report, const std::string& expected,
                          const std::optional<std::string>& spec_json) {
  Verified out;
  out.form = manifest.version() == 1 ? Form::v1 : Form::v2;
  out.legacy = true;
  check_sizes(folder, manifest);
  const std::vector<std::string> paths = manifest.paths();
  out.sha256 = reference_hash(folder, paths, spec_json);
  if (!expected.empty() && out.sha256 != expected)
    folder.corrupt(kManifestFile, "not the dataset that was registered");
  const std::string name = folder.where().filename().string();
  if (report && (out.sha256 != report->sha256 || name != dataset_id(out.sha256)))
    folder.corrupt(kManifestFile, "the folder's name is not its sha256");
  out.compared = report || !expected.empty();
  out.windows = manifest.windows();
  measure(folder, paths, out);
  return out;
}

}  // namespace

Verified verify(const store::fs::path& where, const std::string& expected_sha256,
                const std::optional<std::string>& spec_json) {
  const Folder folder(where);
  std::optional<ReportFile> report;
  if (is_named_by_hash(folder.where().filename().string())) {
    report = read_report(folder);
    if (const auto it = report->files.find(kManifestFile);
        it == report->files.end() || folder.sha256_of(kManifestFile) != it->second) {
      folder.corrupt(kManifestFile, "its sha256 differs");
    }
  }
  Json json = manifest_json(folder);
  if (!json.contains("materialize")) {
    if (report) name_damage(folder, *report);
    return verify_reference(folder, {folder, std::move(json)}, report, expected_sha256, spec_json);
  }
  load_summary(where, expected_sha256);
  const auto manifest = folder.record<Manifest>(kManifestFile);
  Verified out;
  out.form = manifest.materialize == Materialize::windows ? Form::windows : Form::series;
  out.sha256 = report->sha256;  // load_summary() takes no folder with another name
  out.windows = manifest.window_count;
  measure(folder, hashed_paths(manifest), out);
  return out;
}

}  // namespace flyball::dataset
