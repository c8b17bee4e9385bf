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
    {"JOB_STALLED", E::timeout, "no word from the work for {seconds}: it was ended; job.stallSeconds is the limit"},
    {"JOB_TIMEOUT", E::timeout, "the work took longer than {seconds}: it was ended; job.timeoutSeconds is the limit"},
    {"JOB_CANCELLED", E::cancelled, "cancelled by {by}{reason}"},
    {"JOB_INTERRUPTED", E::unavailable, "the service ended while the job was {state}: try it again with flyball jobs retry {id}"},
    {"JOB_PROCESS_KILLED", E::unavailable, "the process that did the work was ended by signal {signal}: when it is 9 the machine may be out of memory, see job.memoryMb"},
    {"JOB_PROCESS_FAILED", E::internal, "the process that did the work ended with exit code {exit} {last}; see: flyball jobs log"},
    {"JOB_HAS_MODEL", E::failed_precondition, "job {id} made model {model}: it stays as long as the model"},
    {"BUDGET_EXHAUSTED", E::resource_exhausted, "dataset {dataset} has seen {limit} experiments, the limit job.maxExperiments: more attempts would fit its noise; build one with newer runs"},
    {"GATES_REFUSED", {}, "a gate refused; see the experiment"},
    {"ENTITIES_DISAGREE", {}, "{count} folders or rows disagree; see: flyball entities list"},
    {"JOB_PROCESS_START", E::unavailable, "the process that does the work could not be started: {reason}"},
    {"JOB_UNEXPECTED", E::internal, "the work failed: {detail}"},
    {"JOB_KIND_UNKNOWN", E::internal, "nothing here does jobs of kind {kind}"},
    // training plans
    {"PLAN_MISSING", E::not_found, "there is no training plan {id}; see: flyball plans list"},
    {"PLAN_TRAINING", E::failed_precondition, "training plan {id} waits for job {job}: wait for its end, or cancel it"},
    {"PLAN_DISABLED", E::failed_precondition, "training plan {id} is disabled; see: flyball plans enable {id}"},
    {"PLAN_RATE", E::resource_exhausted, "the training plans of line {line} began {limit} trainings within a day, the limit plan.perDay: wait, or set longer intervals"},
    {"PLAN_QUOTA", E::resource_exhausted, "what training plan {name} made takes {used}, the limit plan.quotaMb is {limit}: delete what is not needed, or let retention do it (retention.planDays, retention.plansKept)"},
    {"PLAN_JOB_GONE", {}, "job {job}, for which the plan waited, is no longer there: how it ended is not known; the plan begins anew when it may"},
    {"PLAN_NEW_RUNS", {}, "{count} finished runs are stored, {before} at the last training"},
    {"PLAN_NEW_ROWS", {}, "{count} new steps of finished runs since the last training, {limit} count like a new run"},
    {"PLAN_DRIFT", {}, "model {model} no longer fits: {reason}"},
    {"DRIFT_FEW", {}, "{count} predictions of data stored since the training could be compared, {limit} are needed: nothing can be told yet"},
    {"DRIFT_STATIC", {}, "a {kind} predicts no motion: its error on new data is not followed"},
    {"DRIFT_ERROR", {}, "the error of {cv} is {ratio} times that on test (at least {low}), over {windows} predictions"},
    {"DRIFT_INPUTS", {}, "in {share} of {windows} predictions an input was more than 3 deviations from what was trained on"},
    {"PLAN_ASKED", {}, "asked for by {by}"},
    // registry
    {"STAGE_ILLEGAL", E::failed_precondition, "model {id} cannot go from {from} to {to}: candidate, shadow, production, retired is the way"},
    {"STAGE_RACE", E::failed_precondition, "model {id} is {stage}, not {expected}: somebody else moved it; look again"},
    {"MODEL_NOT_IN_SHADOW", E::failed_precondition, "model {id} is {stage}: only a model in shadow predicts beside the plant and can be asked for production; see: flyball models stage"},
    {"NO_PRODUCTION_MODEL", E::not_found, "no model of {line} · {product} · {recipe} is in production at that time"},
    {"SHADOW_EVIDENCE_MISSING", E::failed_precondition, "model {id} has not shown enough in shadow: {missing}; store newer runs and run flyball models replay, or give a reason with --waive"},
    {"SHADOW_WAIVED", {}, "(without enough shadow evidence: {reason})"},
    {"SHADOW_RUNS", {}, "{value} runs were predicted, {limit} are needed"},
    {"SHADOW_REGIMES", {}, "{value} regimes were seen, {limit} are needed"},
    {"SHADOW_PREDICTIONS", {}, "{value} predictions could be scored, {limit} are needed on a line without batches"},
    {"SHADOW_SPAN", {}, "they span {value} h, {limit} h are needed on a line without batches"},
};
// clang-format on

}  // namespace

std::span<const CatalogueEntry> catalogue_service() { return kEntries; }

}  // namespace flyball
