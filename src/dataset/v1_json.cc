#include "dataset/v1_json.h"

#include <algorithm>

#include "dataset/js_writer.h"

namespace flyball::dataset {
namespace {

const char* role_name(Role role) {
  return role == Role::mv ? "control" : role == Role::cv ? "target" : "feature";
}

void write_spec(JsWriter& w, const Spec& spec) {
  w.open('{').entry("lineId", spec.line_id).entry("productId", spec.product_id);
  w.entry("recipeId", spec.recipe_id).list("runIds", spec.run_ids);
  w.key("nodes").open('[');
  for (const Variable& v : spec.variables)
    w.open('{').entry("nodeId", v.node_id).entry("role", role_name(v.role)).close();
  w.close();
  if (spec.from_us) w.entry("fromMs", *spec.from_us / 1000);
  if (spec.to_us) w.entry("toMs", *spec.to_us / 1000);
  w.entry("beatMs", spec.beat_ms);
  w.key("window").open('{').entry("historySteps", spec.window.history_steps);
  w.entry("horizonSteps", spec.window.horizon_steps).close();
  w.key("cleaning").open('{').entry("hampelK", spec.cleaning.hampel_k);
  w.entry("maxInterpMs", spec.cleaning.max_interp_ms.value_or(3 * spec.beat_ms));
  w.entry("maxDropRatio", spec.cleaning.max_drop_ratio).close();
  w.key("split").open('{').entry("valRatio", spec.split.val_ratio);
  w.entry("testRatio", spec.split.test_ratio).entry("seed", spec.split.seed).close();
  w.entry("purpose", enum_name(spec.purpose)).entry("note", spec.note).close();
}

void write_nodes(JsWriter& w, const char* name, const Spec& spec, std::optional<Role> role) {
  w.key(name).open('[');
  for (const Variable& v : spec.variables) {
    if (!role || v.role == *role) w.value(v.node_id);
  }
  w.close();
}

void write_shapes(JsWriter& w, const V1Dataset& d) {
  const auto count = [&](Role role) {
    return std::ranges::count(d.spec.variables, role, &Variable::role);
  };
  const auto n = v1_windows(d, Part::train) + v1_windows(d, Part::val) + v1_windows(d, Part::test);
  const std::int64_t history = d.spec.window.history_steps, horizon = d.spec.window.horizon_steps;
  const std::int64_t all = std::ssize(d.spec.variables);
  w.key("shapes").open('{');
  w.list("x", std::array{n, history, all});
  w.list("u", std::array{n, horizon, std::max<std::int64_t>(1, count(Role::mv))});
  w.list("y", std::array{n, horizon, std::int64_t{count(Role::cv)}}).close();
}

void write_split(JsWriter& w, const V1Dataset& d) {
  w.key("split").open('{');
  for (const Part part : {Part::train, Part::val, Part::test})
    w.entry(enum_name(part), v1_windows(d, part));
  for (const Part part : {Part::train, Part::val, Part::test}) {
    w.key(std::string(enum_name(part)) + "RunIds").open('[');
    for (const V1Run& run : d.runs) {
      if (run.part == part) w.value(run.run_id);
    }
    w.close();
  }
  w.key("blocks").open('[');
  for (const V1Run& run : d.runs) {
    w.open('{').entry("blockId", run.run_id + "#0").entry("runId", run.run_id);
    w.entry("split", enum_name(run.part)).entry("purgeBeforeSteps", 0);
    w.entry("purgeAfterSteps", 0).entry("uniqueSteps", run.windows.size()).close();
  }
  w.close().close();
}

void write_norm(JsWriter& w, const char* name, const V1Norm& norm) {
  w.key(name).open('{').list("mean", norm.mean).list("std", norm.std).close();
}

}  // namespace

std::int64_t v1_windows(const V1Dataset& dataset, Part part) {
  std::int64_t n = 0;
  for (const V1Run& run : dataset.runs) n += run.part == part ? std::ssize(run.windows) : 0;
  return n;
}

std::string v1_spec_text(const Spec& spec) {
  JsWriter w;
  write_spec(w, spec);
  return w.text();
}

std::string v1_manifest_text(const V1Dataset& d) {
  JsWriter w;
  w.open('{').entry("version", 1).key("spec");
  write_spec(w, d.spec);
  write_nodes(w, "allNodes", d.spec, {});
  write_nodes(w, "controlNodes", d.spec, Role::mv);
  write_nodes(w, "targetNodes", d.spec, Role::cv);
  write_nodes(w, "featureNodes", d.spec, Role::dv);
  write_shapes(w, d);
  write_split(w, d);
  w.key("norm").open('{');
  write_norm(w, "x", d.x);
  write_norm(w, "u", d.u);
  write_norm(w, "y", d.y);
  w.close().entry("beatMs", d.spec.beat_ms).close();
  return w.text();
}

}  // namespace flyball::dataset
