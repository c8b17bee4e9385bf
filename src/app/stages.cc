// Use cases on the stages of models: shadow, evidence, promotion by two people.
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/app.h"
#include "app/audited.h"
#include "app/caller.h"
#include "app/half_width.h"
#include "app/held.h"
#include "app/later_data.h"
#include "app/promotion.h"
#include "app/records.h"
#include "app/settings.h"
#include "app/study_plan.h"
#include "core/digest.h"
#include "dataset/store.h"
#include "evaluate/load_model.h"
#include "evaluate/replay.h"
#include "store/files.h"
#include "store/savepoint.h"

namespace flyball::app {
namespace {

namespace fs = std::filesystem;
using registry::Stage;

registry::ShadowNeeds shadow_needs(registry::SettingsStore* store, const std::string& line) {
  const auto value = [&](const char* key) { return resolve(setting_spec(key), store, line).value; };
  return {static_cast<std::int64_t>(value("shadow.runs")),
          static_cast<std::int64_t>(value("shadow.regimes")),
          static_cast<std::int64_t>(value("shadow.predictions")),
          static_cast<DurationUs>(value("shadow.hours") * 3600e6)};
}

/// A build that gives nothing: no evidence, no failure.
constexpr std::array<std::string_view, 2> kNothingLater{"NO_USABLE_RUNS", "TRAIN_EMPTY"};

/// When a model came into shadow; predictions of data before that were replayed.
TimeUs shadow_since(registry::Stages& stages, const std::string& id) {
  TimeUs out = INT64_MAX;
  for (const registry::StageMove& move : stages.history(id)) {
    if (move.to == Stage::shadow) out = move.at;
  }
  return out;
}

}  // namespace

std::string promotion_digest(registry::Registry& registry, const registry::ModelRow& model) {
  return sha256(canonical({{"artifactHash", model.artifact_hash},
                           {"dataset", registry.dataset(model.dataset_id).sha256},
                           {"files", model.files},
                           {"model", model.id}}));
}

void carry_out_promotion(registry::Registry& registry, registry::Stages& stages,
                         const govern::Approval& approval, TimeUs now) {
  const registry::ModelRow model = registry.model(approval.object);
  (void)evaluate::load_model(model.artifact_kind, registry.model_file(model, "model.json"));
  stages.move({model.id,
               Stage::shadow,
               Stage::production,
               now,
               *approval.decided_by,
               approval.reason,
               approval.id,
               {}});
}

std::vector<ShadowFollowed> App::follow_in_shadow(const std::string& line, const Call& call) {
  std::vector<ShadowFollowed> out;
  Records& r = records(true);
  for (const std::string& id : r.stages.in_stage(Stage::shadow)) {
    if (r.registry.model(id).line_id != line) continue;
    ShadowFollowed& followed = out.emplace_back();
    followed.model_id = id;
    try {
      const std::int64_t before = shadow_evidence({id}, call).predictions;
      followed.predictions = update_shadow({id}, call).predictions - before;
    } catch (const Error& e) {
      if (e.code() == "CANCELLED") throw;
      followed.problem = Words{e.code(), e.what()};
    }
  }
  return out;
}

StageHistory App::set_stage(const StageRequest& request, const Call& call) {
  Records& r = records(true);
  const registry::ModelRow model = r.registry.model(request.id);
  const Stage to = request.to == OpenStage::shadow ? Stage::shadow : Stage::retired;
  if (call.change != nullptr)
    *call.change = {model.id, model.line_id, enum_name(model.stage), enum_name(to)};
  if (to == Stage::retired) check_free("MODEL_IN_USE", model.id);
  r.stages.move({model.id, model.stage, to, clock_.now(), caller(call).id, request.reason, {}, {}});
  return stage_history({request.id}, call);
}

StageHistory App::stage_history(const IdRequest& request, const Call&) {
  Records& r = records();
  return {request.id, r.registry.model(request.id).stage, r.stages.history(request.id)};
}

registry::ShadowEvidence App::shadow_evidence(const IdRequest& request, const Call&) {
  Records& r = records();
  const registry::ModelRow model = r.registry.model(request.id);
  return r.shadow.evidence(model.id, shadow_needs(&r.settings, model.line_id));
}

registry::ShadowEvidence App::update_shadow(const IdRequest& request, const Call& call) {
  Records& r = records(true);
  const registry::ModelRow model = r.registry.model(request.id);
  if (model.stage != Stage::shadow)
    throw Error("MODEL_NOT_IN_SHADOW", {{"id", model.id}, {"stage", enum_name(model.stage)}});
  Held model_held(r.leases, model.id, "replay by " + caller(call).id, clock_);
  const Call held = renewing(call, model_held);
  const registry::DatasetRow trained_on = r.registry.dataset(model.dataset_id);
  const dataset::Built trained =
      dataset::load(data_.path / "datasets" / trained_on.id, trained_on.sha256);
  const evaluate::LoadedModel loaded =
      evaluate::load_model(model.artifact_kind, r.registry.model_file(model, "model.json"));
  const TimeUs since = shadow_since(r.stages, model.id);
  for (const dataset::Spec& spec : later_specs(trained, historian(), r.shadow.newest(model.id))) {
    std::vector<registry::ShadowPrediction> rows;
    try {
      const auto later = dataset::build_for_replay(historian(), spec, held.progress, call.stop);
      for (const auto& p : evaluate::replay(later.dataset, loaded, half_width(r.registry, model)))
        rows.push_back(
            {model.id, p.run_id, p.at, p.rmse, p.inside, p.total, p.regime, p.at < since});
    } catch (const Error& e) {
      if (std::ranges::find(kNothingLater, e.code()) == kNothingLater.end()) throw;
    }
    r.shadow.add(rows);
  }
  return shadow_evidence(request, call);
}

govern::Approval App::request_promotion(const PromotionRequest& request, const Call& call) {
  Records& r = records(true);
  const registry::ModelRow model = r.registry.model(request.id);
  if (model.stage != Stage::shadow)
    throw Error("MODEL_NOT_IN_SHADOW", {{"id", model.id}, {"stage", enum_name(model.stage)}});
  const registry::ShadowEvidence evidence = shadow_evidence({request.id}, call);
  std::string reason = request.reason;
  if (!evidence.enough) {
    if (!request.waive) {
      std::string missing;
      for (const std::string& text : evidence.missing)
        missing += (missing.empty() ? "" : "; ") + text;
      throw Error("SHADOW_EVIDENCE_MISSING", {{"id", model.id}, {"missing", missing}});
    }
    reason +=
        (reason.empty() ? "" : " ") + Message{"SHADOW_WAIVED", {{"reason", *request.waive}}}.text();
  }
  return r.govern.approvals.request(
      {std::string(kPromotion), model.id, promotion_digest(r.registry, model), model.line_id,
       caller(call).id, reason},
      clock_.now());
}

registry::ModelRow App::production(const ProductionRequest& request, const Call&) {
  Records& r = records();
  const auto id = r.stages.production_at(request.line, request.product, request.recipe,
                                         request.at.value_or(clock_.now()));
  if (!id)
    throw Error("NO_PRODUCTION_MODEL",
                {{"line", request.line}, {"product", request.product}, {"recipe", request.recipe}});
  return r.registry.model(*id);
}

}  // namespace flyball::app
