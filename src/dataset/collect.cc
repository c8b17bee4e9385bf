#include "dataset/collect.h"

#include <algorithm>

#include "core/checks.h"
#include "dataset/normalise.h"
#include "dataset/split.h"
#include "dataset/summary.h"

namespace flyball::dataset {
namespace {

void drop(Report& report, const std::string& run, const Message& why) {
  report.runs_dropped.push_back({run, why.code, why.text()});
}

/// Adds what one run brings to the report.
class Account {
 public:
  Account(const Spec& spec, const LineageInput& lineage, Report& report)
      : spec_(spec), lineage_(lineage), report_(report), newest_(spec.variables.size(), kNone) {
    report.provenance.recipe_version = lineage.recipe_version;
    report.provenance.recipe_content_hash = lineage.recipe_content_hash;
    report.provenance.condition_id = lineage.condition_id;
  }

  /// False when the run gives nothing.
  bool add(const plant::Run& run, const AssembledRun& got) {
    for (std::size_t c = 0; c < got.counts.size(); ++c)
      report_.run_cleaning[run.id][spec_.variables[c].node_id] = got.counts[c];
    if (got.dropped) {
      drop(report_, run.id, *got.dropped);
      return false;
    }
    if (!lineage_allows(run.id, got.used)) return false;
    for (std::size_t c = 0; c < got.counts.size(); ++c) {
      const Variable& v = spec_.variables[c];
      report_.cleaning[v.node_id] += got.counts[c];
      newest_[c] = std::max(newest_[c], got.newest[c]);
      if (!v.stepped) keep_worst(v.node_id, run.id, got.timing[c]);
    }
    for (const auto& [column, delayed] : got.transport)
      report_.transport[spec_.variables[static_cast<std::size_t>(column)].node_id].add(delayed);
    const std::string evidence(enum_name(run.evidence));
    Provenance& p = report_.provenance;
    p.evidence = report_.runs_used.empty() || p.evidence == evidence ? evidence : "unassessed";
    report_.runs_used.push_back(run.id);
    return true;
  }

  /// Times up to which the tags have data; a stepped one counts as current.
  void close() {
    const TimeUs newest = *std::ranges::max_element(newest_);
    TimeUs complete = newest;
    for (std::size_t c = 0; c < newest_.size(); ++c) {
      if (!spec_.variables[c].stepped) complete = std::min(complete, newest_[c]);
    }
    for (const auto& [node, s] : report_.transport) {
      const double beat = spec_.beat_ms / 1000;
      report_.warnings.push_back(words({"TRANSPORT_APPLIED",
                                        {{"tag", node},
                                         {"flow", s.flow},
                                         {"least", s.least * beat, "s"},
                                         {"mean", s.mean * beat, "s"},
                                         {"most", s.most * beat, "s"},
                                         {"unknown", s.unknown}}}));
    }
    report_.provenance.captured_at = newest;
    report_.provenance.availability_watermark = complete;
  }

 private:
  static constexpr TimeUs kNone = INT64_MIN;

  bool lineage_allows(const std::string& run, Interval used) {
    const LineageVerdict verdict = classify_run(lineage_, run, used);
    Lineage& lineage = report_.provenance.lineage;
    switch (verdict.kind) {
      case LineageClass::verified:
        lineage.verified.push_back(run);
        return true;
      case LineageClass::unknown:
        lineage.unknown.push_back(run);
        return true;
      case LineageClass::excluded:
        break;
    }
    drop(report_, run, *verdict.reason);
    lineage.excluded.push_back(report_.runs_dropped.back());
    return false;
  }

  void keep_worst(const std::string& node, const std::string& run, Timing timing) {
    timing.run_id = run;
    const auto [it, is_new] = report_.timing.try_emplace(node, timing);
    if (!is_new && timing.jitter > it->second.jitter) it->second = timing;
  }

  const Spec& spec_;
  const LineageInput& lineage_;
  Report& report_;
  std::vector<TimeUs> newest_;  ///< per variable
};

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

void refuse_all(const Report& report) {
  std::vector<Problem> problems;
  for (const DroppedRun& run : report.runs_dropped) {
    problems.push_back({"", {"RUN_DROPPED", {{"run", run.run_id}, {"reason", run.reason}}}});
  }
  throw Error::of("NO_USABLE_RUNS", std::move(problems));
}

void check_nodes(const historian::Historian& historian, const Spec& spec) {
  const auto nodes = historian.nodes(spec.line_id);
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < spec.variables.size(); ++i) {
    const std::string& node = spec.variables[i].node_id;
    if (std::ranges::find(nodes, node) == nodes.end()) {
      std::vector<std::string_view> known(nodes.begin(), nodes.end());
      problems.push_back(
          {"/variables/" + std::to_string(i) + "/nodeId",
           {"NODE_UNKNOWN",
            {{"node", node}, {"suggestion", record_detail::suggestion(node, known)}}}});
    }
  }
  if (!problems.empty()) throw Error::of("NODE_MISSING", std::move(problems));
}

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

void collect(const historian::Historian& historian, const LineageInput& lineage, Built& built,
             const std::function<void(Series&&)>& keep, const ProgressFn& progress,
             const std::stop_token& stop) {
  const Spec& spec = built.dataset.spec;
  const auto runs = runs_asked_for(historian, spec, built.report);
  const Assembler assembler(historian, spec);
  Account account(spec, lineage, built.report);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    check_stop(stop);
    if (progress)
      progress({"dataset", static_cast<double>(i) / static_cast<double>(runs.size()), runs[i].id});
    AssembledRun got = assembler.run(runs[i]);
    if (account.add(runs[i], got)) keep(std::move(got.series));
  }
  if (built.report.runs_used.empty()) refuse_all(built.report);
  account.close();
  check_stop(stop);
}

void finish(Built& built, const RunSource& runs, const std::stop_token& stop, Still still) {
  Dataset& d = built.dataset;
  Report& report = built.report;
  Splitting split = split_blocks(runs, d.spec);
  d.blocks = std::move(split.blocks);
  report.run_shapes = std::move(split.shapes);
  report.windows = split.windows;
  report.window_count = report.windows.sum();
  for (const Block& b : d.blocks) report.rows.of(b.split) += b.unique_steps;
  report.row_count = report.rows.sum();
  if (d.part(Part::train).empty()) throw Error("TRAIN_EMPTY");
  check_stop(stop);
  d.norm = normalise(d.spec, d.blocks, runs);
  if (still == Still::refused) check_constant(built);
  check_stop(stop);
  summarise(d.spec, d.norm, runs, report);
}

}  // namespace flyball::dataset
