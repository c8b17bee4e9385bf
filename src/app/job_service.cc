#include "app/job_service.h"

#include <unistd.h>

#include "app/migrations.h"
#include "app/settings.h"
#include "app/training_body.h"
#include "registry/registry.h"
#include "store/files.h"

namespace flyball::app {

namespace fs = std::filesystem;

struct JobService::Parts {
  Parts(const DataFolder& folder, const Clock& c, fs::path p)
      : data(folder),
        clock(c),
        program(std::move(p)),
        db(prepared(folder.path), {.busy_timeout = std::chrono::minutes(1)}),
        registry(db, data.path / "models"),
        settings(db),
        queue(db, guard, limits()) {}

  static fs::path prepared(const fs::path& path) {
    store::make_folder(path);
    return path / "flyball.db";
  }
  double setting(const char* key) { return resolve(setting_spec(key), &settings, "").value; }
  jobs::QueueLimits limits() {
    store::migrate(db, migrations());
    return {static_cast<std::int64_t>(setting("job.maxWaiting")), 2};
  }
  jobs::RunnerOptions options() {
    jobs::RunnerOptions out;
    out.owner = std::to_string(::getpid()) + "@" + format_time(clock.now());
    out.slots = static_cast<std::int64_t>(setting("job.maxConcurrent"));
    out.stall = static_cast<DurationUs>(setting("job.stallSeconds") * 1e6);
    out.timeout = static_cast<DurationUs>(setting("job.timeoutSeconds") * 1e6);
    return out;
  }

  DataFolder data;
  const Clock& clock;
  fs::path program;
  std::recursive_mutex guard;
  store::Database db;
  registry::Registry registry;
  registry::SettingsStore settings;
  jobs::SqliteQueue queue;
  std::unique_ptr<jobs::Runner> runner;
};

namespace {

/// A dataset is built on a thread, by an App of its own.
jobs::Ending build_dataset(jobs::Work& work, const DataFolder& data, const Clock& clock) {
  const auto request = parse_record<DatasetBuildRequest>(work.job().asked.request);
  App app(data, clock);
  const DatasetBuildResponse built = app.build_dataset(
      request, {[&](const Progress& p) { work.say(p.stage, p.fraction, p.note); }, work.stop()});
  jobs::Ending out;
  out.outcome.succeeded = true;
  out.outcome.dataset_id = built.id;
  work.enter(jobs::State::evaluating);
  return out;
}

jobs::Ending reconcile(jobs::Work& work, const DataFolder& data, const Clock& clock) {
  App app(data, clock);
  const registry::Inventory found = app.list_entities({}, {{}, work.stop()});
  jobs::Ending out;
  out.outcome.succeeded = found.ok;
  if (!found.ok) {
    const Message why{"ENTITIES_DISAGREE", {{"count", found.issues.size()}}};
    out.outcome.code = why.code;
    out.outcome.reason = why.text();
  }
  work.enter(jobs::State::evaluating);
  return out;
}

}  // namespace

fs::path own_program() {
  return fs::read_symlink("/proc/self/exe");
}

fs::path job_folder(const fs::path& data, const std::string& id) {
  return data / "jobs" / id;
}

JobService::JobService(const DataFolder& data, const Clock& clock, fs::path program,
                       jobs::Runner::Watch watch, std::function<void(const std::string&)> trouble)
    : parts_(std::make_unique<Parts>(data, clock, std::move(program))) {
  Parts& p = *parts_;
  auto training = std::make_shared<TrainingBody>(
      TrainingBody::Needs{p.data.path, p.program, p.clock, p.registry, p.settings, p.guard});
  std::map<jobs::Kind, jobs::Body> bodies;
  bodies[jobs::Kind::training] = {
      [training](jobs::Work& work) { return training->run(work); },
      [training](const jobs::Job& job, jobs::Ending& end) { training->abandon(job, end); }};
  bodies[jobs::Kind::dataset_build] = {
      [&p](jobs::Work& work) { return build_dataset(work, p.data, p.clock); }};
  bodies[jobs::Kind::reconciliation] = {
      [&p](jobs::Work& work) { return reconcile(work, p.data, p.clock); }};
  jobs::RunnerOptions options = p.options();
  options.trouble = std::move(trouble);
  p.runner = std::make_unique<jobs::Runner>(p.queue, std::move(bodies), clock, std::move(options),
                                            std::move(watch));
}

JobService::~JobService() = default;

void JobService::start() {
  for (const char* folder : {"datasets", "models", "jobs"})
    store::sweep_staging(parts_->data.path / folder);
  parts_->runner->start();
}

jobs::Queue& JobService::queue() {
  return parts_->queue;
}

jobs::Job JobService::train(const TrainRequest& request, const std::string& by) {
  Parts& p = *parts_;
  const std::lock_guard lock(p.guard);
  const registry::DatasetRow dataset = p.registry.dataset(request.dataset);
  const auto budget = static_cast<std::int64_t>(p.setting("job.maxExperiments"));
  if (p.registry.count_experiments(dataset.id) >= budget)
    throw Error("BUDGET_EXHAUSTED", {{"dataset", dataset.id}, {"limit", budget}});
  const jobs::Job job = p.queue.submit(
      {jobs::Kind::training, dataset.line_id, by,
       std::string(enum_name(request.trainer)) + " on " + dataset.id, to_json_value(request)},
      p.clock.now());
  p.runner->wake();
  return job;
}

jobs::Job JobService::build(const DatasetBuildRequest& request, const std::string& by) {
  Parts& p = *parts_;
  const jobs::Job job = p.queue.submit(
      {jobs::Kind::dataset_build, request.line, by,
       "dataset of " + request.line + " · " + request.product + " · " + request.recipe,
       to_json_value(request)},
      p.clock.now());
  p.runner->wake();
  return job;
}

jobs::Job JobService::cancel(const std::string& id, const std::string& by,
                             const std::string& reason) {
  return parts_->runner->cancel(id, by, reason);
}

jobs::Job JobService::retry(const std::string& id) {
  const jobs::Job job = parts_->queue.retry(id, parts_->clock.now());
  parts_->runner->wake();
  return job;
}

void JobService::remove(const std::string& id) {
  Parts& p = *parts_;
  const jobs::Job job = p.queue.job(id);
  if (job.attempt.outcome && job.attempt.outcome->model_id)
    throw Error("JOB_HAS_MODEL", {{"id", id}, {"model", *job.attempt.outcome->model_id}});
  p.queue.remove(id);
  store::remove_folder(job_folder(p.data.path, id));
}

}  // namespace flyball::app
