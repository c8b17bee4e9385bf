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
    // plant
    {"NAME_INVALID", E::invalid_argument, "\"{name}\" cannot name a {what}: use 1 to 64 letters, digits, '.', '_' or '-', not beginning with '.'"},
    // historian
    {"RUN_MISMATCH", E::failed_precondition, "run {run} of line {line} is known with product {product} and recipe {recipe}: a run has one of each; give another run name"},
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
    // report
    {"REPORT_VERDICT_PASS", {}, "The model passed all {count} gates and may be used as a candidate, within the data that it was judged on."},
    {"REPORT_VERDICT_REFUSED", {}, "The model was refused: {failed} of {count} gates failed: {gates}."},
    {"REPORT_VERDICT_NO_MODEL", {}, "No model was judged: the study ended before the gates."},
    {"REPORT_NEXT_NONE_PASS", {}, "Read the step responses with somebody who knows the process: signs, gains and dead times should look right. Then run the model in shadow."},
    {"REPORT_NEXT_NONE_REFUSED", {}, "Read the reasons in the gate table below."},
    {"REPORT_GATES_ABOUT", {}, "Every gate must pass. Evidence that is missing does not pass."},
    {"REPORT_GATES_NONE", {}, "No gate was evaluated, since there was no model to judge."},
    {"REPORT_FREE_RUN_ABOUT", {}, "Free run: the model starts at the first sample of the block and is then given the inputs alone, never again a measured CV. 100 % is perfect, 0 % is no better than the mean of the block, below 0 % is worse."},
    {"REPORT_EMPTY_FREE_RUN", {}, "no free run: there is no model, or the block has no sample"},
    {"REPORT_EMPTY", {}, "no values to draw"},
    {"REPORT_FIT_NONE", {}, "free-run fit could not be computed."},
    {"REPORT_LEAVES_PICTURE", {}, "The prediction leaves the picture: the axis shows the measured range and as much again on both sides."},
    {"REPORT_WORST_STRETCH", {}, "{name}: the {steps} steps in which the error is largest."},
    {"REPORT_STEPS_ABOUT", {}, "What each CV does after a step of one unit in one input, all else held. Grey: 95 % band. The gain stands with its 95 % range in the CV's unit per unit of the input; settled means within 5 % of the final value."},
    {"REPORT_STEPS_NONE", {}, "No step responses: there is no model."},
    {"REPORT_STEP_NONE", {}, "no answer found"},
    {"REPORT_DEAD_TIMES_ABOUT", {}, "The lag is the first one at which the CV answers the input. Under sample and hold a lag of k steps means a dead time of the plant between k − 1 and k beats."},
    {"REPORT_DEAD_TIMES_NONE", {}, "No dead times: the study ended before they were sought."},
    {"REPORT_HORIZON_ABOUT", {}, "Root mean square error over the standard deviation of the CV in train, without unit, at each step ahead over all windows. Persistence holds the last measured value; a model that is not clearly below it is of no use."},
    {"REPORT_HORIZON_NONE", {}, "No errors by horizon: there is no model, or no block is long enough for one window."},
    {"REPORT_RESIDUALS_ABOUT", {}, "One-step residuals should be white and should not follow from past inputs. A diamond marks a lag beyond the bound; a few in a hundred are chance. Lags that stay beyond it early on mean that dynamics or a dead time are missing."},
    {"REPORT_RESIDUALS_NONE", {}, "No residual tests: there is no model."},
    {"REPORT_UQ_ABOUT", {}, "The band comes from the largest error of each val block and was checked on test blocks."},
    {"REPORT_UQ_NONE", {}, "The study ended before the uncertainty was judged."},
    {"REPORT_IMPORT_NONE", {}, "Nothing was imported."},
    {"REPORT_DATASET_NONE", {}, "No dataset was made."},
    {"REPORT_RUNS_ALL_USED", {}, "No run was left out."},
    {"REPORT_PARTS_ABOUT", {}, "Use of each run in time ({shown} of {count} runs): choices are made in train, uncertainty is set on val, the verdict is given on test. Outlined stretches and gaps were left out, so that no window sees across a border."},
    {"REPORT_CLEANING_NONE", {}, "Cleaning left nothing out."},
    {"REPORT_MAKING_NONE", {}, "Nothing is known about how this was made."},
    // app
    {"SETTING_UNKNOWN", E::invalid_argument, "there is no setting \"{key}\"{suggestion} Known: {known}"},
    {"SETTING_VALUE", E::invalid_argument, "{key}: \"{value}\" (from {source}) is not a number in {min} .. {max}"},
    {"SETTING_REASON_MISSING", E::invalid_argument, "{key} from {from} to {to} loosens a gate: say why with --reason; every later report shows it"},
    {"DATA_FOLDER_MISSING", E::not_found, "there is no data in {path} (from {source}); run flyball study first, or name the folder with --data"},
    // cli
    {"USAGE", E::invalid_argument, "{detail}. See: {help}"},
    {"FLAG_VALUE", E::invalid_argument, "--{flag}: \"{value}\" is not {type}"},
    {"SHELL_UNKNOWN", E::invalid_argument, "there are no completions for \"{shell}\"; ask for bash, zsh or fish"},
    {"OUTPUT_FAILED", E::unavailable, "the output could not be written; is the disk full or the pipe closed?"},

    // gates
    {"POLICY_UNKNOWN", E::invalid_argument, "there is no gate policy \"{policy}\"; known: {known}"},
    {"GATE_NUMBER", {}, "{value}"},
    {"GATE_NO_EVALUATION", {}, "the model was not evaluated: evaluate it first"},
    {"GATE_NO_WINDOWS", {}, "the {part} part ({rows} steps) holds no window of {steps} steps without a missing value: give a longer record, a larger {part} share or a shorter history and horizon"},
    {"GATE_NOT_FINITE", {}, "the error on the {part} part is not a finite number: the model diverges"},
    {"G1_PASS", {}, "one-step error is {value} of the train spread; limit {limit}; holding the last value gives {persistence}; noise floor {floor}"},
    {"G1_NOISE", {}, "one-step error is {value} of the train spread; limit {limit}; the noise floor is {floor}: noise, not model: take a longer beat, filter at the source, or justify a higher limit; largest: {worst}"},
    {"G1_MODEL", {}, "one-step error is {value} of the train spread; limit {limit}; the noise floor is {floor}, so a better model is possible: add inputs or a longer record; largest: {worst}"},
    {"G1_FLOOR_UNKNOWN", {}, "one-step error is {value} of the train spread; limit {limit}; the noise floor is not known; largest: {worst}"},
    {"G2_PASS", {}, "the error over {horizon} is {rollout} of the train spread, {persistence} when the last value is held: better by {value}; at least {limit} is needed"},
    {"G2_FAIL", {}, "the error over {horizon} is {rollout} of the train spread, {persistence} when the last value is held: better by {value}, and at least {limit} is needed: the inputs explain too little; add inputs or move them more"},
    {"G2_NO_PERSISTENCE", {}, "holding the last value has no error on the test part, so nothing can be better than it: the CVs do not move there"},
    {"G2_CV_WORSE", {}, "{cv}: the error over {horizon} is {rollout} of its train spread, worse than {persistence} when the last value is held"},
    {"G2_CV_NOISE", {}, "{cv}: holding the last value errs by {persistence}, within its noise floor {floor}: not judged"},
    {"G2_ERROR_PASS", {}, "the error over {horizon} is {value} of the train spread; limit {limit}"},
    {"G2_ERROR_FAIL", {}, "the error over {horizon} is {value} of the train spread; limit {limit}: train on the rollout or give more data"},
    {"G3_PASS", {}, "error on test {test} and on val {val} differ by {value} of val (counted as at least {floor}); limit {limit}; 95 % interval of the difference {low} to {high}"},
    {"G3_TEST_WORSE", {}, "error on test {test} exceeds {val} on val by {value} of val (counted as at least {floor}); limit {limit}; 95 % interval of the difference {low} to {high}: the plant changed between the parts, or they are short; give a longer record or more runs"},
    {"G3_TEST_BETTER", {}, "error on test {test} is lower than {val} on val by {value} of val (counted as at least {floor}); limit {limit}; 95 % interval of the difference {low} to {high}: test is better than val, and that fails too, since the parts are not alike; give a longer record or more runs"},
    {"G4_PASS", {}, "{rows} unique usable steps (at least {limit}) from {runs} run(s): train {train}, val {val}, test {test}"},
    {"G4_ROWS", {}, "{rows} unique usable steps; at least {limit} are needed: {more} more"},
    {"G4_PARTS", {}, "{runs} run(s) gave windows (at least {runLimit}) and not every part holds steps (train {train}, val {val}, test {test}): give more runs or a split with val and test"},
    {"G4_RUNS", {}, "{runs} run(s) gave windows; at least {runLimit} are needed: give more runs"},
    {"G5_PASS", {}, "the model file ({bytes}) parses, fits the data and predicts finite values"},
    {"G5_EMPTY", {}, "there is no model file"},
    {"G5_KIND", {}, "a model of kind {kind} cannot be opened by this build"},
    {"G5_UNREADABLE", {}, "the model file does not hold a {kind}: {detail}"},
    {"G5_SHAPE", {}, "the model has {inputs} inputs and {outputs} outputs, the data {dataInputs} and {dataOutputs}"},
    {"G5_TRIAL", {}, "the model's trial prediction is not finite"},
    {"STABLE_PASS", {}, "spectral radius {radius}; free run and full steps of the MVs stay within {excursion} train ranges of the train mean (limit {limit})"},
    {"STABLE_UNKNOWN", {}, "there is no free run to judge: give a longer record or a test part"},
    {"STABLE_RADIUS_UNKNOWN", {}, "the spectral radius cannot be computed: the model file does not open"},
    {"STABLE_RADIUS", {}, "spectral radius {value} is not below {limit}: the model grows without bound; declare a level as integrating, or give a record in which the CV settles"},
    {"STABLE_NEAR_ONE", {}, "spectral radius {value} is above {limit}: the beat is short for this process; a longer beat is worth a try"},
    {"STABLE_FREE_RUN", {}, "{cv} runs {value} train ranges away from the train mean in free run; limit {limit}: the model does not hold without measurements"},
    {"STABLE_FREE_RUN_UNKNOWN", {}, "{cv}: free run over the test part gives no finite value, or there is no stretch longer than the history"},
    {"STABLE_STEP", {}, "{cv} runs {value} train ranges away when {mv} makes its full train step ({steps}); limit {limit}"},
    {"STABLE_STEP_UNKNOWN", {}, "{cv}: the answer to the full train step of {mv} is not finite"},
    {"STABLE_FIT", {}, "{cv}: free-run fit on test is {value}, below {limit}: worse than its mean; add the input that moves it"},
    {"STABLE_CHANGE_FIT", {}, "{cv}: fit of the change over {horizon} on test is {value}, below {limit}"},
    {"STABLE_FIT_UNKNOWN", {}, "{cv}: the fit on the test part cannot be computed: no test part, a CV that does not move, or a model that diverges"},
    {"INFORMATIVE_PASS", {}, "every CV ({cvs}) answers to an input that moved enough"},
    {"INFORMATIVE_UNKNOWN", {}, "identification left no word on inputs and dead times"},
    {"INFORMATIVE_FEEDBACK", {}, "{mv} is computed from the CVs (feedback without excitation): its effect cannot be told from its cause; add test steps on {mv} or on the set-point"},
    {"INFORMATIVE_NO_INPUT", {}, "{cv}: no input was found that it answers to; step the MVs, or add the input that moves it"},
    {"INFORMATIVE_LEFT_OUT", {}, "{input} was left out: no CV answers to it, its gain is not identifiable"},
    {"INFORMATIVE_NOT_MOVED", {}, "{input} moved too little ({moves} moves in train; 10 are needed): its gain is not identifiable; step {input} alone"},
    {"SEALED_PASS", {}, "val and test share no step with train, and the model judged is the model registered"},
    {"SEALED_SHARED", {}, "{rows} steps stand in two parts: the split leaks"},
    {"SEALED_DATASET", {}, "the model was trained on dataset {trained} and judged on {evaluated}"},
    {"SEALED_ARTIFACT", {}, "the artifact judged ({evaluated}) is not the one to be registered ({registered})"},

    // uq
    {"UQ_TEST_STEPS", {}, "no uncertainty evidence: {value} unique test steps in scoring blocks; at least {limit} are needed"},
    {"UQ_TEST_RUNS", {}, "no uncertainty evidence: {value} test run(s); at least {limit} are needed, that is six runs at the default split; split a long record into runs or record more"},
    {"UQ_TEST_BLOCKS", {}, "no uncertainty evidence: {value} test block(s) of {steps} start steps ({short} shorter stretches gave none); at least {limit} are needed"},
    {"UQ_VAL_BLOCKS", {}, "no uncertainty evidence: {value} val block(s) of {steps} start steps ({short} shorter stretches gave none); at least {limit} are needed"},
    {"UQ_VAL_RUNS", {}, "no uncertainty evidence: {value} val run(s); at least {limit} are needed"},
    {"UQ_NO_CV", {}, "no uncertainty evidence: there is no CV"},
    {"UQ_NOT_FINITE", {}, "no uncertainty evidence: a val score is not finite: the model diverges"},
};
// clang-format on

}  // namespace

std::span<const CatalogueEntry> catalogue() { return kEntries; }

const CatalogueEntry* find_entry(std::string_view code) {
  const auto* it = std::ranges::find(kEntries, code, &CatalogueEntry::code);
  return it == std::end(kEntries) ? nullptr : it;
}

}  // namespace flyball
