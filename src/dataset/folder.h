#pragma once
// A dataset folder that is read, and its report.json.
#include <map>
#include <string>

#include "core/record.h"
#include "dataset/snapshot.h"
#include "store/files.h"

namespace flyball::dataset {

/// report.json: the report, the digest of every file, and the digest of all that.
struct ReportFile {
  std::string sha256;
  std::map<std::string, std::string> files;
  Report report;
  bool legacy = false;  ///< by the rules of the reference system: never fit for optimisation
  std::string self;
  static constexpr auto fields() {
    return FieldList{field("sha256", &ReportFile::sha256, "of the dataset"),
                      field("files", &ReportFile::files, "sha256 by path"),
                      field("report", &ReportFile::report, "what the builder saw and did"),
                      field("legacy", &ReportFile::legacy, "by the rules of the reference system"),
                      field("selfSha256", &ReportFile::self, "of this file with this field empty")};
  }
};

/// Fills in the file's own digest.
std::string report_text(ReportFile file);

/// Files of a folder, each mapped while it is looked at. Every reader throws DATASET_CORRUPT naming
/// the file.
class Folder {
 public:
  /// Throws FILE_NOT_FOUND when there is no folder.
  explicit Folder(const store::fs::path& folder);

  template <class F>
  auto with(const std::string& name, const F& f) const {
    const store::MappedFile file = map(name);
    return f(file.text());
  }

  template <Record R>
  R record(const std::string& name) const {
    return with(name, [&](std::string_view text) {
      try {
        return parse_record<R>(parse_json(text, name));
      } catch (const Error& e) {
        corrupt(name, e.what());
      }
    });
  }

  [[nodiscard]] std::string sha256_of(const std::string& name) const;
  [[nodiscard]] const store::fs::path& where() const { return folder_; }
  [[noreturn]] void corrupt(const std::string& file, const std::string& reason) const;

 private:
  [[nodiscard]] store::MappedFile map(const std::string& name) const;

  store::fs::path folder_;
};

/// The bytes of spec.json, then of each path in turn, with their paths.
std::string hash_of_files(const Folder& folder, const std::vector<std::string>& paths);

/// Throws DATASET_CORRUPT when it is not as it was written.
ReportFile read_report(const Folder& folder);

/// report.json was found intact: throws DATASET_CORRUPT naming the file that differs, if any.
void name_damage(const Folder& folder, const ReportFile& report);

}  // namespace flyball::dataset
