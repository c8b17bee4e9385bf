#pragma once
// Requests and responses of the operations, each field declared once.
#include <optional>
#include <string>
#include <vector>

#include "core/record.h"
#include "dataset/steady.h"
#include "historian/import.h"
#include "registry/registry.h"

namespace flyball::app {

enum class Trainer { linear_arx_1, subspace_1, auto_1, polynomial_narx_1, static_response_1 };
constexpr auto enum_names(Trainer) {
  return std::array<std::string_view, 5>{"linear_arx@1", "subspace@1", "auto@1",
                                         "polynomial_narx@1", "static_response@1"};
}

struct StudyRequest : historian::ImportOptions {
  using Extends = historian::ImportOptions;
  std::optional<std::string> file;
  std::optional<std::string> process_spec;
  std::vector<std::string> mv, cv, dv, setpoint, integrating, mode, prior, transport_delay, loop;
  std::optional<DurationUs> beat;
  std::string split = "0.5,0.25,0.25";
  std::optional<std::int64_t> history, horizon;
  Trainer trainer = Trainer::linear_arx_1;
  std::optional<dataset::Points> points;
  std::optional<std::int64_t> steady_steps;
  std::optional<double> steady_tolerance;
  std::int64_t seed = 42;
  bool ignore_marks = false;
  std::optional<std::string> out;
  static constexpr std::string_view kInputFile = "file";
  static constexpr std::string_view kOutputFile = "out";

