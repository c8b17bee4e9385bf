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
    // profiles and bindings
    {"PROFILE_MISSING", E::not_found, "there is no profile {id}; see: flyball optimize profile list"},
    {"PROFILE_LINE", E::failed_precondition, "profile {id} is of line {line}, its new version would be of {other}: make a new profile"},
    {"PROFILE_STATUS", E::failed_precondition, "profile {id} is {from} and cannot become {to}: draft, active, retired is the way; a change is a new version"},
    {"PROFILE_RACE", E::failed_precondition, "somebody else moved profile {id}: look again"},
    {"PROFILE_INVALID", E::invalid_argument, "the profile has {count} problem(s)"},
    {"PROFILE_NOT_ELIGIBLE", E::failed_precondition, "the profile may not give advice: {count} rule(s) do not hold"},
    {"PROFILE_INACTIVE", E::failed_precondition, "profile {id} is {status}: only an active one gives advice; bind a version that is in force (flyball optimize bind PROFILE --id BINDING), or put one in force first (flyball optimize profile activate)"},
    {"PROFILE_UNSAFE", E::failed_precondition, "the controller was tried on the plant as modelled and on plants that differ from it, and is refused: {detail}"},
    {"PROFILE_UNDECIDED", E::timeout, "whether profile {id} is safe cannot be told within {limit}, the limit (optimizer.activation.timeoutSeconds): {detail}; it is not in force. Fewer horizon steps, fewer moves (controlHorizon, blocks) or a slower beat make it faster; else give it longer: flyball config set optimizer.activation.timeoutSeconds SECONDS"},
    {"PROFILE_BASIS_CHANGED", E::failed_precondition, "{what} changed while profile {id} was tried: it is not in force; activate it again"},
    {"PROFILE_VARIABLE", {}, "{variable} is no {role} of model {model}"},
    {"PROFILE_TRANSPORT", {}, "{variable} reaches the CVs through a pipe: what is to be moved must act where it is read"},
    {"PROFILE_ORDER", {}, "{variable}: {low} is {value} and lies above {high}, which is {limit}; swap or move one of them"},
    {"FORECAST_UNKNOWN", E::invalid_argument, "{variable} has a forecast and is no disturbance of model {model}; its disturbances are: {known}"},
    {"PROFILE_TWICE", {}, "{variable} stands there twice"},
    {"ADVICE_MODEL_STAGE", {}, "model {model} is {stage}: advice comes from shadow or production; see: flyball models stage"},
    {"ADVICE_MODEL_HASH", {}, "model {model} is not the artifact that the profile was written for: write a new version"},
    {"ADVICE_MODEL_GATES", {}, "model {model} did not pass its gates"},
    {"ADVICE_MODEL_RECIPE", {}, "model {model} is not of {line} · {product} · {recipe}"},
    {"ADVICE_MODEL_PRUNED", {}, "the files of model {model} were removed by retention"},
    {"ADVICE_TEMPLATE", {}, "template {template} does not take a model of kind {kind}"},
    {"LINEAGE_UNVERIFIED", {}, "nobody confirmed by which recipe the runs of dataset {dataset} were made; see: flyball segments confirm, and build and train again"},
    {"UQ_MISSING", {}, "model {model} has no evidence of its uncertainty ({reason})"},
    {"UQ_OTHER_MODEL", {}, "the evidence of uncertainty is of another artifact than model {model}"},
    {"UQ_NOT_COVERED", {}, "the interval held {coverage} of the test blocks, {limit} are needed: record more runs like those it is used in and make a new study, or set requireUq to false in the profile, then its advice is unverified"},
    {"UQ_HORIZON", {}, "the profile looks {horizon} steps ahead, the evidence reaches {limit}: shorten horizon"},
    {"UQ_STALE", {}, "the evidence of uncertainty is too old (calibrated {at}); uq.freshDays is the limit"},
    {"DISTANCE_UNKNOWN", {}, "how far the plant is from where the model was trained cannot be told"},
    {"DISTANCE_FAR", {}, "the plant is {distance} train deviations from where the model was trained, {limit} is the limit"},
    {"DISTANCE_AHEAD", {}, "the advice leads {distance} train deviations away from where the model was trained, {limit} is the limit"},
    {"SPREAD_UNKNOWN", {}, "whether the values lie together as they did in train cannot be told: a value is missing, or the model was trained before that was kept; train it again"},
    {"SPREAD_FAR", {}, "the values do not lie together as they did in train: Mahalanobis distance {distance}, {limit} is the limit"},
    {"SPREAD_AHEAD", {}, "the advice leads to values that did not occur together in train: Mahalanobis distance {distance}, {limit} is the limit"},
    {"CANDIDATE_UNVERIFIED", {}, "the candidate did not stand its own verification"},
    {"BINDING_MISSING", E::not_found, "there is no binding {id}; see: flyball optimize bindings"},
    {"BINDING_DISABLED", E::failed_precondition, "binding {id} gives no advice: {reason}; a person enables it again with flyball optimize bind --id {id} --enabled true"},
    {"BINDING_REVISION_CHANGED", E::failed_precondition, "binding {id} was changed (revision {expected}, now {revision}): ask again"},
    {"BINDING_MV_TAKEN", E::failed_precondition, "{node} is moved by binding {binding} (profile {profile}), and two may say the opposite of one another: an MV belongs to one binding in force; suspend that one first (flyball optimize bind --id {binding} --enabled false), or leave the MV out of this profile"},
    {"BINDING_MV_STEERED", E::failed_precondition, "{node} is a CV of binding {binding} (profile {profile}) and cannot be an MV of another in force: one would set what the other steers; suspend that one first (flyball optimize bind --id {binding} --enabled false), or leave the tag out of one of the profiles"},
    {"BINDING_CV_MOVED", E::failed_precondition, "{node} is an MV of binding {binding} (profile {profile}) and cannot be a CV of another in force: one would steer what the other sets; suspend that one first (flyball optimize bind --id {binding} --enabled false), or leave the tag out of one of the profiles"},
    {"BINDING_CV_SHARED", {}, "{node} is a CV of binding {binding} (profile {profile}) too: each takes what the other moves for a disturbance, and both together may move too far; one profile with the MVs of both sees both"},
    {"BINDING_LINE", E::failed_precondition, "the profile is of line {line}; {node} is not on it"},
    // context and problem
    {"CONTEXT_NEVER", E::failed_precondition, "{node} has no value in the run that is going on: import it, or bind the variable to another tag (flyball optimize bind --node)"},
    {"CONTEXT_EMPTY", E::failed_precondition, "the newest sample of {node} has no good value: advice needs one; look at the sensor, or ask again with the next sample"},
    {"CONTEXT_AHEAD", E::failed_precondition, "the newest value of {node} lies {age} ahead of the clock of this machine: a wrong clock or time zone; advice on it is none"},
    {"CONTEXT_STALE", E::failed_precondition, "the newest value of {node} is {age} old, {limit} is the limit: advice on old values is none"},
    {"CONTEXT_MISMATCH", E::failed_precondition, "the plant does not do what the binding is for: {what} is {plant}, not {expected}"},
    {"LIMIT_MISSING", E::failed_precondition, "nobody gives {variable} a lowest and a highest value: profile, tag, product or recipe has to"},
    {"LIMITS_EMPTY", E::failed_precondition, "the limits of {variable} leave nothing: at least {min} ({minFrom}), at most {max} ({maxFrom})"},
    {"ADVICE_INPUT_MISSING", E::failed_precondition, "the newest complete step has no value of {variable}: advice starts from where the inputs are"},
    {"ADVICE_HISTORY_SHORT", E::failed_precondition, "the active run has {rows} complete steps without a gap, the model needs {needed}: wait for more"},
    // runs and recommendations
    {"ADVICE_RUN_MISSING", E::not_found, "there is no such question or candidate: {id}"},
    {"ADVICE_RUN_RACE", E::failed_precondition, "question {id} has ended already"},
    {"TRY_INVALID", E::invalid_argument, "{text} is no change that can be tried: VARIABLE.FIELD=NUMBER with a variable of the question; {fields}"},
    {"VERIFY_FAILED", {}, "what was computed did not stand its verification: {detail}"},
    {"VERIFY_SHAPE", {}, "numbers are missing or not finite"},
    {"VERIFY_COST", {}, "the cost is {cost}, not {solver} as claimed"},
    {"VERIFY_PREDICTION", {}, "predictions differ by {difference} train deviations from those of the stored model, {limit} is the limit"},
    {"VERIFY_LIMIT", {}, "hard limit {limit} is broken by {margin}"},
    {"VERIFY_IMPROVEMENT", {}, "it saves {improvement} of the cost of holding, {limit} is the least that is worth a move"},
    {"VERIFY_BEYOND", {}, "it stays beyond a hard limit that is broken now longer than holding does, by {amount} train deviations times steps"},
    {"ADVICE_INFEASIBLE", {}, "the hard limits cannot all hold{detail}"},
    {"ADVICE_TIMEOUT", {}, "no answer within the time limit of the profile"},
    {"ADVICE_FAILED", {}, "the solver gave no answer: {detail}"},
    {"RECOMMENDATION_MISSING", E::not_found, "there is no advice {id}; see: flyball optimize list"},
    {"RECOMMENDATION_STATUS", E::failed_precondition, "advice {id} is {from} and cannot become {to}: verified or unverified is accepted or rejected, accepted is carried out, then its outcome is judged"},
    {"RECOMMENDATION_EXPIRED", E::failed_precondition, "advice {id} no longer holds ({cause}): ask again"},
    {"RECOMMENDATION_UNVERIFIED", E::failed_precondition, "advice {id} is unverified: say with --reason why you accept it all the same"},
    {"ADVICE_PERSON", E::permission_denied, "only a person decides on advice and says that it was applied; a token does not"},
    {"OUTCOME_NOT_APPLIED", E::failed_precondition, "advice {id} is {status}: only what was applied has an outcome; see: flyball optimize applied"},
    {"OUTCOME_TOO_EARLY", E::failed_precondition, "the settle window of advice {id} ends at {until}, the newest value is of {newest}: wait"},
    {"OUTCOME_OPEN", E::failed_precondition, "the settle window of advice {id} ends at {until}, and it is {now}: values ahead of the clock do not count; ask again then"},
    {"OUTCOME_FEW", {}, "{cv} has {before} values before and {after} after, {limit} are needed"},
    {"OUTCOME_MV_ELSEWHERE", {}, "{mv} was at {value}, the advice was {advised}: what happened is not its doing"},
    {"OUTCOME_NOISE", {}, "the change {change} ± {width} can be nothing and can be what was promised ({promised})"},
    {"OUTCOME_WORSE", {}, "the outcome of advice {id} was worse than before"},
    // the card
    {"CARD_NO_ADVICE", {}, "No advice: {reason}"},
    {"CARD_MODEL_UNITS", {}, "the model of this advice is gone: values are in its units, not in those of the tags"},
    {"CARD_MOVE", {}, "{mv}: {from} → {to}"},
    {"CARD_HOLD", {}, "Hold everything: no move is worth its while"},
    {"CARD_EFFECT", {}, "{cv}: {from} → {to} ({low} .. {high}) in {time}"},
    {"CARD_EFFECT_NO_INTERVAL", {}, "{cv}: {from} → {to} (no interval) in {time}"},
    {"CARD_REST", {}, "{cv}: {from} → {to} ({low} .. {high}) when it has come to rest"},
    {"CARD_REST_NO_INTERVAL", {}, "{cv}: {from} → {to} (no interval) when it has come to rest"},
    {"CARD_BROKEN", {}, "{label}, broken now: {limits}"},
    {"CARD_LIMIT", {}, "Binds: {limits}"},
    {"CARD_NO_LIMIT", {}, "No limit binds"},
    {"CARD_VALID", {}, "{limits}. {label}. Valid until {until}"},
    {"CARD_EXPIRED", {}, "{limits}. {label} ({cause})"},
};
// clang-format on

}  // namespace

std::span<const CatalogueEntry> catalogue_advice() {
  return kEntries;
}

}  // namespace flyball
