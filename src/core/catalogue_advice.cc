// What advice and the workers that compute it say.
#include "core/catalogue_tables.h"

namespace flyball {
namespace {

using E = Errc;

// clang-format off
constexpr CatalogueEntry kEntries[] = {
    // workers
    {"FRAME_CORRUPT", E::corrupt_data, "what came between two processes was changed on its way: {detail}"},
    {"FRAME_INVALID", E::corrupt_data, "what came between two processes has {count} problem(s)"},
    {"WORKER_START_TIMEOUT", E::unavailable, "the process that computes advice was not ready within {seconds}: it was ended; try again"},
    {"WORKER_EXITED", E::unavailable, "the process that computes advice ended before it was ready; what it said is in {log}"},
    {"WORKER_PROTOCOL", E::unavailable, "the process that computes advice said what cannot be read ({detail}): it was ended and nothing of it was kept; try again"},
    {"WORKER_INTERRUPTED", E::unavailable, "the process that computed this advice is gone ({reason}): nothing of it was kept, and it is not tried again by itself"},
    {"WORKER_RETIRING", E::unavailable, "the processes that compute advice are being ended; try again later"},
    {"SOLVE_TIMEOUT", E::timeout, "no advice within {limit}: the work was ended; optimizer.solver.requestTimeoutMs is the limit"},
    {"SOLVER_QUEUE_FULL", E::resource_exhausted, "every process that computes advice is busy and {limit} callers wait, the limit; try again later"},
    {"SOLVER_RESTARTING", E::unavailable, "the process that computes advice failed {failures} time(s) in a row and is started again in a few seconds; try again then"},
    {"SOLVER_UNAVAILABLE", E::unavailable, "the process that computes advice failed {failures} times in a row: one attempt a minute is made; see runtime/solver in the data folder"},
    {"SOLVER_BUSY", E::failed_precondition, "a process that computes advice does one thing at a time"},
    {"SOLVER_ERROR", E::failed_precondition, "the advice could not be computed: {detail} ({code})"},
};
// clang-format on

}  // namespace

std::span<const CatalogueEntry> catalogue_advice() { return kEntries; }

}  // namespace flyball
