#pragma once
// What the builder saw and did (platform.md §2.4.4). Stands beside the dataset as report.json,
// outside its hash.
#include <map>
#include <string>
#include <vector>

#include "core/words.h"
#include "dataset/clean.h"
#include "dataset/dataset.h"

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
    return std::tuple{
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

struct DroppedRun {
  std::string run_id, code, reason;
  static constexpr auto fields() {
    return std::tuple{field("runId", &DroppedRun::run_id, "run"),
                      field("code", &DroppedRun::code, "stable code of the reason"),
                      field("reason", &DroppedRun::reason, "why it gave nothing")};
  }
};

struct PartCounts {
  std::int64_t train = 0, val = 0, test = 0;
  static constexpr auto fields() {
    return std::tuple{field("train", &PartCounts::train, "train"),
                      field("val", &PartCounts::val, "val"),
                      field("test", &PartCounts::test, "test")};
  }
  [[nodiscard]] std::int64_t& of(Part p) {
    return p == Part::train ? train : p == Part::val ? val : test;
  }
  [[nodiscard]] std::int64_t sum() const { return train + val + test; }
  bool operator==(const PartCounts&) const = default;
};

/// What the data came from; part of the manifest.
struct Provenance {
  std::string evidence = "unassessed";           ///< of the runs used, when they agree
  std::optional<TimeUs> availability_watermark;  ///< least over the tags of their newest sample
  std::optional<TimeUs> captured_at;             ///< newest sample time of the data used
  static constexpr auto fields() {
    return std::tuple{
        field("evidenceSource", &Provenance::evidence, "simulation, real or unassessed"),
        field("availabilityWatermarkUs", &Provenance::availability_watermark,
              "every tag has data up to here")
            .unit("us"),
        field("capturedAtUs", &Provenance::captured_at, "newest sample used").unit("us")};
  }
};

struct Report {
  std::vector<NodeSummary> node_summaries;
  std::map<std::string, CleanCounts> cleaning;  ///< by node, over all runs used
  std::map<std::string, std::map<std::string, CleanCounts>> run_cleaning;  ///< by run, by node
  std::vector<std::string> runs_used;
  std::vector<DroppedRun> runs_dropped;
  std::int64_t row_count = 0;  ///< unique usable time steps of all parts after the purge
  PartCounts rows, windows;
  std::int64_t window_count = 0;              ///< overlapping, no evidence
  std::vector<std::string> constant_columns;  ///< MVs and DVs without variation in train
  std::vector<Words> warnings;
  Provenance provenance;
  static constexpr auto fields() {
    using R = Report;
    return std::tuple{
        field("nodeSummaries", &R::node_summaries, "per variable"),
        field("cleaning", &R::cleaning, "by node, over all runs used"),
        field("runCleaning", &R::run_cleaning, "by run, by node"),
        field("runsUsed", &R::runs_used, "runs that gave windows"),
        field("runsDropped", &R::runs_dropped, "runs that gave nothing"),
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
