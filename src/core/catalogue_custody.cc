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
    // room on the disk
    {"DISK_LOW", E::resource_exhausted, "{free} are free on the disk of {path}, {needed} must be (disk.minFreeMb, disk.minFreePercent): until then nothing that grows is done, while reading, deleting and flyball retention run go on; the largest part is {part} with {bytes}, see: flyball system"},
    // retention
    {"RETENTION_RULE", {}, "older than {days}, and not among the newest {kept}"},
    {"MODEL_PRUNED", E::failed_precondition, "the files of model {id} were removed on {at}, after it had been retired: restore them from a backup, or train again"},
    // quotas
    {"QUOTA_DATASETS", E::resource_exhausted, "line {line} has {count} datasets, the limit quota.datasets is {limit}: delete some that nothing cites, or raise it"},
    {"QUOTA_MODELS", E::resource_exhausted, "line {line} has {count} models, the limit quota.models is {limit}: delete candidates, let retention remove retired ones, or raise it"},
    {"QUOTA_BYTES", E::resource_exhausted, "datasets and models of line {line} take {used}, the limit quota.mb is {limit}: delete some, or raise it"},
    // use and deletion
    {"MODEL_IN_USE", E::failed_precondition, "model {id} is used by {holders}: end that first"},
    {"DATASET_IN_USE", E::failed_precondition, "dataset {id} is used by {holders}: wait for its end, or cancel it"},
    {"MODEL_HISTORY", E::failed_precondition, "model {id} was in production once: its row stays, so that what was in production when can be told; retire it, and retention removes its files"},
    {"MODEL_CITED", E::failed_precondition, "model {id} is cited by {evaluation}: what was judged stays"},
    {"DEEP_CHECK_FOUND", {}, "{count} finding(s), the first: {first}; see: flyball entities verify"},
    // evaluation
    {"EVALUATION_MISSING", E::not_found, "there is no evaluation {id}; see: flyball evaluations list"},
    {"EVALUATION_VARIABLES", E::failed_precondition, "model {id} has {wanted}; dataset {dataset} has {found}: build a dataset with the same variables, roles and units in the same order"},
    {"EVALUATION_BEAT", E::failed_precondition, "model {id} steps by {wanted}, dataset {dataset} by {found}: build a dataset with the same beat"},
    {"JOB_PROCESS_SAID", E::failed_precondition, "{text} [{code}]"},
    {"REPORT_DIFFERS", {}, "studying {dataset} again gave another model ({found}, not {wanted}): this version of the program is not the one that made experiment {id}; its report cannot be made again"},
    {"MODEL_FILES", {}, "{problem}"},
};
// clang-format on

}  // namespace

std::span<const CatalogueEntry> catalogue_custody() {
  return kEntries;
}

}  // namespace flyball
