#include "app/operations.h"

#include <array>

#include "app/app.h"
#include "app/audited.h"
#include "app/operation_row.h"
#include "store/files.h"

namespace flyball::app {
namespace {

using S = Scope;

// clang-format off
constexpr std::array kOperations{
    operation<&App::study>("study.run", "study", "POST", "/studies", S::train, true, "from a text file to a judged model and a report"),
    operation<&App::import>("import", "import", "POST", "/imports", S::operate, true, "store a text table: every row accounted for"),
    operation<&App::list_imports>("imports.list", "imports list", "GET", "/imports", S::view, false, "what was imported, newest first, each with its account"),
    operation<&App::list_samples>("samples.list", "samples list", "GET", "/samples/{tag}", S::view, false, "stored samples of a tag, oldest first"),
    operation<&App::aggregate_samples>("samples.aggregate", "samples aggregate", "GET", "/samples/{tag}/aggregate", S::view, false, "mean by time, least, largest and share of good time per bucket"),
    operation<&App::verify_samples>("samples.verify", "samples verify", "POST", "/samples/verify", S::view, false, "check every chunk of stored samples"),
    operation<&App::build_dataset>("datasets.build", "datasets build", "POST", "/datasets", S::train, true, "cleaned, aligned, split and hashed, from what is stored"),
    operation<&App::list_datasets>("datasets.list", "datasets list", "GET", "/datasets", S::view, false, "datasets, newest first"),
    operation<&App::show_dataset>("datasets.show", "datasets show", "GET", "/datasets/{id}", S::view, false, "one dataset: summary and spec"),
    operation<&App::verify_dataset>("datasets.verify", "datasets verify", "POST", "/datasets/{id}/verify", S::view, false, "check the hash of every file of a dataset"),
    operation<&App::dataset_stats>("datasets.stats", "datasets stats", "GET", "/datasets/{id}/stats", S::view, false, "correlations, dead times, excitation, feedback, and what to look at"),
    operation<&App::diff_datasets>("datasets.diff", "datasets diff", "GET", "/datasets/{a}/diff/{b}", S::view, false, "what differs between two datasets"),
    operation<&App::delete_dataset>("datasets.delete", "datasets delete", "DELETE", "/datasets/{id}", S::operate, true, "delete a dataset that no experiment or model cites", Special::makes_room),
    operation<&App::list_entities>("entities.list", "entities list", "GET", "/entities", S::view, false, "rows and folders compared: what is missing, what is left over"),
    operation<&App::prune_entities>("entities.prune", "entities prune", "POST", "/entities/prune", S::operate, true, "remove folders that no row names", Special::makes_room),
    operation<&App::verify_entities>("entities.verify", "entities verify", "POST", "/entities/verify", S::operate, false, "read everything that is stored and check it against its hashes"),
    operation<&App::survey_tags>("tags.survey", "tags survey", "GET", "/tags/survey", S::view, false, "what the stored samples look like, and what to look at first"),
    operation<&App::list_experiments>("experiments.list", "experiments list", "GET", "/experiments", S::view, false, "every attempt, passed or refused, newest first"),
    operation<&App::show_experiment>("experiments.show", "experiments show", "GET", "/experiments/{id}", S::view, false, "one experiment: options, metrics, gates"),
    operation<&App::experiment_report>("experiments.report", "experiments report", "GET", "/experiments/{id}/report", S::view, false, "what a study found, and what its pages draw"),
    operation<&App::rebuild_report>("experiments.rebuild", "experiments rebuild", "POST", "/experiments/{id}/report", S::train, true, "make the report of an experiment again: a job"),
    operation<&App::list_models>("models.list", "models list", "GET", "/models", S::view, false, "registered models, newest first"),
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
    operation<&App::request_promotion>("models.promote", "models promote", "POST", "/models/{id}/promotion", S::request, true, "ask for a model in shadow to go into production; another person approves"),
    operation<&App::production>("models.production", "models production", "GET", "/production", S::view, false, "the model in production for a recipe, now or at a time"),
    operation<&App::train>("jobs.train", "train", "POST", "/jobs/training", S::train, true, "train on a stored dataset: a job, judged by the platform"),
    operation<&App::build_in_job>("jobs.build", "jobs build", "POST", "/jobs/dataset-build", S::train, true, "build a dataset as a job"),
    operation<&App::retain_in_job>("jobs.retention", "jobs retention", "POST", "/jobs/retention", S::admin, true, "remove what is too old as a job", Special::makes_room),
    operation<&App::reconcile_in_job>("jobs.reconcile", "jobs reconcile", "POST", "/jobs/reconciliation", S::operate, true, "compare rows and folders as a job, or read everything"),
    operation<&App::list_jobs>("jobs.list", "jobs list", "GET", "/jobs", S::view, false, "jobs, newest first"),
    operation<&App::show_job>("jobs.show", "jobs show", "GET", "/jobs/{id}", S::view, false, "one job with every attempt"),
    operation<&App::job_log>("jobs.log", "jobs log", "GET", "/jobs/{id}/log", S::view, false, "newest lines of what the work said"),
    operation<&App::cancel_job>("jobs.cancel", "jobs cancel", "POST", "/jobs/{id}/cancel", S::train, true, "end a waiting or running job", Special::makes_room),
    operation<&App::retry_job>("jobs.retry", "jobs retry", "POST", "/jobs/{id}/retry", S::train, true, "a new attempt at a job that did not succeed"),
    operation<&App::delete_job>("jobs.delete", "jobs delete", "DELETE", "/jobs/{id}", S::operate, true, "forget a job that has ended and made no model", Special::makes_room),
    operation<&App::list_lines>("lines.list", "lines list", "GET", "/lines", S::view, false, "lines of the plant"),
    operation<&App::add_line>("lines.add", "lines add", "POST", "/lines", S::admin, true, "add a line"),
    operation<&App::delete_line>("lines.delete", "lines delete", "DELETE", "/lines/{id}", S::admin, true, "delete a line that nothing refers to", Special::makes_room),
    operation<&App::list_products>("products.list", "products list", "GET", "/products", S::view, false, "products of a line"),
    operation<&App::add_product>("products.add", "products add", "POST", "/products", S::operate, true, "add a product"),
    operation<&App::delete_product>("products.delete", "products delete", "DELETE", "/products/{id}", S::operate, true, "delete a product that nothing refers to", Special::makes_room),
    operation<&App::list_recipes>("recipes.list", "recipes list", "GET", "/recipes", S::view, false, "recipes of a line, each at its newest version"),
    operation<&App::show_recipe>("recipes.show", "recipes show", "GET", "/recipes/{id}", S::view, false, "one recipe with every version"),
    operation<&App::add_recipe>("recipes.add", "recipes add", "POST", "/recipes", S::operate, true, "add a recipe"),
    operation<&App::set_recipe>("recipes.set", "recipes set", "PATCH", "/recipes/{id}", S::operate, true, "change params of a recipe: a new version"),
    operation<&App::delete_recipe>("recipes.delete", "recipes delete", "DELETE", "/recipes/{id}", S::operate, true, "delete a recipe that nothing refers to", Special::makes_room),
    operation<&App::list_tags>("tags.list", "tags list", "GET", "/tags", S::view, false, "tags of a line"),
    operation<&App::show_tag>("tags.show", "tags show", "GET", "/tags/{name}", S::view, false, "one tag"),
    operation<&App::set_tag>("tags.set", "tags set", "PATCH", "/tags/{name}", S::operate, true, "declare unit, role and limits of a tag; creates it when it is new"),
    operation<&App::list_runs>("runs.list", "runs list", "GET", "/runs", S::view, false, "runs of a line, oldest first"),
    operation<&App::show_run>("runs.show", "runs show", "GET", "/runs/{id}", S::view, false, "one run and its context segments"),
    operation<&App::add_run>("runs.add", "runs add", "POST", "/runs", S::operate, true, "add a run; without an end it is running"),
    operation<&App::delete_run>("runs.delete", "runs delete", "DELETE", "/runs/{id}", S::operate, true, "delete a run with its samples, unless a dataset was built from it", Special::makes_room),
    operation<&App::end_run>("runs.end", "runs end", "POST", "/runs/{id}/end", S::operate, true, "end a running run"),
    operation<&App::list_segments>("segments.list", "segments list", "GET", "/context-segments", S::view, false, "context segments: which recipe version a run was made by, and when"),
    operation<&App::show_segment>("segments.show", "segments show", "GET", "/context-segments/{id}", S::view, false, "one context segment and every decision on it"),
    operation<&App::confirm_segment>("segments.confirm", "segments confirm", "POST", "/context-segments/{id}/confirm", S::approve, true, "a person confirms a context segment"),
    operation<&App::reject_segment>("segments.reject", "segments reject", "POST", "/context-segments/{id}/reject", S::approve, true, "a person rejects a context segment"),
    operation<&App::apply_plant>("plant.apply", "plant apply", "POST", "/plants", S::operate, true, "create and change what a plant file says of a line"),
    operation<&App::show_plant>("plant.show", "plant show", "GET", "/plants/{line}", S::view, false, "all that is known of a line; with --json a plant file"),
    operation<&App::show_config>("config.show", "config show", "GET", "/config", S::view, false, "settings, each with its source"),
    operation<&App::set_config>("config.set", "config set", "PATCH", "/config/{key}", S::admin, true, "change a setting; loosening a gate needs a reason", Special::makes_room),
    operation<&App::explain_right>("auth.explain", "auth explain", "GET", "/auth/explain/{user}/{operation}", S::view, false, "may a user do this, and which rule says so"),
    operation<&App::set_password>("auth.password", "auth password", "POST", "/auth/password", S::view, true, "a person changes the own password; every session ends"),
    operation<&App::list_users>("users.list", "users list", "GET", "/users", S::admin, false, "who may use the product, with rights and grants"),
    operation<&App::add_user>("users.add", "users add", "POST", "/users", S::admin, true, "add a user without grants on any line, unless --all-lines says otherwise"),
    operation<&App::set_user>("users.set", "users set", "PATCH", "/users/{id}", S::admin, true, "change name, password or rights of a user"),
    operation<&App::disable_user>("users.disable", "users disable", "POST", "/users/{id}/disable", S::admin, true, "a user may do nothing any more; what he did stays", Special::makes_room),
    operation<&App::grant_user>("users.grant", "users grant", "POST", "/users/{id}/grants", S::admin, true, "what a user may do on a line, or on all"),
    operation<&App::list_tokens>("tokens.list", "tokens list", "GET", "/tokens", S::view, false, "API tokens, newest first; never their texts"),
    operation<&App::create_token>("tokens.create", "tokens create", "POST", "/tokens", S::view, true, "an API token for a program or an agent; its text is shown once"),
    operation<&App::revoke_token>("tokens.revoke", "tokens revoke", "POST", "/tokens/{id}/revoke", S::view, true, "an API token is no longer good", Special::makes_room),
    operation<&App::list_approvals>("approvals.list", "approvals list", "GET", "/approvals", S::view, false, "what waits for the decision of another person, and what was decided"),
    operation<&App::show_approval>("approvals.show", "approvals show", "GET", "/approvals/{id}", S::view, false, "one request for an approval"),
    operation<&App::approve>("approvals.approve", "approvals approve", "POST", "/approvals/{id}/approve", S::approve, true, "another person than the requester says yes"),
    operation<&App::reject>("approvals.reject", "approvals reject", "POST", "/approvals/{id}/reject", S::approve, true, "another person than the requester says no, and why"),
    operation<&App::list_audit>("audit.list", "audit list", "GET", "/audit", S::view, false, "who did what, newest first"),
    operation<&App::verify_audit>("audit.verify", "audit verify", "POST", "/audit/verify", S::view, false, "check every row of the audit trail, and that none is missing at its end"),
    operation<&App::backup>("backup", "backup", "POST", "/backup", S::admin, false, "copy all that is stored into a folder, also while the service runs", Special::noted),
    operation<&App::restore>("restore", "restore", "POST", "/restore", S::admin, false, "check a backup, or put it back into an empty data folder", Special::noted),
    operation<&App::system>("system", "system", "GET", "/system", S::view, false, "how full the disk is, and what takes the room"),
    operation<&App::retain>("retention.run", "retention run", "POST", "/retention", S::admin, true, "remove what is too old and nobody needs: the rules are settings", Special::makes_room),
    operation<&App::version>("version", "version", "GET", "/version", S::view, false, "version of the product"),
};
// clang-format on

}  // namespace

std::string_view scope_name(Scope scope) {
  return enum_name(scope);
}

std::span<const Operation> operations() {
  return kOperations;
}

const Operation* find_operation(std::string_view verb) {
  for (const Operation& o : kOperations) {
    if (o.verb == verb) return &o;
  }
  return nullptr;
}

Reply run(const Operation& operation, App& app, const Json& request, const Call& call) {
  if (!operation.writes || call.owns_data) return run_audited(operation, app, request, call);
  const store::DataLock lock(app.data().path, operation.verb);
  return run_audited(operation, app, request, call);
}

std::string kebab_case(std::string_view camel) {
  std::string out;
  for (const char c : camel) {
    if (c >= 'A' && c <= 'Z') {
      out += '-';
      out += static_cast<char>(c - 'A' + 'a');
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace flyball::app
