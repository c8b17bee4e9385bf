#include "core/catalogue.h"

#include <algorithm>

namespace flyball {
namespace {

using E = Errc;

// clang-format off
constexpr CatalogueEntry kEntries[] = {
    // core: records
    {"FIELD_UNKNOWN", E::invalid_argument, "unknown field \"{field}\"{suggestion}"},
    {"FIELD_REQUIRED", E::invalid_argument, "\"{field}\" is required"},
    {"FIELD_TYPE", E::invalid_argument, "expected {expected}, got {actual}"},
    {"FIELD_RANGE", E::invalid_argument, "{value} is outside {limits}"},
    {"FIELD_CHOICE", E::invalid_argument, "\"{value}\" is not one of {choices}"},
    {"SPEC_INVALID", E::invalid_argument, "{count} problem(s) in the input"},
    {"TIME_INVALID", E::invalid_argument, "\"{text}\" is not an RFC 3339 time with offset, such as 2026-03-01T08:00:00Z"},
    {"DURATION_INVALID", E::invalid_argument, "\"{text}\" is not a duration: give a number and a unit of us, ms, s, min, h or d, such as 80ms"},
    {"JSON_INVALID", E::corrupt_data, "{source} is not valid JSON: {detail}"},
    {"NOT_FINITE", E::internal, "{name} is not finite: {value}"},
    {"SHAPE_MISMATCH", E::internal, "{name} is {actual}, expected {expected}"},
    {"CANCELLED", E::cancelled, "interrupted; nothing half made was kept"},
    // store
    {"FILE_NOT_FOUND", E::not_found, "{path} does not exist"},
    {"FILE_UNREADABLE", E::corrupt_data, "{path} cannot be read: {reason}"},
    {"FILE_NOT_WRITTEN", E::unavailable, "{path} could not be written: {reason}"},
    {"DISK_FULL", E::resource_exhausted, "no space left to write {path}; nothing half written was kept: free space on that disk and run it again"},
    {"FOLDER_NOT_WRITABLE", E::unavailable, "{path} cannot be written ({reason}): give another folder with --data or --out, or allow writing there"},
    {"DATA_IN_USE", E::failed_precondition, "the data folder {path} is in use by process {pid} ({command}): wait for it to end, or give another folder with --data"},
    {"DATABASE_CORRUPT", E::corrupt_data, "{path} is damaged or not a database of flyball ({reason}): restore it from a backup"},
    {"DATABASE_BUSY", E::unavailable, "{path} is being written by another process: run it again in a moment"},
    {"DATABASE_CONSTRAINT", E::already_exists, "{path} refused a row: {reason}"},
    {"DATABASE_FAILED", E::internal, "{path}: the database said \"{reason}\""},
    {"DATABASE_TOO_NEW", E::failed_precondition, "the database has schema {found}, this program knows up to {known}: use the newer program that wrote it"},
    // dataset
    {"UNIT_CONTRACT_INVALID", E::invalid_argument, "{count} unit declaration(s) are not complete: model value = source value * scale + offset, both finite, scale not 0, neither has a default"},
    {"UNIT_SCALE_INVALID", {}, "the scale of {variable} is {value}: declare a finite number other than 0 (1 when the units are the same)"},
    {"UNIT_OFFSET_INVALID", {}, "the offset of {variable} is {value}: declare a finite number (0 when the units are the same)"},
    {"NODE_LINE_MISMATCH", E::permission_denied, "{node} is not a tag of line {line}: lines never mix; name a tag of that line"},
    {"VARIABLE_TWICE", {}, "{variable} is named twice: a tag has one role"},
    {"ROLE_MISSING", {}, "no variable has the role {role}: name at least one with --{role}"},
    {"SPLIT_SUM", {}, "val and test together are {value}, more than {limit}: leave at least a tenth for train"},
    {"BEAT_RESOLUTION", {}, "the beat of {value} is not a whole number of microseconds"},
    {"RANGE_EMPTY", {}, "the range from {low} to {high} is empty"},
    {"RUN_NOT_IN_DATASET", E::not_found, "run {run} is not in the dataset"},
    // registry
    {"MODEL_EXISTS", E::already_exists, "model {id} is registered already; a model is never overwritten"},
    {"MODEL_MISSING", E::not_found, "there is no model {id}; see: flyball models list"},
    {"DATASET_MISSING", E::not_found, "there is no dataset {id}; see: flyball datasets list"},
    {"EXPERIMENT_MISSING", E::not_found, "there is no experiment {id}; see: flyball experiments list"},
    {"ARTIFACT_MISSING", E::corrupt_data, "model {id}: its file {file} is gone; restore it from a backup or train again"},
    {"ARTIFACT_CORRUPT", E::corrupt_data, "model {id}: {file} is not what was registered (its sha256 differs); restore it from a backup or train again"},
    {"ARTIFACT_UNKNOWN_FILE", {}, "model {id}: {file} was not registered with it"},
    {"CURSOR_INVALID", E::invalid_argument, "\"{cursor}\" is not a cursor of this list; use nextCursor of the page before"},
    // model
    {"MODEL_PREDICTOR", E::corrupt_data, "the model's predictor has no steady state (I − A + K C is singular); train it again"},
};
// clang-format on

}  // namespace

std::span<const CatalogueEntry> catalogue() { return kEntries; }

const CatalogueEntry* find_entry(std::string_view code) {
  const auto* it = std::ranges::find(kEntries, code, &CatalogueEntry::code);
  return it == std::end(kEntries) ? nullptr : it;
}

}  // namespace flyball
