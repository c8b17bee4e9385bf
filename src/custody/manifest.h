#pragma once
// What a backup is: a folder with `data/`, a copy of a data folder, and `manifest.json`, written
// last, which names every file of it with its size and sha256.
#include <filesystem>

#include "core/record.h"
#include "core/time.h"

namespace flyball::custody {

struct BackupFile {
  std::string path;  ///< below data/
  std::int64_t bytes = 0;
  std::string sha256;
  static constexpr auto fields() {
    using B = BackupFile;
    return FieldList{field("path", &B::path, "below data/").required(),
                     field("bytes", &B::bytes, "size").required(),
                     field("sha256", &B::sha256, "of its bytes").required()};
  }
};

struct BackupManifest {
  std::string format = "flyball-backup@1", product;
  TimeUs at = 0;
  std::int64_t schema = 0;
  std::vector<BackupFile> files;
  std::string sha256;
  static constexpr auto fields() {
    using B = BackupManifest;
    return FieldList{
        field("format", &B::format, "flyball-backup@1").required(),
        field("product", &B::product, "version of the program that made it"),
        field("at", &B::at, "the data are as they were then").unit("us").required(),
        field("schema", &B::schema, "version of the tables of flyball.db").required(),
        field("files", &B::files, "every file, by path").required(),
        field("sha256", &B::sha256, "over this manifest with an empty text here").required()};
  }
};

/// Fills in sha256 and writes `manifest.json`, durable on return.
void write_manifest(const std::filesystem::path& folder, BackupManifest& manifest);

/// Throws BACKUP_MISSING (no folder), BACKUP_INCOMPLETE (no manifest: the backup was not finished),
/// BACKUP_MANIFEST (it is not as it was written).
BackupManifest read_manifest(const std::filesystem::path& folder);

}  // namespace flyball::custody
