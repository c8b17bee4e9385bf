#include "app/train_child.h"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/items.h"
#include "app/study_run.h"
#include "app/train_requests.h"
#include "core/words.h"
#include "store/files.h"

namespace flyball::app {
namespace {

namespace fs = std::filesystem;

void say(const Json& line) {
  fmt::print("##AML {}\n", canonical(line));
  std::fflush(stdout);
}

std::vector<std::string> names(const dataset::Spec& spec, plant::Role role) {
  std::vector<std::string> out;
  for (const auto& v : spec.variables) {
    if (v.role == role) out.push_back(v.id);
  }
  return out;
}

/// A study of the dataset as it was asked for; the dataset has fixed its own window.
StudyRequest study_request(const TrainRequest& r, const dataset::Spec& spec) {
  StudyRequest out;
  out.line = spec.line_id;
  out.product = spec.product_id;
  out.recipe = spec.recipe_id;
  out.mv = names(spec, plant::Role::mv);
  out.cv = names(spec, plant::Role::cv);
  out.dv = names(spec, plant::Role::dv);
  out.history = spec.window.history_steps;
  out.horizon = spec.window.horizon_steps;
  out.trainer = r.trainer;
  out.setpoint = r.setpoint;
  out.prior = r.prior;
  out.points = r.points;
  out.steady_steps = r.steady_steps;
  out.steady_tolerance = r.steady_tolerance;
  out.seed = r.seed;
  return out;
}

LiveThresholds thresholds(const TrainOrder& order) {
  return {order.thresholds, {order.policy, order.settings_version, order.sources, order.reasons}};
}

TrainResult result_of(const Study& s, const TrainOrder& order, const fs::path& out, TimeUs now) {
  TrainResult result;
  result.experiment = experiment_of(s, order.experiment_id, now);
  result.experiment.config = to_json_value(order.request);
  for (const gates::Check& check : s.gates.checks) {
    if (!check.pass) result.failed_gates.push_back(check.name);
  }
  if (s.report.verdict == "pass") {
    result.model = model_of(s, order.model_id, result.experiment);
    for (const auto& [name, bytes] : model_files(s, now)) store::write_file(out / name, bytes);
    return result;
  }
  const Message why = s.refusal ? s.refusal->message() : Message{"GATES_REFUSED", {}};
  result.code = why.code;
  result.reason = why.text();
  if (!s.refusal && !s.gates.reasons.empty()) result.reason = s.gates.reasons.front().text;
  return result;
}

void work(const fs::path& folder) {
  const SystemClock clock;
  const TimeUs started = clock.now();
  const auto order =
      parse_record<TrainOrder>(parse_json(store::read_file(folder / "order.json"), "order.json"));
  const Call call{[](const Progress& p) {
                    say({{"type", "progress"},
                         {"stage", p.stage},
                         {"progress", p.fraction * 100},
                         {"note", p.note}});
                  },
                  {}};
  call.progress({"dataset", 0, ""});
  dataset::Built built = dataset::load(order.dataset_folder, order.dataset_sha256);
  const StudyRequest request = study_request(order.request, built.dataset.spec);
  Study s(request, call);
  s.saved = {order.dataset_id, order.dataset_sha256, order.dataset_folder, true};
  s.built = std::move(built);
  s.pictures.title = order.dataset_id;
  s.stage("identify");
  try {
    s.trained = train(s.built->dataset, train_options(s), call);
  } catch (const Error& e) {
    if (!cannot_carry(e)) throw;
    s.refusal = e;
  }
  describe_dataset(s);
  if (s.trained) describe_identification(s);
  judge(s, thresholds(order), order.alpha);
  const fs::path out = folder / "out";
  store::make_folder(out);
  const TimeUs now = clock.now();
  const TrainResult result = result_of(s, order, out, now);
  if (result.model) s.report.model->id = result.model->id;
  write_report(s, out, started, now);
  store::write_file(folder / "result.json", pretty(to_json_value(result)));
}

}  // namespace

int run_training_child(const fs::path& folder) try {
  work(folder);
  say({{"type", "done"}});
  return 0;
} catch (const Error& e) {
  Json line = to_json_value(words(e.message()));
  line["type"] = "error";
  say(line);
  return 1;
} catch (const std::exception& e) {
  say({{"type", "error"}, {"code", "JOB_UNEXPECTED"}, {"text", e.what()}});
  return 1;
}

}  // namespace flyball::app
