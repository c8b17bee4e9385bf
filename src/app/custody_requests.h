#pragma once
// Requests and answers on the custody of what is stored.
#include "core/record.h"
#include "custody/backup.h"
#include "custody/restore.h"

namespace flyball::app {

struct BackupRequest {
  std::optional<std::string> folder;
  static constexpr std::string_view kOutputFile = "folder";
  static constexpr auto fields() {
    return FieldList{field("folder", &BackupRequest::folder,
                           "new or empty folder; default: backups/<time> in the data folder")
                         .positional()};
  }
};

struct RestoreRequest {
  std::optional<std::string> folder;
  bool check = false;
  static constexpr std::string_view kOutputFile = "folder";
  static constexpr auto fields() {
    using R = RestoreRequest;
    return FieldList{field("folder", &R::folder,
                           "folder of a backup; default: the newest in backups/ of the data folder")
                         .positional(),
                     field("check", &R::check, "read and check everything, restore nothing")};
  }
};

struct RestoreResponse {
  std::string folder, product, restored_to;
  TimeUs at = 0;
  std::int64_t files = 0, bytes = 0, datasets = 0, models = 0;
  std::string sha256;
  std::vector<custody::Finding> findings;
  bool ok = false;
  static constexpr auto fields() {
    using R = RestoreResponse;
    return FieldList{
        field("folder", &R::folder, "the backup"),
        field("product", &R::product, "version of the program that made it"),
        field("restoredTo", &R::restored_to, "data folder; empty: it was only checked"),
        field("at", &R::at, "the data are as they were then").unit("us"),
        field("files", &R::files, "files that were read"),
        field("bytes", &R::bytes, "their size").unit("bytes"),
        field("datasets", &R::datasets, "datasets in it"),
        field("models", &R::models, "models in it"),
        field("sha256", &R::sha256, "of the manifest"),
        field("findings", &R::findings, "what does not hold"),
        field("ok", &R::ok, "all holds")};
  }
};

/// A proof that fails is exit code 1.
inline int exit_code_of(const RestoreResponse& response) {
  return response.ok ? 0 : 1;
}

}  // namespace flyball::app
