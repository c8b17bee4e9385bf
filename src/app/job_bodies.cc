#include "app/job_bodies.h"

#include <fmt/format.h>

#include "app/custody_body.h"

namespace flyball::app {
namespace {

Call call_of(jobs::Work& work) {
  return {[&work](const Progress& p) { work.say(p.stage, p.fraction, p.note); }, work.stop()};
}

jobs::Ending refused(const Message& why) {
  jobs::Ending out;
  out.state = jobs::State::failed;
  out.outcome.code = why.code;
  out.outcome.reason = why.text();
  return out;
}

}  // namespace

std::string attempt_id(const char* prefix, const jobs::Job& job) {
  return fmt::format("{}-{}-{}", prefix, job.id.substr(job.id.find('-') + 1), job.attempt.number);
}

void Bodies::check_disk() const {
  App(data, clock).check_disk();
}

jobs::Ending Bodies::build_dataset(jobs::Work& work) const {
  const auto request = parse_record<DatasetBuildRequest>(work.job().asked.request);
  const DatasetBuildResponse built = App(data, clock).build_dataset(request, call_of(work));
  jobs::Ending out;
  out.outcome.succeeded = true;
  out.outcome.dataset_id = built.id;
  work.enter(jobs::State::evaluating);
  return out;
}

jobs::Ending Bodies::evaluate(jobs::Work& work,
                              std::function<void(const registry::EvaluationRow&)> keep) const {
  const jobs::Job& job = work.job();
  const auto request = parse_record<EvaluateRequest>(job.asked.request);
  work.enter(jobs::State::evaluating);
  const registry::EvaluationRow row =
      App(data, clock)
          .evaluate(request, attempt_id("evl", job), job.asked.submitted_by, call_of(work));
  jobs::Ending out;
  out.outcome.succeeded = true;
  out.outcome.dataset_id = row.dataset_id;
  out.keep = [keep = std::move(keep), row] { keep(row); };
  return out;
}

jobs::Ending Bodies::reconcile(jobs::Work& work) const {
  const auto request = parse_record<ReconcileRequest>(work.job().asked.request);
  work.enter(jobs::State::evaluating);
  App app(data, clock);
  if (request.deep) {
    const custody::DeepCheck found = app.verify_entities({}, call_of(work));
    if (!found.ok)
      return refused({"DEEP_CHECK_FOUND",
                      {{"count", found.findings.size()}, {"first", found.findings.front().text}}});
  } else {
    const registry::Inventory found = app.list_entities({}, call_of(work));
    if (!found.ok) return refused({"ENTITIES_DISAGREE", {{"count", found.issues.size()}}});
  }
  jobs::Ending out;
  out.outcome.succeeded = true;
  return out;
}

jobs::Ending Bodies::retain(jobs::Work& work) const {
  work.enter(jobs::State::evaluating);
  App app(data, clock);
  const custody::RetentionRun run = app.retain({}, call_of(work));
  govern::AuditEntry entry;
  entry.actor = work.job().asked.submitted_by;
  entry.action = "retention.run";
  entry.target_kind = "retention";
  entry.target_id = work.job().id;
  entry.after = {{"became", retention_summary(run)}};
  app.governance(true).audit.append(entry, clock.now());
  work.say("remove", 1, fmt::format("{} removed, {} bytes", run.removed.size(), run.bytes));
  jobs::Ending out;
  out.outcome.succeeded = true;
  return out;
}

}  // namespace flyball::app
