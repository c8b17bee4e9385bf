#include "advise/eligibility.h"

#include <algorithm>

#include "model/static_artifact.h"

namespace flyball::advise {
namespace {

using registry::Stage;

class Rules {
 public:
  void add(const char* code, std::vector<Param> params) {
    broken.push_back({code, std::move(params)});
  }
  void stands(bool holds, const char* code, std::vector<Param> params) {
    if (!holds) add(code, std::move(params));
  }
  std::vector<Message> broken;
};

void check_variables(Rules& rules, const ModelFacts& model, const ProfileContent& c) {
  const auto has = [&](const std::string& id, std::string_view role) {
    const bool found = std::ranges::any_of(
        model.variables, [&](const auto& v) { return v.id == id && v.role == role; });
    rules.stands(found, "PROFILE_VARIABLE",
                 {{"variable", id}, {"role", role}, {"model", model.row.id}});
  };
  for (const MvSetting& m : c.mv) has(m.var_id, "mv");
  for (const CvSetting& v : c.cv) has(v.var_id, "cv");
  for (const DvSetting& d : c.dv) has(d.var_id, "dv");
  for (const auto& v : model.variables) {
    const bool moved = std::ranges::find(c.mv, v.id, &MvSetting::var_id) != c.mv.end();
    rules.stands(!(moved && v.transport), "PROFILE_TRANSPORT", {{"variable", v.id}});
  }
}

void check_uq(Rules& rules, const ModelFacts& model, const ProfileContent& c) {
  if (!c.require_uq) return;
  if (!model.uq) {
    rules.add("UQ_MISSING", {{"model", model.row.id}, {"reason", model.uq_reason}});
    return;
  }
  rules.stands(model.uq_artifact_hash == model.row.artifact_hash, "UQ_OTHER_MODEL",
               {{"model", model.row.id}});
  rules.stands(model.uq->coverage_test >= model.uq->coverage_threshold, "UQ_NOT_COVERED",
               {{"coverage", model.uq->coverage_test}, {"limit", model.uq->coverage_threshold}});
  const bool dynamic = c.problem_template == optimise::kLinearMpc;
  rules.stands(!dynamic || c.horizon <= model.uq->horizon, "UQ_HORIZON",
               {{"horizon", c.horizon}, {"limit", model.uq->horizon}});
}

}  // namespace

std::vector<Message> not_eligible(const ModelFacts& m, const Profile& p) {
  Rules rules;
  const registry::ModelRow& row = m.row;
  rules.stands(row.stage == Stage::shadow || row.stage == Stage::production, "ADVICE_MODEL_STAGE",
               {{"model", row.id}, {"stage", enum_name(row.stage)}});
  rules.stands(!m.pruned, "ADVICE_MODEL_PRUNED", {{"model", row.id}});
  rules.stands(row.artifact_hash == p.model_artifact_hash, "ADVICE_MODEL_HASH",
               {{"model", row.id}});
  rules.stands(m.experiment == registry::ExperimentStatus::gates_passed, "ADVICE_MODEL_GATES",
               {{"model", row.id}});
  rules.stands(m.lineage_verified, "LINEAGE_UNVERIFIED", {{"dataset", row.dataset_id}});
  const bool same =
      row.line_id == p.line_id && row.product_id == p.product_id && row.recipe_id == p.recipe_id;
  rules.stands(
      same, "ADVICE_MODEL_RECIPE",
      {{"model", row.id}, {"line", p.line_id}, {"product", p.product_id}, {"recipe", p.recipe_id}});
  const std::string& t = p.content.problem_template;
  const bool fits = (t == optimise::kLinearMpc && row.artifact_kind == model::kLinearStateSpace) ||
                    (t == optimise::kSteadyResponse && row.artifact_kind == model::kStaticResponse);
  rules.stands(fits, "ADVICE_TEMPLATE", {{"template", t}, {"kind", row.artifact_kind}});
  check_variables(rules, m, p.content);
  check_uq(rules, m, p.content);
  return std::move(rules.broken);
}

void require_eligible(const ModelFacts& model, const Profile& profile) {
  std::vector<Problem> problems;
  for (Message& m : not_eligible(model, profile)) problems.push_back({"", std::move(m)});
  if (!problems.empty()) throw Error::of("PROFILE_NOT_ELIGIBLE", std::move(problems));
}

}  // namespace flyball::advise
