#include "dataset/folder.h"

#include "core/digest.h"

namespace flyball::dataset {
namespace {

std::string self_hash(ReportFile file) {
  file.self.clear();
  return sha256(canonical(to_json_value(file)));
}

}  // namespace

std::string report_text(ReportFile file) {
  file.self = self_hash(file);
  return pretty(to_json_value(file));
}

Folder::Folder(const store::fs::path& folder)
    : folder_(folder.has_filename() ? folder : folder.parent_path()) {
  if (!store::fs::is_directory(folder)) throw Error("FILE_NOT_FOUND", {{"path", folder.string()}});
}

void Folder::corrupt(const std::string& file, const std::string& reason) const {
  throw Error("DATASET_CORRUPT",
              {{"dataset", folder_.filename().string()}, {"file", file}, {"reason", reason}});
}

store::MappedFile Folder::map(const std::string& name) const {
  try {
    return store::MappedFile(folder_ / name);
  } catch (const Error& e) {
    corrupt(name, e.what());
  }
}

std::string Folder::sha256_of(const std::string& name) const {
  return with(name, [](std::string_view bytes) { return sha256(bytes); });
}

std::string hash_of_files(const Folder& folder, const std::vector<std::string>& paths) {
  DatasetHash hash;
  const auto add = [&](const std::string& path) {
    hash.begin(path);
    folder.with(path, [&](std::string_view bytes) { hash.add(bytes); });
  };
  add(kSpecFile);
  for (const std::string& path : paths) add(path);
  return hash.hex();
}

ReportFile read_report(const Folder& folder) {
  ReportFile file = folder.record<ReportFile>(kReportFile);
  folder.with(kReportFile, [&](std::string_view text) {
    if (file.self != self_hash(file) || pretty(to_json_value(file)) != text)
      folder.corrupt(kReportFile, "its own sha256 differs");
  });
  return file;
}

void name_damage(const Folder& folder, const ReportFile& report) {
  for (const auto& [name, expected] : report.files) {
    if (folder.sha256_of(name) != expected) folder.corrupt(name, "its sha256 differs");
  }
}

}  // namespace flyball::dataset
