// What jobs, rights and the service say.
#include "core/catalogue_tables.h"

namespace flyball {
namespace {

using E = Errc;

// clang-format off
constexpr CatalogueEntry kEntries[] = {
    // store
    {"DATABASE_RECORD", E::corrupt_data, "a record of flyball.db has {count} problem(s): restore it from a backup"},
    // jobs
    {"JOB_MISSING", E::not_found, "there is no job {id}; see: flyball jobs list"},
    {"JOB_ACTIVE", E::failed_precondition, "job {id} is {state}: cancel it first, or wait for its end"},
    {"JOB_ENDED", E::failed_precondition, "job {id} has ended as {state}: there is nothing to cancel"},
    {"JOB_NOT_RETRYABLE", E::failed_precondition, "job {id} is {state}: only what failed, ran out of time, was interrupted or cancelled is tried again"},
    {"RETRY_EXHAUSTED", E::resource_exhausted, "job {id} was tried {limit} times again, the limit: look at its log, correct the cause and submit a new one"},
    {"QUEUE_FULL", E::resource_exhausted, "{limit} jobs wait, the limit: wait for one to start, or cancel one"},
    {"JOB_STALLED", E::timeout, "no word from the work for {seconds}: it was ended; jobs.stallSeconds is the limit"},
    {"JOB_TIMEOUT", E::timeout, "the work took longer than {seconds}: it was ended; jobs.timeoutSeconds is the limit"},
    {"JOB_CANCELLED", E::cancelled, "cancelled by {by}{reason}"},
    {"JOB_INTERRUPTED", E::unavailable, "the service ended while the job was {state}: try it again with flyball jobs retry {id}"},
    {"JOB_PROCESS_START", E::unavailable, "the process that does the work could not be started: {reason}"},
    {"JOB_UNEXPECTED", E::internal, "the work failed: {detail}"},
    {"JOB_KIND_UNKNOWN", E::internal, "nothing here does jobs of kind {kind}"},
};
// clang-format on

}  // namespace

std::span<const CatalogueEntry> catalogue_service() { return kEntries; }

}  // namespace flyball
