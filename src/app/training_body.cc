#include "app/training_body.h"

#include <algorithm>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/job_bodies.h"
#include "app/job_service.h"
#include "app/settings.h"
#include "evaluate/load_model.h"
#include "store/files.h"

namespace flyball::app {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostTasks = 256;  // processes and threads of a training
constexpr int kNiceness = 10;              ///< requests before training

jobs::Outcome outcome_of(const TrainResult& result) {
  jobs::Outcome out;
  out.succeeded = result.model.has_value();
  out.dataset_id = result.experiment.dataset_id;
  out.experiment_id = result.experiment.id;
  if (result.model) out.model_id = result.model->id;
  out.failed_gates = result.failed_gates;
  out.code = result.code;
  out.reason = result.reason;
  return out;
}

/// What another process wrote is taken over as plain files only: no link leads us elsewhere.
void require_plain(const fs::path& folder) {
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_symlink() || !(entry.is_regular_file() || entry.is_directory()))
      throw Error("JOB_UNEXPECTED", {{"detail", entry.path().string() + " is no plain file"}});
  }
}

}  // namespace

fs::path TrainingBody::folder(const jobs::Job& job) const {
  return job_folder(needs_.data, job.id);
}

TrainOrder TrainingBody::order_of(const jobs::Job& job) {
  TrainOrder order = order_on(parse_record<TrainRequest>(job.asked.request));
  order.experiment_id = attempt_id("exp", job);
  order.model_id = attempt_id("mdl", job);
  return order;
}

TrainOrder TrainingBody::order_on(const TrainRequest& request) {
  const std::lock_guard lock(needs_.guard);
  TrainOrder order;
  order.request = request;
  const registry::DatasetRow dataset = needs_.registry.dataset(order.request.dataset);
  order.dataset_folder = (needs_.data / "datasets" / dataset.id).string();
  order.dataset_id = dataset.id;
  order.dataset_sha256 = dataset.sha256;
  const LiveThresholds live = live_thresholds(&needs_.settings, dataset.line_id);
  order.thresholds = live.thresholds;
  order.policy = live.provenance.policy;
  order.settings_version = live.provenance.settings_version;
  order.sources = live.provenance.sources;
  order.reasons = live.provenance.reasons;
  order.alpha = resolve(setting_spec("uq.alpha"), &needs_.settings, dataset.line_id).value;
  return order;
}

void TrainingBody::prepare(const jobs::Job& job, const TrainOrder& order) const {
  const fs::path where = folder(job);
  store::remove_folder(where);
  store::make_folder(where);
  store::write_file(where / "job.json", pretty(to_json_value(job)));
  store::write_file(where / "order.json", pretty(to_json_value(order)));
}

jobs::Ending TrainingBody::run(jobs::Work& work) {
  const jobs::Job& job = work.job();
  const fs::path where = folder(job);
  prepare(job, order_of(job));
  const TrainProcess done = process(work, where);
  if (std::optional<TrainResult> result = result_of(job)) {
    work.enter(jobs::State::evaluating);
    return conclude(job, std::move(*result));
  }
  if (done.end.signal != 0) {
    jobs::Ending out = refused(job, {"JOB_PROCESS_KILLED", {{"signal", done.end.signal}}},
                               jobs::State::interrupted);
    out.try_again = done.end.signal == SIGKILL && !done.end.stopped;
    return out;
  }
  const Message why{"JOB_PROCESS_FAILED", {{"exit", done.end.exit_code}, {"last", done.text}}};
  jobs::Ending out = refused(job, why, jobs::State::failed);
  if (!done.code.empty()) {
    out.outcome.code = done.code;
    out.outcome.reason = done.text;
  }
  return out;
}

TrainProcess TrainingBody::process(jobs::Work& work, const fs::path& where) {
  jobs::ChildLimits limits{.processes = kMostTasks,
                           .niceness = kNiceness,
                           .no_network = true,
                           .other_user = true,
                           .reads = {needs_.data / "datasets"},
                           .owns = {where}};
  {
    const std::lock_guard lock(needs_.guard);
    const auto value = [&](const char* key) {
      return resolve(setting_spec(key), &needs_.settings, work.job().asked.line_id).value;
    };
    limits.memory_bytes = static_cast<std::uint64_t>(value("job.memoryMb") * 1e6);
    limits.cpu_seconds = static_cast<std::uint64_t>(value("job.timeoutSeconds")) *
                         std::max(1U, std::thread::hardware_concurrency());
  }
  TrainProcess done = run_train_process(work, where, needs_.program, limits);
  require_plain(where);
  return done;
}

std::optional<TrainResult> TrainingBody::result_of(const jobs::Job& job) const {
  const fs::path file = folder(job) / "result.json";
  if (!fs::exists(file)) return std::nullopt;
  auto result = parse_record<TrainResult>(parse_json(store::read_file(file), file.string()));
  if (result.experiment.id != attempt_id("exp", job)) return std::nullopt;
  return result;
}

jobs::Ending TrainingBody::conclude(const jobs::Job& job, TrainResult result) {
  jobs::Ending out;
  out.outcome = outcome_of(result);
  out.state = result.model ? jobs::State::done : jobs::State::failed;
  registry::Registry& registry = needs_.registry;
  if (!result.model) {
    out.keep = [&registry, result] { registry.add_experiment(result.experiment); };
    return out;
  }
  std::map<std::string, std::string> files;
  for (const char* name : {"model.json", "uq.json", "io_spec.json", "gates.json"})
    files[name] = store::read_file(folder(job) / "out" / name);
  const evaluate::LoadedModel loaded =
      evaluate::load_model(result.model->artifact_kind, files["model.json"]);
  if (loaded.artifact_hash != result.model->artifact_hash)
    throw Error("ARTIFACT_CORRUPT", {{"id", result.model->id}, {"file", "model.json"}});
  {
    const std::lock_guard lock(needs_.guard);
    registry.place_model(*result.model, files);
  }
  out.keep = [&registry, result] { registry.add_model(result.experiment, *result.model); };
  out.discard = [&registry, this, id = result.model->id] {
    const std::lock_guard lock(needs_.guard);
    registry.discard_model(id);
  };
  return out;
}

jobs::Ending TrainingBody::refused(const jobs::Job& job, const Message& why, jobs::State state) {
  jobs::Ending out;
  out.state = state;
  out.outcome.code = why.code;
  out.outcome.reason = why.text();
  abandon(job, out);
  return out;
}

void TrainingBody::abandon(const jobs::Job& job, jobs::Ending& ending) {
  if (job.attempt.state == jobs::State::queued) return;  // nothing was tried
  if (ending.state == jobs::State::interrupted && job.attempt.state == jobs::State::evaluating) {
    if (std::optional<TrainResult> result = result_of(job)) {
      ending = conclude(job, std::move(*result));
      return;
    }
  }
  const std::lock_guard lock(needs_.guard);
  const auto request = parse_record<TrainRequest>(job.asked.request);
  registry::ExperimentRow row;
  row.id = attempt_id("exp", job);
  row.dataset_id = request.dataset;
  row.trainer = enum_name(request.trainer);
  row.status = registry::ExperimentStatus::failed;
  row.seed = request.seed;
  row.settings_version = needs_.settings.version();
  row.config = to_json_value(request);
  row.reason = ending.outcome.reason;
  row.created_at = needs_.clock.now();
  ending.outcome.dataset_id = row.dataset_id;
  ending.outcome.experiment_id = row.id;
  ending.keep = [this, row] { needs_.registry.add_experiment(row); };
}

}  // namespace flyball::app
