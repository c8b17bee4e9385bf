#pragma once
// Requests and answers on the custody of what is stored.
#include "core/record.h"
#include "custody/backup.h"
#include "custody/disk.h"
#include "custody/restore.h"
#include "custody/retention.h"

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

struct SystemResponse {
  std::string data_folder, data_source, version;
  custody::DiskState disk;
  std::vector<custody::DiskPart> parts;
  static constexpr auto fields() {
    using S = SystemResponse;
    return FieldList{field("dataFolder", &S::data_folder, "where everything is kept"),
                     field("dataSource", &S::data_source, "who said so"),
                     field("version", &S::version, "of the program"),
                     field("disk", &S::disk, "of the data folder"),
                     field("parts", &S::parts, "what takes the room, the largest first")};
  }
};

struct RetentionRequest {
  bool dry_run = false;
  static constexpr auto fields() {
    return FieldList{field("dryRun", &RetentionRequest::dry_run, "say what would be removed")};
  }
};

struct ReconcileRequest {
  bool deep = false;
  static constexpr auto fields() {
    return FieldList{field("deep", &ReconcileRequest::deep,
                           "read and check everything that is stored, not only names")};
  }
};

struct EvaluateRequest {
  std::string id, dataset;
  static constexpr auto fields() {
    using E = EvaluateRequest;
    return FieldList{
        field("id", &E::id, "model, mdl-...").required().positional(),
        field("dataset", &E::dataset, "dataset it is judged on, ds-...").required().positional()};
  }
};

struct EvaluationListRequest {
  std::optional<std::string> model;
  std::int64_t limit = 100;
  static constexpr auto fields() {
    using E = EvaluationListRequest;
    return FieldList{field("model", &E::model, "only of this model"),
                     field("limit", &E::limit, "newest items").range(1, 1000)};
  }
};

}  // namespace flyball::app
