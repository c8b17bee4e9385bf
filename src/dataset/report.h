#pragma once
// What the builder saw and did (platform.md §2.4.4). Stands beside the dataset as report.json,
// outside its hash.
#include <map>
#include <string>
#include <vector>

#include "core/words.h"
#include "dataset/clean.h"
#include "dataset/dataset.h"
#include "dataset/lineage.h"
#include "dataset/timing.h"
#include "dataset/transport.h"

namespace flyball::dataset {

/// One column over the runs used, model units; quantiles interpolated linearly.
struct NodeSummary {
  std::string node_id;
  Role role = Role::mv;
  std::int64_t count = 0;
  double mean = 0, std = 0, min = 0, max = 0, p05 = 0, p50 = 0, p95 = 0;
  double missing_ratio = 0, filled_ratio = 0, cleaned_ratio = 0;
  static constexpr auto fields() {
    using N = NodeSummary;
    return FieldList{
        field("nodeId", &N::node_id, "LINE/TAG"),
        field("role", &N::role, "role"),
        field("count", &N::count, "steps with a value"),
        field("mean", &N::mean, "model units"),
        field("std", &N::std, "sample standard deviation (n-1)"),
        field("min", &N::min, "least"),
        field("max", &N::max, "largest"),
        field("p05", &N::p05, "5 % quantile"),
        field("p50", &N::p50, "median"),
        field("p95", &N::p95, "95 % quantile"),
        field("missingRatio", &N::missing_ratio, "share of steps without a value"),
        field("filledRatio", &N::filled_ratio, "share of steps held or interpolated"),
        field("cleanedRatio", &N::cleaned_ratio, "share of samples dropped by cleaning")};
  }
};

struct PartCounts {
  std::int64_t train = 0, val = 0, test = 0;
  static constexpr auto fields() {
    return FieldList{field("train", &PartCounts::train, "train"),
                      field("val", &PartCounts::val, "val"),
                      field("test", &PartCounts::test, "test")};
  }
  [[nodiscard]] std::int64_t& of(Part p) {
    return p == Part::train ? train : p == Part::val ? val : test;
  }
  [[nodiscard]] std::int64_t sum() const { return train + val + test; }
  bool operator==(const PartCounts&) const = default;
};

/// A run on the grid. A hole is a stretch of steps without any sample, longer than maxGapMs.
struct RunShape {
  std::string run_id;
  std::int64_t steps = 0, segments = 0, holes = 0, longest_hole = 0;
  static constexpr auto fields() {
    using R = RunShape;
    return FieldList{field("runId", &R::run_id, "run"),
                      field("steps", &R::steps, "steps of the grid"),
                      field("segments", &R::segments, "stretches between holes"),
                      field("holes", &R::holes, "stretches without any sample, cut out"),
                      field("longestHole", &R::longest_hole, "the longest of them").unit("steps")};
  }
};

/// What the data came from; part of the manifest.
struct Provenance {
  std::string evidence = "unassessed";           ///< of the runs used, when they agree
  std::optional<TimeUs> availability_watermark;  ///< least over the tags of their newest sample
  std::optional<TimeUs> captured_at;             ///< newest sample time of the data used
  std::optional<std::int64_t> recipe_version;
  std::string recipe_content_hash, condition_id;
  Lineage lineage;
  static constexpr auto fields() {
    using P = Provenance;
    return FieldList{
        field("evidenceSource", &P::evidence, "simulation, real or unassessed"),
        field("availabilityWatermarkUs", &P::availability_watermark,
              "every tag has data up to here, a stepped one as far as any")
            .unit("us"),
        field("capturedAtUs", &P::captured_at, "newest sample used").unit("us"),
        field("recipeVersion", &P::recipe_version, "version of the recipe"),
        field("recipeContentHash", &P::recipe_content_hash, "of the recipe, when known"),
        field("conditionId", &P::condition_id, "operating condition"),
        field("runLineage", &P::lineage, "per run")};
  }
};

struct Report {
  std::vector<NodeSummary> node_summaries;
  std::map<std::string, CleanCounts> cleaning;  ///< by node, over all runs used
  std::map<std::string, std::map<std::string, CleanCounts>> run_cleaning;  ///< by run, by node
  std::vector<std::string> runs_used;
  std::vector<DroppedRun> runs_dropped;
  std::vector<RunShape> run_shapes;      ///< of the runs used, in their order
  std::map<std::string, Timing> timing;  ///< by sloped node, of its run with the largest jitter
  std::map<std::string, TransportSummary> transport;  ///< by node, of delayed variables
  std::int64_t row_count = 0;            ///< unique usable time steps of all parts after the purge
  PartCounts rows, windows;
  std::int64_t window_count = 0;              ///< overlapping, no evidence
  std::vector<std::string> constant_columns;  ///< MVs and DVs without variation in train
  std::vector<Words> warnings;
  Provenance provenance;
  static constexpr auto fields() {
    using R = Report;
    return FieldList{
        field("nodeSummaries", &R::node_summaries, "per variable"),
        field("cleaning", &R::cleaning, "by node, over all runs used"),
        field("runCleaning", &R::run_cleaning, "by run, by node"),
        field("runsUsed", &R::runs_used, "runs that gave windows"),
        field("runsDropped", &R::runs_dropped, "runs that gave nothing"),
        field("runShapes", &R::run_shapes, "of the runs used"),
        field("timing", &R::timing, "by sloped node, of its least regular run"),
        field("transport", &R::transport, "by node, of variables that come through a pipe"),
        field("rowCount", &R::row_count, "unique usable time steps after the purge"),
        field("rows", &R::rows, "unique usable time steps per part"),
        field("windows", &R::windows, "overlapping windows per part"),
        field("windowCount", &R::window_count, "overlapping windows"),
        field("constantColumns", &R::constant_columns, "MVs and DVs that do not move in train"),
        field("warnings", &R::warnings, "what a person should look at"),
        field("provenance", &R::provenance, "what the data came from")};
  }
};

}  // namespace flyball::dataset