  static constexpr auto fields() {
    using S = StudyRequest;
    return join(
        FieldList{
            field(
                "file", &S::file,
                "text table; - reads standard input; default: what is stored of the line, product "
                "and recipe")
                .positional(),
            field("processSpec", &S::process_spec,
                  "NAME or NAME@VERSION of a process-model spec of the line: it states variables, "
                  "limits, delays, set-points and priors (docs/process-specs.md)"),
            field("mv", &S::mv, "manipulated variable, by tag name; repeat for more"),
            field("cv", &S::cv, "controlled variable, by tag name; repeat for more"),
            field("dv", &S::dv, "measured disturbance, by tag name; repeat for more"),
            field("setpoint", &S::setpoint,
                  "MV=TAG: TAG is the set-point of the loop that moves MV; it tells cause from "
                  "effect and is no input of the model; repeat for more"),
            field("integrating", &S::integrating,
                  "a CV that is a level (integrates); repeat for more"),
            field("mode", &S::mode,
                  "TAG=AUTO,CAS: samples of TAG count only while its loop (its mode tag) is in one "
                  "of these modes; repeat for more"),
            field("prior", &S::prior,
                  "what is known of a pair: \"MV->CV gain>0\", \"gain=0\", \"gain 0.5..2\", "
                  "\"deadTime 10s..60s\", \"timeConstant<5min\"; repeat for more"),
            field("transportDelay", &S::transport_delay,
                  "MV=FLOWTAG,DELAY,FLOW: MV (or DV) reaches the CVs through a pipe, DELAY late "
                  "(such as 5min) when FLOWTAG is at FLOW, sooner at more flow; FLOWTAG becomes a "
                  "DV when it has no role; repeat for more"),
            field("loop", &S::loop,
                  "MV=CV,KP,TI: a PI controller moves MV by the error of CV, MV = KP (e + 1/TI "
                  "times the integral of e), e = set-point - CV, KP in units of MV per unit of CV, "
                  "TI such as 5min; the model is judged inside that loop as well; repeat for more"),
            field("beat", &S::beat,
                  "length of a model step; default: the period, or the median step of the samples; "
                  "times the number of repeats when every CV and the MVs are held")
                .unit("us"),
            field(
                "split", &S::split,
                "shares of train, val and test; a zero part is legal, the gates that need it fail"),
            field("history", &S::history,
                  "H, rows before the first prediction; default: dead-time range + longest lag")
                .range(1, 2048)
                .unit("steps"),
            field("horizon", &S::horizon,
                  "F, steps predicted; default: 63 % of the slowest answer, 10..60")
                .range(1, 512)
                .unit("steps"),
            field("trainer", &S::trainer,
                  "how the model is identified; auto@1 tries ARX, subspace and refined and "
                  "nonlinear models and "
                  "chooses on folds inside train; static_response@1 learns steady values, not "
                  "motion"),
            field(
                "points", &S::points,
                "static_response@1: what one operating point is the mean of: segments (steady "
                "stretches), runs (batches), rows, or marked (what people marked as steady, or as "
                "a batch); default: marked where there is a mark of a steady stretch, else "
                "segments"),
            field("steadySteps", &S::steady_steps,
                  "static_response@1: rows of the shortest steady segment; default: a fifth of the "
                  "median time between moves, 5..60")
                .range(3, 100'000)
                .unit("steps"),
            field("steadyTolerance", &S::steady_tolerance,
                  "static_response@1: change within a segment, as a share of the range of a tag; "
                  "default 0.02")
                .range(1e-6, 0.5),
            field("seed", &S::seed, "seed of every random choice").range(0, 4294967295.0),
            field("ignoreMarks", &S::ignore_marks,
                  "use also what people marked as bad, and see no batches and steady stretches"),
            field("out", &S::out,
                  "folder for report.html and report.json; default: reports/<dataset id> in the "
                  "data folder")},
        ImportOptions::fields());
  }
};

struct Empty {
  static constexpr auto fields() { return FieldList{}; }
};

struct IdRequest {
  std::string id;
  static constexpr auto fields() {
    return FieldList{field("id", &IdRequest::id, "its id").required().positional()};
  }
};

/// Pages of a list: newest first, an opaque cursor.
struct ListRequest {
  std::int64_t limit = 100;
  std::optional<std::string> cursor;
  static constexpr auto fields() {
    return FieldList{field("limit", &ListRequest::limit, "items a page").range(1, 1000),
                     field("cursor", &ListRequest::cursor, "nextCursor of the page before")};
  }
};

/// Anything that a list or a show returns: the records are those of the rooms.
struct ItemsResponse {
  std::vector<Json> items;
  std::optional<std::string> next_cursor;
  static constexpr auto fields() {
    return FieldList{field("items", &ItemsResponse::items, "records"),
                     field("nextCursor", &ItemsResponse::next_cursor, "absent on the last page")};
  }
};

struct VerifyResponse {
  std::string id;
  bool ok = false;
  std::vector<std::string> problems;
  static constexpr auto fields() {
    return FieldList{field("id", &VerifyResponse::id, "what was verified"),
                     field("ok", &VerifyResponse::ok, "every hash holds"),
                     field("problems", &VerifyResponse::problems, "what does not hold")};
  }
};

/// A proof that fails is exit code 1.
inline int exit_code_of(const VerifyResponse& response) {
  return response.ok ? 0 : 1;
}

struct DatasetResponse {
  registry::DatasetRow dataset;
  Json spec, report;
  std::optional<std::string> process_spec;
  static constexpr auto fields() {
    using D = DatasetResponse;
    return FieldList{field("dataset", &D::dataset, "its row"),
                     field("spec", &D::spec, "the recipe it was built from"),
                     field("report", &D::report, "cleaning, statistics, runs left out"),
                     field("processSpec", &D::process_spec,
                           "NAME@VERSION of the process-model spec it was built by")};
  }
};

/// What a study wrote beside its experiment, for pages that draw it.
struct ReportResponse {
  Json report = Json::object(), pictures = Json::object();
  static constexpr auto fields() {
    using R = ReportResponse;
    return FieldList{
        field("report", &R::report, "docs/reference/report-json.md"),
        field("pictures", &R::pictures, "free runs, inputs, parts, bands: what a page draws")};
  }
};

struct VersionResponse {
  std::string version, compiler;
  static constexpr auto fields() {
    return FieldList{field("version", &VersionResponse::version, "of the product"),
                     field("compiler", &VersionResponse::compiler, "it was built with")};
  }
};

struct ConfigShowRequest {
  std::optional<std::string> key, line;
  static constexpr auto fields() {
    return FieldList{
        field("key", &ConfigShowRequest::key, "one setting; default: all").positional(),
        field("line", &ConfigShowRequest::line, "as it holds for this line")};
  }
};

struct ConfigSetRequest {
  std::string key;
  std::string value;
  std::string reason;
  std::optional<std::string> line;
  static constexpr auto fields() {
    return FieldList{
        field("key", &ConfigSetRequest::key, "setting, such as gates.nrmse")
            .required()
            .positional(),
        field("value", &ConfigSetRequest::value, "new value; \"default\" takes it back")
            .required()
            .positional(),
        field("reason", &ConfigSetRequest::reason,
              "why; needed to loosen a gate, kept in every report")
            .max_length(500),
        field("line", &ConfigSetRequest::line, "only for this line")};
  }
};

struct SettingView {
  std::string key;
  double value = 0;
  std::string unit, source;
  double default_value = 0;
  double min = 0, max = 0;
  std::optional<std::string> reason;
  std::string doc;
  static constexpr auto fields() {
    using S = SettingView;
    return FieldList{field("key", &S::key, "name"),
                     field("value", &S::value, "in force"),
                     field("unit", &S::unit, "unit"),
                     field("source", &S::source, "default, environment, database or line"),
                     field("default", &S::default_value, "without any setting"),
                     field("min", &S::min, "lowest allowed"),
                     field("max", &S::max, "highest allowed"),
                     field("reason", &S::reason, "written when it was set"),
                     field("doc", &S::doc, "what it does")};
  }
};

struct ConfigResponse {
  std::int64_t version = 0;
  std::string data_folder, data_source;
  std::vector<SettingView> settings;
  static constexpr auto fields() {
    using C = ConfigResponse;
    return FieldList{
        field("version", &C::version, "counts every change"),
        field("dataFolder", &C::data_folder, "where everything is kept"),
        field("dataSource", &C::data_source, "flag, environment, working folder or home"),
        field("settings", &C::settings, "each with its source")};
  }
};

struct PredictRequest {
  std::string id;
  std::optional<std::string> file;
  std::map<std::string, std::vector<double>> history, plan;
  std::optional<std::int64_t> steps;
  std::optional<std::string> columns, period;
  std::optional<historian::Delimiter> delimiter;
  std::optional<historian::Decimal> decimal;
  static constexpr std::string_view kInputFile = "file";

