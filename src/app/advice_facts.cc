#include "app/advice_facts.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "dataset/assemble.h"
#include "dataset/store.h"
#include "evaluate/load_model.h"

namespace flyball::app {
namespace {

using advise::ContextSnapshot;

constexpr std::int64_t kMostHistory = 2'000;  // rows

std::string node_of(const advise::Binding& binding, const std::string& line,
                    const std::string& id) {
  const auto it = binding.node_map.find(id);
  return it == binding.node_map.end() ? line + "/" + id : it->second;
}

/// The spec of training over [from, to), its tags as the binding has them.
dataset::Spec spec_now(const AdviceModel& model, const advise::Binding& binding, TimeUs from,
                       TimeUs to) {
  dataset::Spec out = model.spec;
  out.from_us = from;
  out.to_us = to;
  out.window = {1, 1};
  for (dataset::Variable& v : out.variables) v.node_id = node_of(binding, binding.line_id, v.id);
  return out;
}

plant::Run run_of(const historian::Historian& historian, const std::string& line,
                  const std::string& id) {
  for (plant::Run& run : historian.runs({line, "", "", id})) return run;
  throw Error("RUN_MISSING", {{"line", line}, {"run", id}, {"known", ""}});
}

/// Mode of the variable's loop, and whether samples count in it.
void set_mode(const historian::Historian& historian, const dataset::Variable& v,
              const plant::Run& run, TimeUs now, advise::NodeState& node) {
  if (v.mode_tag.empty()) return;
  const std::string id = run.line_id + "/" + v.mode_tag;
  const auto tags = historian.tags(run.line_id);
  const auto tag = std::ranges::find(tags, v.mode_tag, &plant::Tag::name);
  const auto code = historian.latest(id, {run.line_id, "", "", run.id}, now + 1);
  if (tag == tags.end() || !code || !std::isfinite(code->value)) return;
  const auto at = static_cast<std::size_t>(code->value);
  if (at < tag->states.size()) node.mode = tag->states[at];
  node.available = std::ranges::count(v.modes, node.mode) > 0;
}

void add_nodes(const historian::Historian& historian, const AdviceModel& model,
               const advise::Binding& binding, const plant::Run& run, TimeUs now,
               ContextSnapshot& out) {
  TimeUs newest = INT64_MIN;
  for (const dataset::Variable& v : model.spec.variables) {
    advise::NodeState& node = out.nodes.emplace_back();
    node.var_id = v.id;
    node.node_id = node_of(binding, binding.line_id, v.id);
    const auto sample = historian.latest(node.node_id, {run.line_id, "", "", run.id}, now + 1);
    if (!sample) continue;
    node.newest_at = sample->at;
    node.quality = sample->quality.good() ? "good" : sample->quality.bad() ? "bad" : "uncertain";
    if (!sample->quality.bad() && std::isfinite(sample->value)) node.value = sample->value;
    newest = std::max(newest, sample->at);
    set_mode(historian, v, run, now, node);
  }
  for (std::size_t i = 0; i < out.nodes.size(); ++i) {
    if (model.spec.variables[i].stepped && out.nodes[i].value) out.nodes[i].newest_at = newest;
  }
}

void add_limits(const historian::Historian& historian, const plant::PlantStore& plant,
                const advise::Profile& profile, const advise::Binding& binding,
                ContextSnapshot& out) {
  const auto tags = historian.tags(binding.line_id);
  const auto product = plant.find_product(profile.line_id, profile.product_id);
  const auto recipe = plant.find_recipe({profile.line_id, profile.product_id, profile.recipe_id});
  for (const advise::MvSetting& m : profile.content.mv) {
    advise::Intersection limit(m.var_id);
    limit.narrow(m.min, m.max, "profile");
    const std::string node = node_of(binding, binding.line_id, m.var_id);
    const auto tag = std::ranges::find_if(tags, [&](const auto& t) { return t.node_id() == node; });
    if (tag != tags.end()) {
      limit.narrow(tag->min, tag->max, "tag");
      if (product && product->limits.contains(tag->name)) {
        const plant::Range& range = product->limits.at(tag->name);
        limit.narrow(range.min, range.max, "product");
      }
      if (recipe) {
        for (const plant::RecipeParam& p : recipe->params) {
          if (p.tag == tag->name) limit.narrow(p.min, p.max, "recipe");
        }
      }
    }
    out.limits.push_back(limit.limit());
  }
}

}  // namespace

AdviceModel advice_model(registry::Registry& registry, const std::filesystem::path& data,
                         const std::string& model_id) {
  AdviceModel out;
  advise::ModelFacts& f = out.facts;
  f.row = registry.model(model_id);
  f.experiment = registry.experiment(f.row.experiment_id).status;
  f.pruned = registry.pruned_at(model_id).has_value();
  if (f.pruned) return out;
  out.bytes = registry.model_file(f.row, "model.json");
  const evaluate::LoadedModel loaded = evaluate::load_model(f.row.artifact_kind, out.bytes);
  f.variables = loaded.variables;
  out.history = std::max<std::int64_t>(1, loaded.history);
  out.history_wanted = loaded.history == 0
                           ? 1
                           : std::min(kMostHistory, std::max<std::int64_t>(120, 4 * out.history));
  const registry::DatasetRow trained_on = registry.dataset(f.row.dataset_id);
  const dataset::Built dataset =
      dataset::load_summary(data / "datasets" / trained_on.id, trained_on.sha256);
  out.spec = dataset.dataset.spec;
  f.lineage_verified = dataset.report.provenance.lineage.complete();
  for (const dataset::Variable& v : out.spec.variables) {
    out.units[v.id] = {v.scale.value_or(1), v.offset.value_or(0)};
    out.unit_names[v.id] = v.unit;
  }
  const Json uq = parse_json(registry.model_file(f.row, "uq.json"), "uq.json");
  f.uq_artifact_hash = uq.value("artifactHash", "");
  if (uq.contains("spread") && uq["spread"].is_object()) {
    f.spread = parse_record<uq::Spread>(uq["spread"], "DATABASE_RECORD");
    if (!std::ranges::equal(f.spread->variables, f.variables, {}, {}, &model::ArtifactVariable::id))
      f.spread.reset();
  }
  if (uq["uq"].is_object()) {
    f.uq = parse_record<uq::Uq>(uq["uq"], "DATABASE_RECORD");
  } else if (uq.contains("reason") && uq["reason"].is_object()) {
    f.uq_reason = uq["reason"].value("text", "");
  } else if (uq.contains("reason") && uq["reason"].is_string()) {
    f.uq_reason = uq["reason"].get<std::string>();
  }
  return out;
}

optimise::HistoryRow at_rest(const AdviceModel& model) {
  optimise::HistoryRow out;
  for (const model::ArtifactVariable& v : model.facts.variables)
    (v.role == "cv" ? out.y : out.u).push_back(v.mean);
  return out;
}

std::vector<std::string> levels_of(const dataset::Spec& spec) {
  std::vector<std::string> out;
  for (const dataset::Variable& v : spec.variables) {
    if (v.integrating) out.push_back(v.id);
  }
  return out;
}

std::optional<plant::Run> active_run(const historian::Historian& historian, const std::string& line,
                                     TimeUs now) {
  std::optional<plant::Run> out;
  for (plant::Run& run : historian.runs({line, "", "", ""})) {
    if (run.started_at <= now && (!out || run.started_at >= out->started_at)) out = std::move(run);
  }
  return out;
}

std::string condition_of(const plant::PlantStore& plant, const std::string& line,
                         const std::string& run) {
  std::string out;
  for (const plant::ContextSegment& s :
       plant.segments({line, run, plant::SegmentStatus::confirmed}))
    out = s.condition_id;
  return out;
}

ContextSnapshot context_of(const historian::Historian& historian, const plant::PlantStore& plant,
                           const AdviceModel& model, const advise::Profile& profile,
                           const advise::Binding& binding, TimeUs now) {
  ContextSnapshot out;
  out.at = now;
  out.line_id = binding.line_id;
  out.beat_ms = model.spec.beat_ms;
  add_limits(historian, plant, profile, binding, out);
  const auto run = active_run(historian, binding.line_id, now);
  if (!run) return out;
  out.run_id = run->id;
  out.product_id = run->product_id;
  out.recipe_id = run->recipe_id;
  out.evidence = run->evidence;
  if (const auto recipe = plant.find_recipe({run->line_id, run->product_id, run->recipe_id})) {
    out.recipe_version = recipe->version;
    out.recipe_content_hash = recipe->content_hash;
  }
  out.condition_id = condition_of(plant, binding.line_id, run->id);
  add_nodes(historian, model, binding, *run, now, out);
  return out;
}

std::vector<optimise::HistoryRow> history_of(const historian::Historian& historian,
                                             const AdviceModel& model,
                                             const advise::Binding& binding,
                                             const std::string& run_id, TimeUs now) {
  const DurationUs beat = dataset::beat_us(model.spec);
  const dataset::Spec spec =
      spec_now(model, binding, now - (model.history_wanted + 10) * beat, now);
  const dataset::AssembledRun made =
      dataset::Assembler(historian, spec).run(run_of(historian, binding.line_id, run_id));
  std::vector<optimise::HistoryRow> out;
  const auto too_short = [&] {
    return Error("ADVICE_HISTORY_SHORT", {{"rows", out.size()}, {"needed", model.history}});
  };
  if (made.dropped) throw too_short();
  const dataset::Series& s = made.series;
  std::vector<Index> inputs, outputs;
  for (const model::ArtifactVariable& v : model.facts.variables) {
    const auto at = std::ranges::find(spec.variables, v.id, &dataset::Variable::id);
    if (at == spec.variables.end()) throw Error("ARTIFACT_INVALID", {{"detail", v.id}});
    (v.role == "cv" ? outputs : inputs).push_back(at - spec.variables.begin());
  }
  Index rows = s.values.rows();
  while (rows > 0 && s.t[static_cast<std::size_t>(rows - 1)] + beat > now) --rows;
  const auto value = [&](Index row, Index column) {
    const double v = s.values(row, column);
    return std::isfinite(v) ? std::optional(v) : std::nullopt;
  };
  for (Index row = rows;
       row-- > 0 && static_cast<std::int64_t>(out.size()) < model.history_wanted;) {
    optimise::HistoryRow line;
    for (const Index c : inputs) line.u.push_back(value(row, c));
    for (const Index c : outputs) line.y.push_back(value(row, c));
    if (std::ranges::any_of(line.u, [](const auto& v) { return !v; })) break;
    out.push_back(std::move(line));
  }
  std::ranges::reverse(out);
  if (static_cast<std::int64_t>(out.size()) < model.history) throw too_short();
  return out;
}

std::map<std::string, std::vector<double>> values_of(const historian::Historian& historian,
                                                     const AdviceModel& model,
                                                     const advise::Binding& binding,
                                                     const std::string& run_id, TimeUs from,
                                                     TimeUs to) {
  const dataset::Spec spec = spec_now(model, binding, from, to);
  const dataset::AssembledRun made =
      dataset::Assembler(historian, spec).run(run_of(historian, binding.line_id, run_id));
  std::map<std::string, std::vector<double>> out;
  for (std::size_t i = 0; i < spec.variables.size(); ++i) {
    std::vector<double>& values = out[spec.variables[i].id];
    if (made.dropped) continue;
    const Matrix& all = made.series.values;
    for (Index row = 0; row < all.rows(); ++row) {
      const TimeUs t = made.series.t[static_cast<std::size_t>(row)];
      if (t >= from && t < to) values.push_back(all(row, static_cast<Index>(i)));
    }
  }
  return out;
}

}  // namespace flyball::app
