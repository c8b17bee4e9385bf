#include "app/job_service.h"

#include <unistd.h>

#include <condition_variable>
#include <thread>

#include "advise/ledger.h"
#include "app/job_bodies.h"
#include "app/migrations.h"
#include "app/plan_keeper.h"
#include "app/process_spec_use.h"
#include "app/quota.h"
#include "app/settings.h"
#include "app/study_plan.h"
#include "app/training_body.h"
#include "jobs/child.h"
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
        evaluations(db),
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
  std::function<void(const std::string&)> trouble;
  std::recursive_mutex guard;
  store::Database db;
  registry::Registry registry;
  registry::SettingsStore settings;
  registry::Evaluations evaluations;
  jobs::SqliteQueue queue;
  std::mutex solvers_guard;
  std::unique_ptr<jobs::WorkerPool> solvers;
  std::unique_ptr<jobs::Runner> runner;
  std::unique_ptr<PlanKeeper> plans;
  std::jthread keeper;

  jobs::Job submit(const jobs::Submission& asked) {
    jobs::Job job = queue.submit(asked, clock.now());
    runner->wake();
    return job;
  }
  /// Since when retention has not been asked for.
  TimeUs retained_at(TimeUs start) {
    const auto last = queue.list({std::nullopt, jobs::Kind::retention, ""}, 1, std::nullopt).jobs;
    return last.empty() ? start : std::max(start, last.front().submitted_at);
  }
  void expire_advice() {
    const std::lock_guard lock(guard);
    advise::Ledger ledger(db);
    ledger.expire_old(clock.now());
    ledger.end_abandoned(clock.now());
  }
  void ask_for_retention(TimeUs start) {
    const double hours = [&] {
      const std::lock_guard lock(guard);
      return setting("retention.everyHours");
    }();
    const auto passed = static_cast<double>(clock.now() - retained_at(start));
    if (hours > 0 && passed > hours * 3600e6)
      submit({jobs::Kind::retention, "", "flyball", "retention", Json::object()});
  }
};

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
  bodies[jobs::Kind::report] = {[training](jobs::Work& work) { return training->rebuild(work); }};
  const Bodies own{p.data, p.clock};
  bodies[jobs::Kind::dataset_build] = {[own](jobs::Work& work) { return own.build_dataset(work); }};
  bodies[jobs::Kind::evaluation] = {[own, &p](jobs::Work& work) {
    return own.evaluate(work, [&p](const registry::EvaluationRow& row) { p.evaluations.add(row); });
  }};
  bodies[jobs::Kind::reconciliation] = {[own](jobs::Work& work) { return own.reconcile(work); }};
  bodies[jobs::Kind::retention] = {[own](jobs::Work& work) { return own.retain(work); }};
  for (auto& [kind, body] : bodies) {
    if (kind == jobs::Kind::retention || kind == jobs::Kind::reconciliation) continue;
    body.run = [own, run = body.run](jobs::Work& work) {
      own.check_disk();
      return run(work);
    };
  }
  jobs::RunnerOptions options = p.options();
  p.trouble = trouble;
  options.trouble = std::move(trouble);
  p.plans = std::make_unique<PlanKeeper>(
      PlanKeeper::Needs{*this, p.data.path, p.clock, p.db, p.guard, p.settings});
  p.runner = std::make_unique<jobs::Runner>(p.queue, std::move(bodies), clock, std::move(options),
                                            std::move(watch));
}

JobService::~JobService() = default;

void JobService::start() {
  for (const char* folder : {"datasets", "models", "jobs"})
    store::sweep_staging(parts_->data.path / folder);
  {
    const std::lock_guard lock(parts_->guard);
    advise::Ledger(parts_->db).end_abandoned(parts_->clock.now());
  }
  parts_->runner->start();
}

void JobService::keep_house() {
  constexpr auto kBeat = std::chrono::seconds(2);
  constexpr int kBeatsAMinute = 30;
  parts_->keeper = std::jthread([this, &p = *parts_, kBeat](const std::stop_token& stop) {
    const TimeUs start = p.clock.now();
    std::optional<App> app;
    std::mutex mutex;
    std::condition_variable_any bell;
    std::unique_lock lock(mutex);
    for (int beat = 0; !stop.stop_requested(); ++beat) {
      try {
        if (beat % kBeatsAMinute == 0) {
          p.expire_advice();
          p.ask_for_retention(start);
        }
        if (p.plans->any()) {
          if (!app) app.emplace(p.data, p.clock).use(*this);
          app->follow_plans(beat % kBeatsAMinute == 0);
        }
      } catch (const std::exception& e) {
        app.reset();  // a full queue or a busy database: the next beat will do
        p.trouble(e.what());
      }
      bell.wait_for(lock, stop, kBeat, [] { return false; });
    }
  });
}