  static constexpr auto fields() {
    using P = PredictRequest;
    return FieldList{
        field("id", &P::id, "model").required().positional(),
        field("file", &P::file,
              "table with the model's columns: history rows, then rows whose CVs are empty and "
              "whose MVs are the plan")
            .positional(),
        field("history", &P::history,
              "instead of a file: the newest values of each of the model's tags, oldest first"),
        field("plan", &P::plan, "beside history: what each MV will be; default: as it is now"),
        field("steps", &P::steps, "steps ahead; default: the planned rows, else the horizon")
            .range(1, 512),
        field("columns", &P::columns, "column names for a file without header"),
        field("period", &P::period,
              "time between rows when no column holds the time; default: the model's step"),
        field("delimiter", &P::delimiter, "what stands between cells; default: found"),
        field("decimal", &P::decimal, "decimal mark; default: found")};
  }
};

struct CvForecast {
  std::string cv, unit;
  std::vector<double> values;
  std::optional<std::vector<double>> lower, upper;
  static constexpr auto fields() {
    using C = CvForecast;
    return FieldList{field("cv", &C::cv, "controlled variable"), field("unit", &C::unit, "unit"),
                     field("values", &C::values, "per step"),
                     field("lower", &C::lower, "prediction interval").nullable(),
                     field("upper", &C::upper, "prediction interval").nullable()};
  }
};

struct PredictResponse {
  std::string model_id, artifact_hash;
  double beat_ms = 0;
  std::int64_t steps = 0;
  std::vector<CvForecast> forecast;
  std::optional<double> input_distance;
  std::vector<std::string> warnings;
  std::string interval_note;
  static constexpr auto fields() {
    using P = PredictResponse;
    return FieldList{
        field("modelId", &P::model_id, "model"),
        field("artifactHash", &P::artifact_hash, "of the model used"),
        field("beatMs", &P::beat_ms, "length of a step").unit("ms"),
        field("steps", &P::steps, "steps ahead"),
        field("forecast", &P::forecast, "per CV"),
        field("inputDistance", &P::input_distance,
              "largest distance from the train mean in standard deviations, history, plan and "
              "forecast; null: cannot tell")
            .nullable(),
        field("warnings", &P::warnings, "what leaves the data the model was trained on"),
        field("intervalNote", &P::interval_note, "what the interval is, or why there is none")};
  }
};

}  // namespace flyball::app
