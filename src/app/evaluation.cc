// A model judged on a dataset that it was not trained on, by the evaluator that judged it first.
#include <nlohmann/json.hpp>

#include "app/app.h"
#include "app/caller.h"
#include "app/half_width.h"
#include "app/held.h"
#include "app/items.h"
#include "app/records.h"
#include "app/study_model.h"
#include "dataset/store.h"
#include "evaluate/evaluate.h"
#include "evaluate/load_model.h"
#include "evaluate/replay.h"

namespace flyball::app {
namespace {

/// The columns that the model reads and writes are those of the dataset, in their order and units,
/// at its beat.
void check_same_columns(const evaluate::LoadedModel& model, const dataset::Dataset& data,
                        const EvaluateRequest& request) {
  const auto text = [](const std::vector<model::ArtifactVariable>& variables) {
    std::string out;
    for (const auto& v : variables)
      out += (out.empty() ? "" : ", ") + v.role + " " + v.id + " [" + v.unit + "]";
    return out;
  };
  const std::string wanted = text(model.variables), found = text(file_variables(data));
  if (wanted != found)
    throw Error(
        "EVALUATION_VARIABLES",
        {{"id", request.id}, {"dataset", request.dataset}, {"wanted", wanted}, {"found", found}});
  if (model.beat_ms != data.spec.beat_ms)
    throw Error("EVALUATION_BEAT", {{"id", request.id},
                                    {"dataset", request.dataset},
                                    {"wanted", model.beat_ms, "ms"},
                                    {"found", data.spec.beat_ms, "ms"}});
}

std::optional<double> coverage(const dataset::Dataset& data, const evaluate::LoadedModel& model,
                               const std::vector<double>& half_width) {
  std::int64_t inside = 0, total = 0;
  for (const auto& p : evaluate::replay(data, model, half_width)) {
    inside += p.inside;
    total += p.total;
  }
  if (total == 0) return std::nullopt;
  return static_cast<double>(inside) / static_cast<double>(total);
}

}  // namespace

registry::EvaluationRow App::evaluate(const EvaluateRequest& request, const std::string& id,
                                      const std::string& by, const Call& call) {
  Records& r = records(true);
  const registry::ModelRow model = r.registry.model(request.id);
  const registry::DatasetRow row = r.registry.dataset(request.dataset);
  Held model_held(r.leases, model.id, "evaluation " + id, clock_);
  Held dataset_held(r.leases, row.id, "evaluation " + id, clock_);
  const Call held = renewing(call, model_held, dataset_held);
  const evaluate::LoadedModel loaded =
      evaluate::load_model(model.artifact_kind, r.registry.model_file(model, "model.json"));
  if (loaded.history == 0)
    throw Error("EVALUATION_KIND", {{"id", model.id}, {"kind", model.artifact_kind}});
  held.progress({"dataset", 0, row.id});
  const dataset::Built built = dataset::load(data_.path / "datasets" / row.id, row.sha256);
  check_same_columns(loaded, built.dataset, request);
  evaluate::Options options;
  options.history = loaded.history;
  options.horizon = loaded.horizon;
  options.dataset_sha256 = row.sha256;
  options.artifact_hash = loaded.artifact_hash;
  options.progress = held.progress;
  options.stop = call.stop;
  registry::EvaluationRow out;
  out.id = id;
  out.model_id = model.id;
  out.dataset_id = row.id;
  out.line_id = model.line_id;
  out.by = by;
  out.metrics = to_json_value(evaluate::evaluate(built.dataset, loaded.predict, options).metrics);
  out.coverage = coverage(built.dataset, loaded, half_width(r.registry, model));
  out.created_at = clock_.now();
  return out;
}

ItemsResponse App::list_evaluations(const EvaluationListRequest& request, const Call& call) {
  ItemsResponse out;
  for (const registry::EvaluationRow& row :
       readable(call, records().evaluations.list(request.model.value_or(""), request.limit)))
    out.items.push_back(to_json_value(row));
  return out;
}

registry::EvaluationRow App::show_evaluation(const IdRequest& request, const Call&) {
  return records().evaluations.get(request.id);
}

}  // namespace flyball::app
