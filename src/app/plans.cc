// Use cases on training plans, and what the service does for them by itself.
#include <nlohmann/json.hpp>
#include <thread>

#include "app/app.h"
#include "app/caller.h"
#include "app/items.h"
#include "app/job_service.h"
#include "app/plan_requests.h"
#include "app/plan_rules.h"
#include "app/process_spec_use.h"
#include "app/records.h"
#include "app/study_plan.h"
#include "core/checks.h"
#include "store/files.h"

namespace flyball::app {
namespace {

namespace fs = std::filesystem;
using registry::PlanStatus;
using registry::TrainingPlan;

constexpr std::int64_t kShownTrainings = 50;
constexpr const char* kNobody = "flyball";

DatasetBuildRequest build_of(const PlanCreateRequest& r) {
  DatasetBuildRequest out;
  out.process_spec = r.process_spec;
  out.line = r.line;
  out.product = r.product;
  out.recipe = r.recipe;
  out.mv = r.mv;
  out.cv = r.cv;
  out.dv = r.dv;
  out.integrating = r.integrating;
  out.mode = r.mode;
  out.beat = r.beat;
  out.history = r.history;
  out.horizon = r.horizon;
  out.split = r.split;
  out.seed = r.seed;
  out.note = "plan " + r.name;
  return out;
}

/// The plan as a study, with what a spec states. Roles, split, priors and set-points that could
/// never be trained with are refused at once.
StudyRequest checked_study(const PlanCreateRequest& r,
                           const std::optional<plant::ProcessSpec>& spec) {
  StudyRequest study;
  study.line = r.line;
  study.product = r.product;
  study.recipe = r.recipe;
  study.mv = r.mv;
  study.cv = r.cv;
  study.dv = r.dv;
  study.integrating = r.integrating;
  study.mode = r.mode;
  study.setpoint = r.setpoint;
  study.prior = r.prior;
  study.split = r.split;
  study.trainer = r.trainer;
  if (spec && r.trainer == PlanCreateRequest{}.trainer) study.trainer = StudyRequest{}.trainer;
  if (spec) study = stated(study, *spec);
  if (spec && !spec->content.trainer) study.trainer = r.trainer;
  (void)plan_study(study);
  return study;
}

void check_tags(const StudyRequest& r, const std::vector<plant::Tag>& tags) {
  std::vector<std::string_view> known;
  for (const plant::Tag& tag : tags) known.push_back(tag.name);
  for (const auto* names : {&r.mv, &r.cv, &r.dv}) {
    for (const std::string& name : *names) {
      if (std::ranges::find(known, name) == known.end())
        throw Error("NAME_MISSING", {{"what", "tag"},
                                     {"name", name},
                                     {"place", " on line " + r.line},
                                     {"suggestion", record_detail::suggestion(name, known)}});
    }
  }
}

PlanView view_of(const TrainingPlan& plan) {
  PlanView out;
  static_cast<TrainingPlan&>(out) = plan;
  out.next_at = next_at(plan);
  return out;
}

void end_job(JobService& service, const std::string& job, const std::string& by) {
  try {
    service.cancel(job, by, "interrupted");
  } catch (const Error& e) {
    if (e.code() != "JOB_ENDED") throw;
  }
}

}  // namespace

PlanEvidence App::plan_evidence(const TrainingPlan& plan) {
  PlanEvidence out;
  for (const plant::Run& run :
       historian().runs({plan.line_id, plan.product_id, plan.recipe_id, ""})) {
    if (!run.ended_at) continue;
    ++out.runs;
    out.span += *run.ended_at - run.started_at;
  }
  if (!plan.last_dataset_id) return out;
  const fs::path spec = data_.path / "datasets" / *plan.last_dataset_id / "spec.json";
  if (fs::exists(spec))
    out.beat_us = parse_json(store::read_file(spec), "spec.json").at("beatMs").get<double>() * 1000;
  return out;
}

ItemsResponse App::list_plans(const PlanListRequest& request, const Call& call) {
  ItemsResponse out;
  for (const TrainingPlan& plan : readable(call, records().plans.list(request.line.value_or(""))))
    out.items.push_back(to_json_value(view_of(plan)));
  return out;
}

PlanResponse App::show_plan(const IdRequest& request, const Call&) {
  Records& r = records();
  const TrainingPlan plan = r.plans.get(request.id);
  PlanResponse out;
  static_cast<PlanView&>(out) = view_of(plan);
  if (historian::EmbeddedHistorian::exists(data_.path)) {
    const PlanEvidence evidence = plan_evidence(plan);
    out.runs_now = evidence.runs;
    out.new_rows = new_rows(plan, evidence);
  }
  out.trainings = r.plans.trainings(plan.id, kShownTrainings).rows;
  return out;
}

ItemsResponse App::plan_trainings(const PlanTrainingsRequest& request, const Call&) {
  registry::TrainingPlans& plans = records().plans;
  (void)plans.get(request.id);
  return items(plans.trainings(request.id, request.limit, request.cursor));
}

PlanResponse App::create_plan(const PlanCreateRequest& request, const Call& call) {
  Records& r = records(true);
  (void)r.plant.line(request.line);
  std::optional<plant::ProcessSpec> spec;
  if (request.process_spec) spec = r.process_specs.cited(request.line, *request.process_spec);
  const StudyRequest study = checked_study(request, spec);
  check_tags(study, historian().tags(request.line));
  TrainingPlan plan;
  plan.id = registry::random_id("plan");
  plan.name = request.name;
  plan.line_id = request.line;
  plan.product_id = study.product;
  plan.recipe_id = study.recipe;
  plan.strategy = request.strategy;
  plan.dataset_spec = to_json_value(build_of(request));
  plan.dataset_spec["product"] = study.product;
  plan.dataset_spec["recipe"] = study.recipe;
  TrainRequest training;
  training.trainer = study.trainer;
  training.setpoint = request.setpoint;
  training.prior = request.prior;
  training.seed = request.seed;
  training.note = "plan " + request.name;
  plan.training_spec = to_json_value(training);
  plan.training_spec.erase("dataset");
  plan.seed = request.seed;
  plan.min_interval_sec = request.min_interval_sec;
  plan.min_new_rows = request.min_new_rows;
  plan.enabled = !request.disabled;
  plan.created_by = caller(call).id;
  plan.created_at = clock_.now();
  r.plans.add(plan);
  if (call.change != nullptr) *call.change = {plan.id, plan.line_id, nullptr, plan.name};
  return show_plan({plan.id}, call);
}

PlanResponse App::plan_enabled(const std::string& id, bool enabled, const Call& call) {
  registry::TrainingPlans& plans = records(true).plans;
  const TrainingPlan plan = plans.get(id);
  if (call.change != nullptr) *call.change = {id, plan.line_id, plan.enabled, enabled};
  plans.enable(id, enabled);
  return show_plan({id}, call);
}

PlanResponse App::enable_plan(const IdRequest& request, const Call& call) {
  return plan_enabled(request.id, true, call);
}

PlanResponse App::disable_plan(const IdRequest& request, const Call& call) {
  return plan_enabled(request.id, false, call);
}

DeleteResponse App::delete_plan(const DeleteRequest& request, const Call&) {
  registry::TrainingPlans& plans = records(!request.dry_run).plans;
  (void)plans.get(request.id);
  if (!request.dry_run) plans.remove(request.id);
  return {{request.id}, request.dry_run};
}

PlanResponse App::train_plan(const IdRequest& request, const Call& call) {
  const TrainingPlan plan = records(true).plans.get(request.id);
  const PlanEvidence evidence = plan_evidence(plan);
  const std::string by = caller(call).id;
  const registry::PlanClaim claim{
      plan.id, Message{"PLAN_ASKED", {{"by", by}}}.text(), by, {}, evidence.runs, evidence.span, 0};
  if (jobs_ != nullptr) {
    jobs_->start_plan(claim);
    return show_plan(request, call);
  }
  JobService service(data_, clock_, own_program());
  service.start();
  service.settle_plans();
  TrainingPlan now = records().plans.get(plan.id);
  // What a killed command left waiting goes on now.
  if (now.last_status != PlanStatus::training) now = service.start_plan(claim);
  while (now.last_status == PlanStatus::training) {
    if (call.stop.stop_requested()) {
      end_job(service, *now.last_job_id, by);
      service.settle_plans();
      check_stop(call.stop);
    }
    if (service.settle_plans().empty()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    now = records().plans.get(plan.id);
    if (now.last_status != PlanStatus::training) break;
    const auto& note = service.queue().job(*now.last_job_id).attempt.progress;
    if (call.progress && note) call.progress({note->stage, note->fraction, note->note});
  }
  return show_plan(request, call);
}

void App::audit_settled(const TrainingPlan& plan) {
  govern::AuditEntry e;
  e.actor = kNobody;
  e.action = "plans.settle";
  e.target_kind = "plans";
  e.target_id = plan.id;
  e.line_id = plan.line_id;
  e.outcome = plan.last_code.empty() ? "done" : plan.last_code;
  e.after = {{"job", plan.last_job_id.value_or("")},
             {"dataset", plan.last_dataset_id.value_or("")},
             {"model", plan.last_code.empty() ? plan.last_model_id.value_or("") : ""}};
  e.reason = plan.last_error;
  governance(true).audit.append(e, clock_.now());
}

void App::begin_if_due(const TrainingPlan& plan) {
  const TimeUs now = clock_.now();
  if (const auto at = next_at(plan); !at || now < *at) return;
  const PlanEvidence evidence = plan_evidence(plan);
  std::string why;
  for (const auto& reason : {why_now(plan, evidence, now), drift_of(plan, evidence)}) {
    if (reason) why += (why.empty() ? "" : "; ") + reason->text();
  }
  if (why.empty()) return;
  check_disk();
  const TrainingPlan begun =
      jobs_->start_plan({plan.id, why, kNobody, {}, evidence.runs, evidence.span, now});
  govern::AuditEntry e;
  e.actor = kNobody;
  e.action = "plans.train";
  e.target_kind = "plans";
  e.target_id = plan.id;
  e.line_id = plan.line_id;
  e.after = {{"job", begun.last_job_id.value_or("")}};
  e.reason = begun.last_reason;
  governance(true).audit.append(e, now);
}

void App::follow_plans(bool looks) {
  for (const TrainingPlan& plan : jobs_->settle_plans()) audit_settled(plan);
  if (!looks || !historian::EmbeddedHistorian::exists(data_.path)) return;
  registry::TrainingPlans& plans = records(true).plans;
  for (const TrainingPlan& plan : plans.list("")) {
    try {
      begin_if_due(plan);
    } catch (const Error& e) {
      if (e.code() == "PLAN_TRAINING" || e.code() == "DATABASE_BUSY") continue;
      plans.note(plan.id, e.code(), e.what());
    }
  }
}

}  // namespace flyball::app
