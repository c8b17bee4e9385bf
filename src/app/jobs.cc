// Use cases on jobs. In the service they only ask; a command without a service does the work
// itself.
#include <algorithm>
#include <thread>

#include "app/app.h"
#include "app/caller.h"
#include "app/input.h"
#include "app/job_service.h"
#include "app/plant_use.h"
#include "app/records.h"
#include "core/checks.h"
#include "core/digest.h"
#include "store/files.h"

namespace flyball::app {
namespace {

namespace fs = std::filesystem;

JobResponse response_of(jobs::Queue& queue, const std::string& id) {
  const jobs::Job job = queue.job(id);
  JobResponse out;
  static_cast<JobView&>(out) = view_of(job);
  out.request = job.asked.request;
  out.attempts = queue.attempts(id);
  return out;
}

/// Until the job has ended, with its progress; an interrupt cancels it.
void wait_for(JobService& service, const std::string& id, const Call& call) {
  std::optional<jobs::ProgressNote> shown;
  for (;;) {
    const jobs::Job job = service.queue().job(id);
    if (jobs::terminal(job.attempt.state)) return;
    if (call.stop.stop_requested()) {
      service.cancel(id, caller(call).id, "interrupted");
      check_stop(call.stop);
    }
    const auto& note = job.attempt.progress;
    if (call.progress && note && (!shown || shown->at != note->at))
      call.progress({note->stage, note->fraction, note->note});
    shown = note;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

}  // namespace

JobView view_of(const jobs::Job& job) {
  JobView out;
  out.id = job.id;
  out.kind = job.asked.kind;
  out.line_id = job.asked.line_id;
  out.title = job.asked.title;
  out.state = job.attempt.state;
  out.attempt = job.attempt.number;
  out.submitted_by = job.asked.submitted_by;
  out.submitted_at = job.submitted_at;
  out.started_at = job.attempt.started_at;
  out.ended_at = job.attempt.ended_at;
  if (const auto& progress = job.attempt.progress) {
    out.stage = progress->stage;
    out.fraction = progress->fraction;
    out.note = progress->note;
  }
  if (const auto& outcome = job.attempt.outcome) {
    out.dataset_id = outcome->dataset_id;
    out.experiment_id = outcome->experiment_id;
    out.model_id = outcome->model_id;
    out.failed_gates = outcome->failed_gates;
    out.code = outcome->code;
    out.reason = outcome->reason;
  }
  return out;
}

template <class Ask>
JobResponse App::ask(const Call& call, const Ask& submit) {
  if (jobs_ != nullptr) return response_of(jobs_->queue(), submit(*jobs_).id);
  JobService service(data_, clock_, own_program());
  service.start();
  const std::string id = submit(service).id;
  wait_for(service, id, call);
  return response_of(service.queue(), id);
}

/// A look at the queue; nothing is started.
JobService& App::job_service() {
  if (jobs_ != nullptr) return *jobs_;
  if (!own_jobs_) {
    (void)records();  // throws DATA_FOLDER_MISSING
    own_jobs_ = std::make_unique<JobService>(data_, clock_, own_program());
  }
  return *own_jobs_;
}

JobResponse App::train(const TrainRequest& request, const Call& call) {
  (void)records();
  return ask(call, [&](JobService& s) { return s.train(request, caller(call).id); });
}

JobResponse App::build_in_job(const DatasetBuildRequest& request, const Call& call) {
  (void)historian();
  DatasetBuildRequest asked = request;
  if (request.process_spec) {  // the version in force now
    const auto spec = records().process_specs.cited(request.line, *request.process_spec);
    asked.process_spec = spec.name + "@" + std::to_string(spec.version);
    asked.product = spec.content.product;
    asked.recipe = spec.content.recipe;
  }
  std::optional<dataset::Spec> of_file;
  if (request.spec) {
    const Input file = open_input(*request.spec, data_.path, call);
    of_file = parse_record<dataset::Spec>(parse_json(file.text(), "spec"));
    require_right(call, "jobs.build", Scope::train, of_file->line_id);
    if (call.content) {  // the job reads it when its turn comes
      const fs::path kept = data_.path / "runtime" / "specs" / (sha256(file.text()) + ".json");
      store::write_file(kept, file.text());
      asked.spec = kept.string();
    }
  }
  return ask(call, [&](JobService& s) {
    return s.build(asked, caller(call).id, of_file ? &*of_file : nullptr);
  });
}

JobResponse App::retain_in_job(const Empty&, const Call& call) {
  (void)records();
  return ask(call, [&](JobService& s) { return s.retain(caller(call).id); });
}

JobResponse App::reconcile_in_job(const ReconcileRequest& request, const Call& call) {
  (void)records();
  return ask(call, [&](JobService& s) { return s.reconcile(request, caller(call).id); });
}

JobResponse App::evaluate_in_job(const EvaluateRequest& request, const Call& call) {
  (void)records();
  return ask(call, [&](JobService& s) { return s.evaluate(request, caller(call).id); });
}

JobResponse App::rebuild_report(const IdRequest& request, const Call& call) {
  (void)records();
  return ask(call, [&](JobService& s) { return s.rebuild_report(request, caller(call).id); });
}

ItemsResponse App::list_jobs(const JobListRequest& request, const Call& call) {
  const jobs::JobPage page = job_service().queue().list(
      {request.state, request.kind, request.line.value_or("")}, request.limit, request.cursor);
  ItemsResponse out;
  std::vector<JobView> views;
  for (const jobs::Job& job : page.jobs) views.push_back(view_of(job));
  for (const JobView& view : readable(call, views)) out.items.push_back(to_json_value(view));
  out.next_cursor = page.next_cursor;
  return out;
}

JobResponse App::show_job(const IdRequest& request, const Call&) {
  return response_of(job_service().queue(), request.id);
}

JobResponse App::cancel_job(const JobCancelRequest& request, const Call& call) {
  job_service().cancel(request.id, caller(call).id, request.reason);
  return response_of(job_service().queue(), request.id);
}

JobResponse App::retry_job(const IdRequest& request, const Call& call) {
  return ask(call, [&](JobService& s) { return s.retry(request.id); });
}

DeleteResponse App::delete_job(const DeleteRequest& request, const Call&) {
  DeleteResponse out;
  out.deleted = {request.id};
  out.dry_run = request.dry_run;
  if (!request.dry_run) job_service().remove(request.id);
  return out;
}

JobLogResponse App::job_log(const JobLogRequest& request, const Call&) {
  (void)job_service().queue().job(request.id);
  JobLogResponse out{request.id, {}};
  const fs::path file = job_folder(data_.path, request.id) / "run.log";
  if (!fs::exists(file)) return out;
  const store::MappedFile log(file);
  std::string_view text = log.text();
  while (!text.empty() && static_cast<std::int64_t>(out.lines.size()) < request.lines) {
    if (text.back() == '\n') text.remove_suffix(1);
    const std::size_t start = text.rfind('\n') + 1;
    out.lines.emplace_back(text.substr(start));
    text = text.substr(0, start);
  }
  std::ranges::reverse(out.lines);
  return out;
}

}  // namespace flyball::app
