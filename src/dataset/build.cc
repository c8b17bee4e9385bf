#include "dataset/build.h"

#include <algorithm>

#include "core/checks.h"
#include "dataset/assemble.h"
#include "dataset/normalise.h"
#include "dataset/split.h"
#include "dataset/summary.h"

namespace flyball::dataset {
namespace {

void check_nodes(const historian::Historian& historian, const Spec& spec) {
  const auto nodes = historian.nodes(spec.line_id);
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < spec.variables.size(); ++i) {
    const std::string& node = spec.variables[i].node_id;
    if (std::ranges::find(nodes, node) == nodes.end()) {
      std::vector<std::string_view> known(nodes.begin(), nodes.end());
      problems.push_back(
          {"/variables/" + std::to_string(i) + "/nodeId",
           {"NODE_UNKNOWN", {{"node", node}, {"suggestion", nearest(node, known)}}}});
    }
  }
  if (!problems.empty()) throw Error::of("NODE_MISSING", std::move(problems));
}

void drop(Report& report, const std::string& run, const Message& why) {
  report.runs_dropped.push_back({run, why.code, why.text()});
}

/// The runs of the recipe that the spec asks for, by start; a run still open is left out unless it
/// is named.
std::vector<plant::Run> runs_asked_for(const historian::Historian& historian, const Spec& spec,
                                       Report& report) {
  auto runs = historian.runs({spec.line_id, spec.product_id, spec.recipe_id, {}});
  if (spec.run_ids.empty()) {
    std::erase_if(runs, [&](const plant::Run& run) {
      if (!run.ended_at) drop(report, run.id, {"RUN_OPEN", {}});
      return !run.ended_at.has_value();
    });
  } else {
    for (std::size_t i = 0; i < spec.run_ids.size(); ++i) {
      const std::string& id = spec.run_ids[i];
      if (std::ranges::find(runs, id, &plant::Run::id) != runs.end()) continue;
      const std::string at = "/runIds/" + std::to_string(i);
      const auto elsewhere = historian.runs({spec.line_id, {}, {}, id});
      if (elsewhere.empty()) throw Error("RUN_MISSING", {{"run", id}, {"line", spec.line_id}}, at);
      throw Error("RUN_MISMATCH",
                  {{"run", id},
                   {"line", spec.line_id},
                   {"product", elsewhere.front().product_id},
                   {"recipe", elsewhere.front().recipe_id}},
                  at);
    }
    std::erase_if(runs, [&](const plant::Run& run) {
      return std::ranges::find(spec.run_ids, run.id) == spec.run_ids.end();
    });
  }
  if (runs.empty()) {
    throw Error("NO_RUNS",
                {{"line", spec.line_id}, {"product", spec.product_id}, {"recipe", spec.recipe_id}});
  }
  return runs;
}

/// Assembles each run; those that give something go into the dataset.
class Collector {
 public:
  Collector(const historian::Historian& historian, Built& built)
      : historian_(historian), built_(built) {}

  void add(const plant::Run& run) {
    const Spec& spec = built_.dataset.spec;
    Report& report = built_.report;
    AssembledRun got = assemble_run(historian_, spec, run);
    for (std::size_t c = 0; c < got.counts.size(); ++c) {
      const std::string& node = spec.variables[c].node_id;
      report.run_cleaning[run.id][node] = got.counts[c];
      if (!got.dropped) report.cleaning[node] += got.counts[c];
    }
    if (got.dropped) {
      drop(report, run.id, *got.dropped);
      return;
    }
    const std::string evidence(enum_name(run.evidence));
    Provenance& p = report.provenance;
    p.evidence = report.runs_used.empty() || p.evidence == evidence ? evidence : "unassessed";
    p.captured_at = std::max(p.captured_at.value_or(got.newest), got.newest);
    p.availability_watermark =
        std::max(p.availability_watermark.value_or(got.complete_to), got.complete_to);
    report.runs_used.push_back(run.id);
    built_.dataset.runs.push_back(std::move(got.series));
  }

 private:
  const historian::Historian& historian_;
  Built& built_;
};

[[noreturn]] void refuse_all(const Report& report) {
  std::vector<Problem> problems;
  for (const DroppedRun& run : report.runs_dropped) {
    problems.push_back({"", {"RUN_DROPPED", {{"run", run.run_id}, {"reason", run.reason}}}});
  }
  throw Error::of("NO_USABLE_RUNS", std::move(problems));
}

void count_parts(Built& built) {
  Report& report = built.report;
  for (const Block& b : built.dataset.blocks) {
    report.rows.of(b.split) += b.unique_steps;
    report.windows.of(b.split) +=
        count_windows(built.dataset.run(b.run_id), built.dataset.spec, b.first_step, b.steps);
  }
  report.row_count = report.rows.sum();
  report.window_count = report.windows.sum();
}

void check_constant(Built& built) {
  const Dataset& d = built.dataset;
  std::size_t moving_mvs = 0;
  const auto constant = d.constant_columns();
  for (std::size_t c = 0; c < d.spec.variables.size(); ++c) {
    const Variable& v = d.spec.variables[c];
    const bool is_still = std::ranges::find(constant, static_cast<Index>(c)) != constant.end();
    if (!is_still) {
      moving_mvs += v.role == Role::mv ? 1 : 0;
    } else if (v.role == Role::cv) {
      throw Error("VARIABLE_CONSTANT", {{"variable", v.id}, {"value", d.norm.max[c], v.model_unit}},
                  "/variables/" + std::to_string(c));
    } else {
      built.report.constant_columns.push_back(v.id);
    }
  }
  if (moving_mvs == 0)
    throw Error("MVS_CONSTANT", {{"count", d.columns(Role::mv).size()}}, "/variables");
}

}  // namespace

Built build(const historian::Historian& historian, const Spec& spec, const ProgressFn& progress,
            std::stop_token stop) {
  validate(spec);
  check_nodes(historian, spec);
  Built built;
  built.dataset.spec = spec;
  const auto runs = runs_asked_for(historian, spec, built.report);
  Collector collector(historian, built);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    check_stop(stop);
    if (progress)
      progress({"dataset", static_cast<double>(i) / static_cast<double>(runs.size()), runs[i].id});
    collector.add(runs[i]);
  }
  if (built.dataset.runs.empty()) refuse_all(built.report);
  check_stop(stop);
  built.dataset.blocks = split_blocks(built.dataset.runs, spec);
  if (built.dataset.part(Part::train).empty()) throw Error("TRAIN_EMPTY");
  built.dataset.norm = normalise(built.dataset);
  count_parts(built);
  check_constant(built);
  built.report.node_summaries = summarise(built.dataset, built.report);
  built.report.warnings = find_warnings(built.dataset, built.report);
  if (progress) progress({"dataset", 1, ""});
  return built;
}

}  // namespace flyball::dataset
