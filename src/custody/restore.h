#pragma once
// A backup checked, and put back into an empty data folder.
#include "custody/deep_check.h"
#include "custody/manifest.h"

namespace flyball::custody {

struct BackupCheck {
  BackupManifest manifest;
  std::int64_t bytes = 0;
  DeepCheck deep;  ///< its findings stand in `findings` too
  std::vector<Finding> findings;
};

/// Reads every byte: files against the manifest, then all that deep_check() does. Writes nothing.
/// Throws what read_manifest() throws; BACKUP_TOO_NEW when the tables are newer than
/// `newest_schema`.
BackupCheck check_backup(const std::filesystem::path& folder, std::int64_t newest_schema,
                         const ProgressFn& progress = {}, const std::stop_token& stop = {});

/// Copies the files of a backup that was checked into `data`, whose lock the caller holds. Each is
/// compared with the manifest once more; flyball.db comes last. A killed process leaves a folder
/// that nothing opens (RESTORE_UNFINISHED, check_restored()). Throws RESTORE_NOT_EMPTY,
/// BACKUP_DAMAGED, CANCELLED, and what writers of files throw; after an error nothing is left.
void restore_backup(const std::filesystem::path& folder, const BackupManifest& manifest,
                    const std::filesystem::path& data, const ProgressFn& progress = {},
                    const std::stop_token& stop = {});

/// Throws RESTORE_UNFINISHED.
void check_restored(const std::filesystem::path& data);

/// What stands in a data folder beside its lock, by name; empty: nothing was ever stored there.
std::string first_entry(const std::filesystem::path& data);

}  // namespace flyball::custody
