// What custody of stored data says: backup, restore, room on the disk, retention.
#include "core/catalogue_tables.h"

namespace flyball {
namespace {

using E = Errc;

// clang-format off
constexpr CatalogueEntry kEntries[] = {
    // backup
    {"BACKUP_FOLDER_NOT_EMPTY", E::already_exists, "{folder} is not empty ({found} is in it): a backup goes into a new or an empty folder"},
    {"BACKUP_INSIDE", E::invalid_argument, "{folder} lies in the data folder {data}: give a folder elsewhere, best on another disk, or one below its backups/"},
    {"BACKUP_NO_ROOM", E::resource_exhausted, "the backup takes about {needed}, {free} are free at {folder}: give a folder on another disk"},
    {"BACKUP_UNSETTLED", E::unavailable, "datasets or models were deleted while they were copied, {limit} times in a row: try again when nothing is being deleted"},
    {"BACKUP_MISSING", E::not_found, "there is no backup {folder}; see the folder that flyball backup named"},
    {"BACKUP_INCOMPLETE", E::corrupt_data, "{folder} holds no manifest.json, which a backup gets last: it is no backup, or one that was killed before it was complete; take another"},
    {"BACKUP_MANIFEST", E::corrupt_data, "{path} is not as it was written: {reason}; take another backup"},
    {"BACKUP_TOO_NEW", E::failed_precondition, "{folder} was made by version {version} with schema {found}, this program knows up to {known}: restore it with the newer program"},
    {"BACKUP_DAMAGED", E::corrupt_data, "{folder} has {count} finding(s), the first: {first}; see: flyball restore --check, and take another backup"},
    {"BACKUP_FILE_UNKNOWN", {}, "{path} does not stand in the manifest"},
    {"BACKUP_FILE_CHANGED", {}, "{path} is not what was copied: its sha256 differs"},
    {"BACKUP_FILE_MISSING", {}, "{path} is missing"},
    {"RESTORE_NOT_EMPTY", E::already_exists, "{path} is not empty ({found} is in it): a backup is restored into an empty data folder; give another with --data"},
    {"RESTORE_UNFINISHED", E::failed_precondition, "{path} holds a part of a backup: its restore was killed; delete the folder and restore again"},
    // deep check
    {"ENTITY_ISSUE", {}, "{entity}/{id}: {kind}; see: flyball entities list"},
    {"MODEL_FILES", {}, "{problem}"},
};
// clang-format on

}  // namespace

std::span<const CatalogueEntry> catalogue_custody() { return kEntries; }

}  // namespace flyball
