#pragma once
// A hot backup: a copy of a data folder while a service works on it.
//
// The databases are copied as they were at one moment: every writer waits, for milliseconds, until
// each copy has its snapshot. A row names a folder that was complete before and never changes, and
// is deleted before its folder; so the folders that the copied rows name are copied afterwards, and
// where one was deleted meanwhile the databases are copied once more.
#include <filesystem>
#include <stop_token>

#include "core/progress.h"
#include "core/record.h"
#include "custody/manifest.h"

namespace flyball::custody {

struct Backup {
  std::string folder;
  TimeUs at = 0;
  std::int64_t files = 0, bytes = 0, datasets = 0, models = 0, jobs = 0;
  std::string sha256;
  std::vector<std::string> problems;
  static constexpr auto fields() {
    using B = Backup;
    return FieldList{
        field("folder", &B::folder, "where it is"),
        field("at", &B::at, "the data are as they were then").unit("us"),
        field("files", &B::files, "files that were copied"),
        field("bytes", &B::bytes, "their size").unit("bytes"),
        field("datasets", &B::datasets, "datasets in it"),
        field("models", &B::models, "models in it"),
        field("jobs", &B::jobs, "folders of ended jobs in it"),
        field("sha256", &B::sha256, "of the manifest: note it elsewhere"),
        field("problems", &B::problems, "rows whose folder was missing before the backup")};
  }
};

/// What is copied of a data folder: flyball.db, historian.db, the datasets and models that have a
/// row, folders of ended jobs, reports, specs of jobs, and the head of the audit trail. Not: locks,
/// stored answers of the service, what is half made.
///
/// `folder` is new or empty, and not inside the data folder except in `backups/`. After an error
/// nothing of it is left; a killed process leaves a folder without a manifest. Throws
/// BACKUP_FOLDER_NOT_EMPTY, BACKUP_INSIDE, BACKUP_NO_ROOM, BACKUP_UNSETTLED, DATABASE_BUSY (a
/// writer was not done within a minute), CANCELLED, and what writers of files throw.
Backup make_backup(const std::filesystem::path& data, const std::filesystem::path& folder,
                   const Clock& clock, const ProgressFn& progress = {},
                   const std::stop_token& stop = {});

}  // namespace flyball::custody