jobs::WorkerPool& JobService::solvers() {
  Parts& p = *parts_;
  const std::lock_guard lock(p.solvers_guard);
  if (p.solvers) return *p.solvers;
  const auto setting = [&p](const char* key) {
    const std::lock_guard guard(p.guard);
    return p.setting(key);
  };
  jobs::PoolOptions o;
  o.size = static_cast<std::size_t>(setting("optimizer.solver.poolSize"));
  jobs::ProcessOptions& child = o.worker.process;
  child.command = {p.program.string(), "solver-worker"};
  child.folder = "/";
  child.environment = jobs::safe_environment();
  child.log = p.data.path / "runtime" / "solver" / "worker";
  child.limits.memory_bytes =
      static_cast<std::uint64_t>(setting("optimizer.solver.memoryMb") * 1e6);
  child.limits.file_bytes = 16'000'000;
  child.limits.processes = 32;
  child.limits.no_network = true;
  child.limits.other_user = true;
  p.solvers = std::make_unique<jobs::WorkerPool>(std::move(o), p.clock);
  return *p.solvers;
}

jobs::Queue& JobService::queue() {
  return parts_->queue;
}

namespace {

/// Priors and set-points that could never be trained with cost no experiment: refused at once.
void check_statements(const fs::path& spec_file, const TrainRequest& asked) {
  if (asked.prior.empty() && asked.setpoint.empty()) return;
  StudyRequest study;
  study.prior = asked.prior;
  study.setpoint = asked.setpoint;
  const Json spec = parse_json(store::read_file(spec_file), "spec.json");
  for (const Json& v : spec.at("variables")) {
    const auto role = v.value("role", "");
    (role == "mv"   ? study.mv
     : role == "cv" ? study.cv
                    : study.dv)
        .push_back(v.at("id").get<std::string>());
  }
  (void)plan_study(study);
}

}  // namespace

jobs::Job JobService::train(const TrainRequest& request, const std::string& by) {
  Parts& p = *parts_;
  const std::lock_guard lock(p.guard);
  const registry::DatasetRow dataset = p.registry.dataset(request.dataset);
  const auto budget = static_cast<std::int64_t>(p.setting("job.maxExperiments"));
  if (p.registry.count_experiments(dataset.id) >= budget)
    throw Error("BUDGET_EXHAUSTED", {{"dataset", dataset.id}, {"limit", budget}});
  check_quota(p.registry, &p.settings, p.data.path, dataset.line_id, Adds::model);
  TrainRequest asked = request;
  if (const auto spec = plant::ProcessSpecs(p.db).of_dataset(dataset.id)) state(*spec, asked);
  check_statements(p.data.path / "datasets" / dataset.id / "spec.json", asked);
  return p.submit({jobs::Kind::training, dataset.line_id, by,
                   std::string(enum_name(request.trainer)) + " on " + dataset.id,
                   to_json_value(asked)});
}

jobs::Job JobService::build(const DatasetBuildRequest& request, const std::string& by,
                            const dataset::Spec* spec) {
  const std::string& line = spec == nullptr ? request.line : spec->line_id;
  const std::string& product = spec == nullptr ? request.product : spec->product_id;
  const std::string& recipe = spec == nullptr ? request.recipe : spec->recipe_id;
  return parts_->submit({jobs::Kind::dataset_build, line, by,
                         "dataset of " + line + " · " + product + " · " + recipe,
                         to_json_value(request)});
}

jobs::Job JobService::evaluate(const EvaluateRequest& request, const std::string& by) {
  Parts& p = *parts_;
  const std::lock_guard lock(p.guard);
  const registry::ModelRow model = p.registry.model(request.id);
  (void)p.registry.dataset(request.dataset);
  return p.submit({jobs::Kind::evaluation, model.line_id, by, model.id + " on " + request.dataset,
                   to_json_value(request)});
}

jobs::Job JobService::rebuild_report(const IdRequest& request, const std::string& by) {
  Parts& p = *parts_;
  const std::lock_guard lock(p.guard);
  const registry::ExperimentRow experiment = p.registry.experiment(request.id);
  return p.submit({jobs::Kind::report, p.registry.dataset(experiment.dataset_id).line_id, by,
                   "report of " + experiment.id, to_json_value(request)});
}

jobs::Job JobService::retain(const std::string& by) {
  return parts_->submit({jobs::Kind::retention, "", by, "retention", Json::object()});
}

jobs::Job JobService::reconcile(const ReconcileRequest& request, const std::string& by) {
  return parts_->submit({jobs::Kind::reconciliation, "", by,
                         request.deep ? "deep check" : "rows and folders", to_json_value(request)});
}

registry::TrainingPlan JobService::start_plan(const registry::PlanClaim& claim) {
  return parts_->plans->start(claim);
}

std::vector<registry::TrainingPlan> JobService::settle_plans() {
  return parts_->plans->settle();
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
  const std::lock_guard lock(p.guard);
  const auto& outcome = job.attempt.outcome;
  if (outcome && outcome->model_id && p.registry.has_model(*outcome->model_id))
    throw Error("JOB_HAS_MODEL", {{"id", id}, {"model", *outcome->model_id}});
  p.queue.remove(id);
  store::remove_folder(job_folder(p.data.path, id));
}

}  // namespace flyball::app
