// A report job: an experiment is studied again, for its pages only.
#include <nlohmann/json.hpp>

#include "app/job_bodies.h"
#include "app/job_service.h"
#include "app/training_body.h"
#include "gates/gates.h"
#include "store/files.h"

namespace flyball::app {
namespace {

namespace fs = std::filesystem;

/// What a study or a training job was asked, as training asks it.
TrainRequest request_of(const registry::ExperimentRow& experiment) {
  Json asked = Json::object();
  for_each_field<TrainRequest>([&](const auto& f) {
    if (experiment.config.contains(f.name)) asked[f.name] = experiment.config[f.name];
  });
  asked["dataset"] = experiment.dataset_id;
  asked["seed"] = experiment.seed;
  return parse_record<TrainRequest>(asked);
}

std::string hash_of(const Json& metrics) {
  return metrics.is_object() ? metrics.value("artifactHash", "") : "";
}

}  // namespace

TrainOrder TrainingBody::order_again(const registry::ExperimentRow& experiment) {
  TrainOrder order = order_on(request_of(experiment));
  order.experiment_id = experiment.id;
  const std::lock_guard lock(needs_.guard);
  order.model_id = needs_.registry.model_of(experiment.id).value_or("");
  if (!experiment.gates.is_object()) return order;
  const auto gates = parse_record<gates::GateReport>(experiment.gates);
  order.thresholds = gates.thresholds;
  order.policy = gates.policy;
  order.settings_version = gates.settings_version;
  order.reasons = gates.loosened;
  return order;
}

jobs::Ending TrainingBody::rebuild(jobs::Work& work) {
  const jobs::Job& job = work.job();
  const auto asked = parse_record<IdRequest>(job.asked.request);
  registry::ExperimentRow experiment;
  {
    const std::lock_guard lock(needs_.guard);
    experiment = needs_.registry.experiment(asked.id);
  }
  prepare(job, order_again(experiment));
  const TrainProcess done = process(work, folder(job));
  if (!fs::exists(folder(job) / "result.json")) {
    if (!done.code.empty())
      throw Error("JOB_PROCESS_SAID", {{"code", done.code}, {"text", done.text}});
    throw Error("JOB_PROCESS_FAILED", {{"exit", done.end.exit_code}, {"last", done.text}});
  }
  work.enter(jobs::State::evaluating);
  return compare(experiment, job);
}

jobs::Ending TrainingBody::compare(const registry::ExperimentRow& experiment,
                                   const jobs::Job& job) const {
  const fs::path where = folder(job);
  const auto result =
      parse_record<TrainResult>(parse_json(store::read_file(where / "result.json"), "result.json"));
  jobs::Ending out;
  out.outcome.dataset_id = experiment.dataset_id;
  out.outcome.experiment_id = experiment.id;
  const std::string wanted = hash_of(experiment.metrics),
                    found = hash_of(result.experiment.metrics);
  if (wanted != found) {
    const Message why{"REPORT_DIFFERS",
                      {{"id", experiment.id},
                       {"dataset", experiment.dataset_id},
                       {"wanted", wanted.substr(0, 12)},
                       {"found", found.substr(0, 12)}}};
    out.state = jobs::State::failed;
    out.outcome.code = why.code;
    out.outcome.reason = why.text();
    return out;
  }
  const fs::path pages = needs_.data / "reports" / experiment.id;
  store::StagedFolder fresh(pages);
  for (const char* name : {"report.html", "report.json", "pictures.json"}) {
    if (fs::exists(where / "out" / name)) fresh.write(name, store::read_file(where / "out" / name));
  }
  store::remove_folder(pages);
  fresh.commit();
  out.outcome.succeeded = true;
  return out;
}

}  // namespace flyball::app
