#pragma once
// Requests and responses of the operations on datasets and entities.
#include "core/record.h"
#include "core/time.h"
#include "dataset/diff.h"
#include "dataset/verify.h"
#include "survey/survey.h"

namespace flyball::app {

enum class DatasetFormat { series, windows, v1 };
constexpr auto enum_names(DatasetFormat) {
  return std::array<std::string_view, 3>{"series", "windows", "v1"};
}

struct DatasetBuildRequest {
  std::optional<std::string> spec, process_spec;
  std::string line = "default", product = "default", recipe = "default";
  std::vector<std::string> run, mv, cv, dv, integrating, mode;
  std::optional<TimeUs> from, to;
  std::optional<DurationUs> beat;
  std::int64_t history = 30, horizon = 60;
  std::string split = "0.5,0.25,0.25";
  std::int64_t seed = 42;
  std::int64_t hampel_k = 5;
  double max_drop_ratio = 0.3;
  DatasetFormat format = DatasetFormat::series;
  bool ignore_marks = false, dry_run = false;
  std::string note;
  static constexpr std::string_view kInputFile = "spec";

  static constexpr auto fields() {
    using D = DatasetBuildRequest;
    return FieldList{
        field("spec", &D::spec,
              "file with a spec (JSON, docs/formats/dataset.md); then only --format, --dry-run and "
              "--note may be given")
            .positional(),
        field("processSpec", &D::process_spec,
              "NAME or NAME@VERSION of a process-model spec of the line: it states variables, "
              "limits and delays (docs/process-specs.md)"),
        field("line", &D::line, "line the tags belong to"),
        field("product", &D::product, "product that was made"),
        field("recipe", &D::recipe, "recipe that was run"),
        field("run", &D::run,
              "run to use; repeat for more; default: all finished runs of the recipe"),
        field("mv", &D::mv, "manipulated variable, by tag name; repeat for more"),
        field("cv", &D::cv, "controlled variable, by tag name; repeat for more"),
        field("dv", &D::dv, "measured disturbance, by tag name; repeat for more"),
        field("integrating", &D::integrating, "a CV that is a level; repeat for more"),
        field("mode", &D::mode,
              "TAG=AUTO,CAS: samples of TAG count only while its loop (its mode tag) is in one of "
              "these modes; repeat for more"),
        field("from", &D::from, "first time used").unit("us"),
        field("to", &D::to, "first time not used").unit("us"),
        field("beat", &D::beat, "length of a step; default: the median step of the samples")
            .unit("us"),
        field("history", &D::history, "H, rows before the first prediction")
            .range(1, 2048)
            .unit("steps"),
        field("horizon", &D::horizon, "F, steps predicted").range(1, 512).unit("steps"),
        field("split", &D::split, "shares of train, val and test"),
        field("seed", &D::seed, "seed of the shuffle of runs").range(0, 4294967295.0),
        field("hampelK", &D::hampel_k, "radius of the spike window; 0 is off")
            .range(0, 100)
            .unit("samples"),
        field("maxDropRatio", &D::max_drop_ratio,
              "a run with a larger share of missing cells is dropped")
            .range(0, 1),
        field("format", &D::format,
              "series: what built-in trainers read; windows: arrays for users' code; v1: as the "
              "reference system wrote them, never eligible for optimisation"),
        field("ignoreMarks", &D::ignore_marks,
              "use also what people marked as bad, and see no batches and steady stretches"),
        field("dryRun", &D::dry_run, "build and count, store nothing"),
        field("note", &D::note, "free text").max_length(2000)};
  }
};

struct DatasetBuildResponse {
  std::string id, sha256, folder;
  bool existed = false, stored = false, legacy = false;
  std::int64_t row_count = 0, window_count = 0;
  Json spec, report;
  static constexpr auto fields() {
    using D = DatasetBuildResponse;
    return FieldList{field("id", &D::id, "ds-..."),
                     field("sha256", &D::sha256, "over every file"),
                     field("folder", &D::folder, "where it is"),
                     field("existed", &D::existed, "the same dataset was there already"),
                     field("stored", &D::stored, "false: a dry run"),
                     field("legacy", &D::legacy, "format v1: never eligible for optimisation"),
                     field("rowCount", &D::row_count, "unique usable time steps"),
                     field("windowCount", &D::window_count, "overlapping windows, no evidence"),
                     field("spec", &D::spec, "the recipe it was built from"),
                     field("report", &D::report, "cleaning, runs used and dropped, warnings")};
  }
};

struct DatasetVerifyRequest {
  std::string id;
  std::optional<std::string> sha256;
  static constexpr auto fields() {
    using D = DatasetVerifyRequest;
    return FieldList{
        field("id", &D::id, "its id, or a folder of any dataset, also of the reference system")
            .required()
            .positional(),
        field("sha256", &D::sha256, "of a folder: the digest that it must have")};
  }
};

struct DatasetVerifyResponse {
  std::string id;
  bool ok = false;
  std::vector<std::string> problems;
  std::optional<dataset::Verified> found;
  static constexpr auto fields() {
    using D = DatasetVerifyResponse;
    return FieldList{field("id", &D::id, "what was verified"),
                     field("ok", &D::ok, "every file is as the hash says"),
                     field("problems", &D::problems, "what does not hold"),
                     field("found", &D::found, "form, sha256, files")};
  }
};

/// A proof that fails is exit code 1.
inline int exit_code_of(const DatasetVerifyResponse& response) {
  return response.ok ? 0 : 1;
}

struct DatasetStatsResponse {
  std::string id;
  dataset::Report report;
  std::optional<survey::DatasetSurvey> survey;
  static constexpr auto fields() {
    using D = DatasetStatsResponse;
    return FieldList{field("id", &D::id, "dataset"),
                     field("report", &D::report, "summaries, cleaning, runs, timing"),
                     field("survey", &D::survey,
                           "correlations, dead times, excitation, feedback, proposals; absent for "
                           "format v1")};
  }
};

struct TagSurveyRequest {
  std::string line;
  std::optional<std::string> product, recipe, run;
  std::vector<std::string> tag;
  std::optional<TimeUs> from, to;
  static constexpr auto fields() {
    using T = TagSurveyRequest;
    return FieldList{field("line", &T::line, "line of the tags").required(),
                     field("product", &T::product, "only runs that made it"),
                     field("recipe", &T::recipe, "only runs of it"),
                     field("run", &T::run, "only this run"),
                     field("tag", &T::tag, "tag to look at; repeat for more; default: all"),
                     field("from", &T::from, "first time looked at").unit("us"),
                     field("to", &T::to, "first time not looked at").unit("us")};
  }
};

struct DatasetDiffRequest {
  std::string a, b;
  static constexpr auto fields() {
    using D = DatasetDiffRequest;
    return FieldList{field("a", &D::a, "dataset").required().positional(),
                     field("b", &D::b, "the one it is compared with").required().positional()};
  }
};

struct DeleteRequest {
  std::string id;
  bool dry_run = false;
  static constexpr auto fields() {
    using D = DeleteRequest;
    return FieldList{field("id", &D::id, "its id").required().positional(),
                     field("dryRun", &D::dry_run, "say what would be deleted")};
  }
};

struct DeleteResponse {
  std::vector<std::string> deleted;
  bool dry_run = false;
  static constexpr auto fields() {
    using D = DeleteResponse;
    return FieldList{field("deleted", &D::deleted, "what is gone, or would be"),
                     field("dryRun", &D::dry_run, "nothing was deleted")};
  }
};

struct PruneRequest {
  bool dry_run = false;
  static constexpr auto fields() {
    return FieldList{field("dryRun", &PruneRequest::dry_run, "say what would be deleted")};
  }
};

}  // namespace flyball::app
