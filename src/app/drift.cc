// The newest stored data since the training of a model, predicted by it and compared.
#include "app/drift.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/app.h"
#include "app/later_data.h"
#include "app/plan_rules.h"
#include "app/records.h"
#include "dataset/store.h"
#include "evaluate/evaluate.h"

namespace flyball::app {
namespace {

constexpr std::size_t kRuns = 20;  // the newest are looked at,
constexpr double kBeats = 20'000;  // and no more than the newest steps of them

/// Per CV, over the horizon of the model, in train deviations.
std::vector<std::optional<double>> test_errors(const Json& metrics,
                                               const std::vector<std::string>& cvs) {
  std::vector<std::optional<double>> out(cvs.size());
  if (!metrics.is_object()) return out;
  const Json score = metrics.value("rolloutTest", Json::object());
  const Json targets = score.value("perTarget", Json::array());
  for (const Json& target : targets) {
    const auto at = std::ranges::find(cvs, target.value("cv", ""));
    if (at == cvs.end() || !target.contains("nrmse") || !target["nrmse"].is_number()) continue;
    out[static_cast<std::size_t>(at - cvs.begin())] = target["nrmse"].get<double>();
  }
  return out;
}

/// The newest of what was stored since.
std::optional<dataset::Spec> newest_spec(const dataset::Built& built,
                                         const historian::Historian& historian) {
  std::vector<dataset::Spec> specs = later_specs(built, historian, {});
  if (specs.empty()) return std::nullopt;
  std::vector<plant::Run> runs;
  for (const plant::Run& run :
       historian.runs({built.dataset.spec.line_id, built.dataset.spec.product_id,
                       built.dataset.spec.recipe_id, ""})) {
    if (run.ended_at && *run.ended_at > *specs.front().from_us) runs.push_back(run);
  }
  std::ranges::sort(runs, std::greater{}, &plant::Run::started_at);
  if (runs.size() > kRuns) runs.resize(kRuns);
  dataset::Spec out = specs.front();
  out.run_ids.clear();
  TimeUs newest = *out.from_us;
  for (const plant::Run& run : runs) {
    out.run_ids.push_back(run.id);
    newest = std::max(newest, *run.ended_at);
  }
  const auto most = static_cast<DurationUs>(kBeats * out.beat_ms * 1000);
  out.from_us = std::max(*out.from_us, newest - most);
  return out;
}

}  // namespace

DriftReport App::model_drift(const IdRequest& request, const Call& call) {
  Records& r = records();
  const registry::ModelRow model = r.registry.model(request.id);
  const evaluate::LoadedModel loaded =
      evaluate::load_model(model.artifact_kind, r.registry.model_file(model, "model.json"));
  DriftReport out;
  const auto answer = [&](const evaluate::Drift& drift) {
    static_cast<evaluate::Drift&>(out) = drift;
    return out;
  };
  out.model_id = model.id;
  const registry::ShadowEvidence shadow = r.shadow.evidence(model.id, {});
  out.shadow_predictions = shadow.predictions;
  out.shadow_rmse = shadow.rmse;
  if (loaded.history == 0) {
    out.reasons.push_back(Message{"DRIFT_STATIC", {{"kind", model.artifact_kind}}}.text());
    return out;
  }
  const registry::DatasetRow row = r.registry.dataset(model.dataset_id);
  const dataset::Built built = dataset::load(data_.path / "datasets" / row.id, row.sha256);
  out.since = trained_until(built);
  const std::vector<std::string> cvs = loaded.ids("cv");
  const auto test = test_errors(r.registry.experiment(model.experiment_id).metrics, cvs);
  const std::optional<dataset::Spec> spec = newest_spec(built, historian());
  if (!spec) return answer(evaluate::judge_drift(cvs, test, {}));
  try {
    const auto later = dataset::build_for_replay(historian(), *spec, call.progress, call.stop);
    return answer(evaluate::judge_drift(cvs, test, evaluate::replay(later.dataset, loaded, {})));
  } catch (const Error& e) {
    if (e.code() != "NO_USABLE_RUNS" && e.code() != "TRAIN_EMPTY") throw;
    return answer(evaluate::judge_drift(cvs, test, {}));
  }
}

std::optional<Message> App::drift_of(const registry::TrainingPlan& plan,
                                     const PlanEvidence& evidence) {
  if (!plan.last_model_id || evidence.span <= plan.last_span) return std::nullopt;
  DurationUs& looked = looked_[plan.id];
  if (looked == evidence.span) return std::nullopt;
  looked = evidence.span;
  try {
    const DriftReport found = model_drift({*plan.last_model_id}, {});
    if (found.verdict != evaluate::DriftVerdict::drift) return std::nullopt;
    return Message{"PLAN_DRIFT", {{"model", found.model_id}, {"reason", found.reasons.front()}}};
  } catch (const Error& e) {
    records(true).plans.note(plan.id, e.code(), e.what());  // it can still train for other reasons
    return std::nullopt;
  }
}

}  // namespace flyball::app
