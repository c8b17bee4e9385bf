// Operations on models, step tests and jobs.
#include <array>

#include "app/drift.h"
#include "app/find_models.h"
#include "app/notice_requests.h"
#include "app/operation_row.h"
#include "app/operation_tables.h"
#include "app/plan_requests.h"

namespace flyball::app {
namespace {

using S = Scope;

// clang-format off
constexpr std::array kOperations{
    operation<&App::list_models>("models.list", "models list", "GET", "/models", S::view, false, "registered models, newest first"),
    operation<&App::find_models>("models.find", "models find", "GET", "/model-search", S::view, false, "models by words: line, product, recipe, tags and what they are called; best first"),
    operation<&App::show_model>("models.show", "models show", "GET", "/models/{id}", S::view, false, "one model"),
    operation<&App::verify_model>("models.verify", "models verify", "POST", "/models/{id}/verify", S::view, false, "check the hash of every file of a model"),
    operation<&App::delete_model>("models.delete", "models delete", "DELETE", "/models/{id}", S::operate, true, "delete a model that was never in production and that nothing uses", Special::makes_room),
    operation<&App::evaluate_in_job>("models.evaluate", "models evaluate", "POST", "/models/{id}/evaluations", S::evaluate, true, "judge a model on another dataset, as the platform judged it first: a job"),
    operation<&App::list_evaluations>("evaluations.list", "evaluations list", "GET", "/evaluations", S::view, false, "models judged on other datasets, newest first"),
    operation<&App::show_evaluation>("evaluations.show", "evaluations show", "GET", "/evaluations/{id}", S::view, false, "one evaluation: metrics and coverage"),
    operation<&App::predict>("models.predict", "models predict", "POST", "/models/{id}/predict", S::view, false, "what the CVs will do, from history and planned MVs"),
    operation<&App::plan_step_test>("tests.plan", "tests plan", "POST", "/tests/plan", S::view, false, "moves for a step test inside the limits, and the precision to expect; writes a file, never a plant"),
    operation<&App::set_stage>("models.stage", "models stage", "POST", "/models/{id}/stage", S::request, true, "move a candidate into shadow, or retire a model", Special::makes_room),
    operation<&App::stage_history>("models.history", "models history", "GET", "/models/{id}/history", S::view, false, "every move of a model between stages"),
    operation<&App::update_shadow>("models.replay", "models replay", "POST", "/models/{id}/replay", S::evaluate, true, "let a model in shadow predict all that was stored since its training, and score it"),
    operation<&App::shadow_evidence>("models.evidence", "models evidence", "GET", "/models/{id}/evidence", S::view, false, "what a model in shadow has shown, and what is missing for production"),
    operation<&App::model_drift>("models.drift", "models drift", "GET", "/models/{id}/drift", S::view, false, "whether the plant still is what the model learnt: its error and the inputs on data stored since"),
    operation<&App::request_promotion>("models.promote", "models promote", "POST", "/models/{id}/promotion", S::request, true, "ask for a model in shadow to go into production; another person approves"),
    operation<&App::production>("models.production", "models production", "GET", "/production", S::view, false, "the model in production for a recipe, now or at a time"),
    operation<&App::train>("jobs.train", "train", "POST", "/jobs/training", S::train, true, "train on a stored dataset: a job, judged by the platform"),
    operation<&App::build_in_job>("jobs.build", "jobs build", "POST", "/jobs/dataset-build", S::train, true, "build a dataset as a job"),
    operation<&App::retain_in_job>("jobs.retention", "jobs retention", "POST", "/jobs/retention", S::admin, true, "remove what is too old as a job", Special::makes_room),
    operation<&App::reconcile_in_job>("jobs.reconcile", "jobs reconcile", "POST", "/jobs/reconciliation", S::operate, true, "compare rows and folders as a job, or read everything"),
    operation<&App::list_plans>("plans.list", "plans list", "GET", "/training-plans", S::view, false, "training plans, with what they did last and when they may go on"),
    operation<&App::show_plan>("plans.show", "plans show", "GET", "/training-plans/{id}", S::view, false, "one training plan with its trainings"),
    operation<&App::create_plan>("plans.create", "plans create", "POST", "/training-plans", S::train, true, "train again by itself when enough new runs are stored; it makes candidates only"),
    operation<&App::enable_plan>("plans.enable", "plans enable", "POST", "/training-plans/{id}/enable", S::train, true, "let a training plan work"),
    operation<&App::disable_plan>("plans.disable", "plans disable", "POST", "/training-plans/{id}/disable", S::train, true, "a training plan does nothing any more; what it waits for goes on", Special::makes_room),
    operation<&App::delete_plan>("plans.delete", "plans delete", "DELETE", "/training-plans/{id}", S::train, true, "forget a training plan; its datasets, experiments and models stay", Special::makes_room),
    operation<&App::plan_trainings>("plans.trainings", "plans trainings", "GET", "/training-plans/{id}/trainings", S::view, false, "what a training plan did, newest first"),
    operation<&App::train_plan>("plans.train", "plans train", "POST", "/training-plans/{id}/train", S::train, true, "build the dataset of a plan over all finished runs and train on it, now"),
    operation<&App::list_jobs>("jobs.list", "jobs list", "GET", "/jobs", S::view, false, "jobs, newest first"),
    operation<&App::show_job>("jobs.show", "jobs show", "GET", "/jobs/{id}", S::view, false, "one job with every attempt"),
    operation<&App::job_log>("jobs.log", "jobs log", "GET", "/jobs/{id}/log", S::view, false, "newest lines of what the work said"),
    operation<&App::cancel_job>("jobs.cancel", "jobs cancel", "POST", "/jobs/{id}/cancel", S::train, true, "end a waiting or running job", Special::makes_room),
    operation<&App::retry_job>("jobs.retry", "jobs retry", "POST", "/jobs/{id}/retry", S::train, true, "a new attempt at a job that did not succeed"),
    operation<&App::list_notices>("notices.list", "notices list", "GET", "/notices", S::view, false, "how the jobs ended that the caller asked for, newest first, and how many were not read"),
    operation<&App::read_notices>("notices.read", "notices read", "POST", "/notices/read", S::view, true, "the caller has seen how these jobs ended", Special::makes_room),
    operation<&App::delete_job>("jobs.delete", "jobs delete", "DELETE", "/jobs/{id}", S::operate, true, "forget a job that has ended and made no model", Special::makes_room),
};
// clang-format on

}  // namespace

std::span<const Operation> models_operations() {
  return kOperations;
}

}  // namespace flyball::app
