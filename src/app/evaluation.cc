// A model judged on a dataset that it was not trained on, by the evaluator that judged it first.
#include <algorithm>
#include <cmath>
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

/// A model of steady values at the operating points of the dataset, found by the rule of its own
/// training; fills in metrics and coverage.
void evaluate_static(const dataset::Dataset& data, const evaluate::LoadedModel& model,
                     const std::string& bytes, const std::vector<double>& half_width,
                     const evaluate::Options& options, registry::EvaluationRow& out) {
  const model::StaticArtifact artifact = model::read_static_artifact(bytes);
  const auto points =
      dataset::operating_points(data, parse_record<dataset::SteadyRule>(artifact.rule));
  std::size_t parameters = 0;
  for (const model::StaticSurface& s : artifact.surfaces)
    parameters = std::max(parameters, s.coefficients.size());
  const evaluate::Evaluation found = evaluate::evaluate_points(
      data, points, model.predict, static_cast<std::int64_t>(parameters), options);
  out.metrics = to_json_value(found.metrics);
  std::int64_t inside = 0, total = 0;
  for (const evaluate::PointResult& p : found.points) {
    if (half_width.empty() || !p.inside()) continue;
    for (Index j = 0; j < p.y.size(); ++j) {
      if (!std::isfinite(p.y(j))) continue;
      ++total;
      inside +=
          std::abs(p.y(j) - p.predicted(j)) <= half_width[static_cast<std::size_t>(j)] ? 1 : 0;
    }
  }
  if (total > 0) out.coverage = static_cast<double>(inside) / static_cast<double>(total);
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
  const std::string bytes = r.registry.model_file(model, "model.json");
  const evaluate::LoadedModel loaded = evaluate::load_model(model.artifact_kind, bytes);
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
  const std::vector<double> half = half_width(r.registry, model);
  if (loaded.surfaces) {
    evaluate_static(built.dataset, loaded, bytes, half, options, out);
  } else {
    out.metrics = to_json_value(evaluate::evaluate(built.dataset, loaded.predict, options).metrics);
    out.coverage = coverage(built.dataset, loaded, half);
  }
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
