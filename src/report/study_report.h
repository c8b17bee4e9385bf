#pragma once
// report.json of `flyball study`: what scripts rely on. What does not exist is null.
#include <optional>
#include <string>
#include <vector>

#include "core/record.h"
#include "core/words.h"
#include "evaluate/free_run.h"
#include "gates/gates.h"

namespace flyball::report {

struct TagSummary {
  std::string tag, unit;
  std::int64_t good = 0, uncertain = 0, bad = 0, missing = 0;
  std::optional<double> min, max;
  static constexpr auto fields() {
    return FieldList{field("tag", &TagSummary::tag, "short name"), field("unit", &TagSummary::unit, "unit; empty when unknown"),
                      field("good", &TagSummary::good, "samples"), field("uncertain", &TagSummary::uncertain, "samples"),
                      field("bad", &TagSummary::bad, "cells that held no number"), field("missing", &TagSummary::missing, "empty cells"),
                      field("min", &TagSummary::min, "of the good samples").nullable(), field("max", &TagSummary::max, "of the good samples").nullable()};
  }
};

struct ImportSummary {
  std::int64_t rows_in = 0, stored = 0, rejected = 0, merged = 0;
  std::vector<TagSummary> tags;
  static constexpr auto fields() {
    return FieldList{field("rowsIn", &ImportSummary::rows_in, "data rows, no header, no units row"),
                      field("stored", &ImportSummary::stored, "rows kept; a row with a bad cell is kept"),
                      field("rejected", &ImportSummary::rejected, "rows that could not be read"),
                      field("merged", &ImportSummary::merged, "rows that repeat a time"),
                      field("tags", &ImportSummary::tags, "per tag")};
  }
};

struct RunDropped {
  std::string run, reason;
  static constexpr auto fields() {
    return FieldList{field("run", &RunDropped::run, "run"), field("reason", &RunDropped::reason, "why")};
  }
};

struct DatasetSummary {
  std::string id, sha256;
  std::int64_t row_count = 0;
  std::vector<std::string> runs_used;
  std::vector<RunDropped> runs_dropped;
  static constexpr auto fields() {
    return FieldList{field("id", &DatasetSummary::id, "ds-…"), field("sha256", &DatasetSummary::sha256, "over every file"),
                      field("rowCount", &DatasetSummary::row_count, "unique usable time steps after the purge").unit("steps"),
                      field("runsUsed", &DatasetSummary::runs_used, "runs that gave steps"),
                      field("runsDropped", &DatasetSummary::runs_dropped, "runs that gave none, and why")};
  }
};

struct DeadTime {
  std::string mv, cv;  ///< mv: the input, an MV or a DV
  std::optional<std::int64_t> steps, low, high;
  std::string note;
  static constexpr auto fields() {
    return FieldList{field("mv", &DeadTime::mv, "input, MV or DV"), field("cv", &DeadTime::cv, "controlled variable"),
                      field("steps", &DeadTime::steps, "first lag at which the CV answers; null: no answer found").unit("steps").nullable(),
                      field("low", &DeadTime::low, "95 % range").unit("steps").nullable(), field("high", &DeadTime::high, "95 % range").unit("steps").nullable(),
                      field("note", &DeadTime::note, "feed-through, edge of the range, not found")};
  }
};

struct ModelSummary {
  std::optional<std::string> id;  ///< absent when the gates refused it
  std::string artifact_kind, artifact_hash;
  static constexpr auto fields() {
    return FieldList{field("id", &ModelSummary::id, "registered model; null when refused").nullable(),
                      field("artifactKind", &ModelSummary::artifact_kind, "kind"),
                      field("artifactHash", &ModelSummary::artifact_hash, "sha256 of the canonical model.json without itself")};
  }
};

struct StudyReport {
  std::int64_t schema_version = 1;
  std::optional<ImportSummary> import;
  std::optional<DatasetSummary> dataset;
  std::vector<DeadTime> dead_times;
  std::optional<ModelSummary> model;
  std::vector<evaluate::FreeRunFit> free_run_fit;
  std::optional<gates::GateReport> gates;
  Json uq;  ///< null: none, see uq_reason
  std::optional<std::string> uq_reason;
  std::string verdict = "refused";
  std::vector<Words> next_steps;
  std::vector<Words> notes;  ///< what was guessed, left out or noticed
  Json identification;          ///< orders, H, F, scores, excitation, step responses; null: none
  Json evaluation;              ///< errors per CV, run and horizon step, residual tests; null: none
  Json cleaning;                ///< counts per rule, run and tag; null: none
  Json provenance;              ///< file, options, versions, times: not part of any hash
  static constexpr auto fields() {
    return FieldList{field("schemaVersion", &StudyReport::schema_version, "version of this record"),
                      field("import", &StudyReport::import, "accounting of every row").nullable(),
                      field("dataset", &StudyReport::dataset, "what was learnt from").nullable(),
                      field("deadTimes", &StudyReport::dead_times, "per input and CV"),
                      field("model", &StudyReport::model, "what was found").nullable(),
                      field("freeRunFit", &StudyReport::free_run_fit, "per CV and block"),
                      field("gates", &StudyReport::gates, "verdict in detail").nullable(),
                      field("uq", &StudyReport::uq, "uncertainty evidence; null: none"),
                      field("uqReason", &StudyReport::uq_reason, "why there is none").nullable(),
                      field("verdict", &StudyReport::verdict, "pass or refused"),
                      field("nextSteps", &StudyReport::next_steps, "what to do"),
                      field("notes", &StudyReport::notes, "what was guessed, left out or noticed"),
                      field("identification", &StudyReport::identification, "how the model was chosen"),
                      field("evaluation", &StudyReport::evaluation, "how it was judged"),
                      field("cleaning", &StudyReport::cleaning, "what cleaning dropped"),
                      field("provenance", &StudyReport::provenance, "how it was made")};
  }
};

/// Exit code 6 when the gates refuse.
inline int exit_code_of(const StudyReport& report) { return report.verdict == "pass" ? 0 : 6; }

}  // namespace flyball::report
