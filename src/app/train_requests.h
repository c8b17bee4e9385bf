#pragma once
// Training on a stored dataset: what is asked, what the child process is ordered, what it answers.
#include "app/requests.h"
#include "gates/thresholds.h"
#include "jobs/queue.h"

namespace flyball::app {

struct TrainRequest {
  std::string dataset;
  Trainer trainer = Trainer::auto_1;
  std::vector<std::string> setpoint, prior;
  std::optional<dataset::Points> points;
  std::optional<std::int64_t> steady_steps;
  std::optional<double> steady_tolerance;
  std::int64_t seed = 42;
  std::string note;
  static constexpr auto fields() {
    using T = TrainRequest;
    return FieldList{
        field("dataset", &T::dataset, "dataset to train on, ds-...").required().positional(),
        field("trainer", &T::trainer, "how the model is identified"),
        field("setpoint", &T::setpoint,
              "MV=TAG: TAG is the set-point of the loop that moves MV; repeat for more"),
        field("prior", &T::prior,
              "what is known of a pair: \"MV->CV gain>0\", ...; repeat for more"),
        field("points", &T::points, "static_response@1: segments, runs, rows or marked; default: as for a study"),
        field("steadySteps", &T::steady_steps, "static_response@1: rows of the shortest segment")
            .range(3, 100'000)
            .unit("steps"),
        field("steadyTolerance", &T::steady_tolerance,
              "static_response@1: change within a segment, as a share of the range")
            .range(1e-6, 0.5),
        field("seed", &T::seed, "seed of every random choice").range(0, 4294967295.0),
        field("note", &T::note, "what is tried, and why").max_length(2000)};
  }
};

/// order.json: all that a training child needs; it opens no database.
struct TrainOrder {
  std::string experiment_id, model_id, dataset_folder, dataset_id, dataset_sha256;
  TrainRequest request;
  gates::Thresholds thresholds;
  std::string policy;
  std::int64_t settings_version = 0;
  std::map<std::string, std::string> sources, reasons;
  double alpha = 0.1;
  static constexpr auto fields() {
    using T = TrainOrder;
    return FieldList{field("experimentId", &T::experiment_id, "of the experiment it makes"),
                      field("modelId", &T::model_id, "of the model, should it pass"),
                      field("datasetFolder", &T::dataset_folder, "where the dataset is"),
                      field("datasetId", &T::dataset_id, "ds-..."),
                      field("datasetSha256", &T::dataset_sha256, "it must have this digest"),
                      field("request", &T::request, "as it was asked"),
                      field("thresholds", &T::thresholds, "of the gates"),
                      field("policy", &T::policy, "their policy"),
                      field("settingsVersion", &T::settings_version, "of the settings"),
                      field("sources", &T::sources, "where each threshold comes from"),
                      field("reasons", &T::reasons, "why one was loosened"),
                      field("alpha", &T::alpha, "share of blocks an interval may miss")};
  }
};

/// result.json: written last, whole. The model's files lie beside it.
struct TrainResult {
  std::int64_t attempt = 1;
  registry::ExperimentRow experiment;
  std::optional<registry::ModelRow> model;  ///< when the gates passed
  std::vector<std::string> failed_gates;
  std::string code, reason;  ///< of the refusal
  static constexpr auto fields() {
    using T = TrainResult;
    return FieldList{field("attempt", &T::attempt, "attempt of the job"),
                      field("experiment", &T::experiment, "options, metrics, gates"),
                      field("model", &T::model, "absent when a gate refused"),
                      field("failedGates", &T::failed_gates, "gates that refused"),
                      field("code", &T::code, "code of the refusal"),
                      field("reason", &T::reason, "why there is no model")};
  }
};

struct JobListRequest {
  std::optional<jobs::State> state;
  std::optional<jobs::Kind> kind;
  std::optional<std::string> line;
  std::int64_t limit = 100;
  std::optional<std::string> cursor;
  static constexpr auto fields() {
    using J = JobListRequest;
    return FieldList{field("state", &J::state, "only jobs in this state"),
                      field("kind", &J::kind, "only jobs of this kind"),
                      field("line", &J::line, "only jobs of this line"),
                      field("limit", &J::limit, "items a page").range(1, 1000),
                      field("cursor", &J::cursor, "nextCursor of the page before")};
  }
};

struct JobCancelRequest {
  std::string id, reason;
  static constexpr auto fields() {
    using J = JobCancelRequest;
    return FieldList{field("id", &J::id, "job-...").required().positional(),
                      field("reason", &J::reason, "why").max_length(500)};
  }
};

struct JobLogRequest {
  std::string id;
  std::int64_t lines = 100;
  static constexpr auto fields() {
    using J = JobLogRequest;
    return FieldList{field("id", &J::id, "job-...").required().positional(),
                      field("lines", &J::lines, "newest lines").range(1, 10'000)};
  }
};

struct JobLogResponse {
  std::string id;
  std::vector<std::string> lines;
  static constexpr auto fields() {
    using J = JobLogResponse;
    return FieldList{field("id", &J::id, "job-..."), field("lines", &J::lines, "oldest first")};
  }
};

/// A job as lists, pages and events show it: its newest attempt in one flat record.
struct JobView {
  std::string id;
  jobs::Kind kind = jobs::Kind::training;
  std::string line_id, title;
  jobs::State state = jobs::State::queued;
  std::int64_t attempt = 1;
  std::string stage, note;
  double fraction = 0;
  std::string submitted_by;
  TimeUs submitted_at = 0;
  std::optional<TimeUs> started_at, ended_at;
  std::optional<std::string> dataset_id, experiment_id, model_id;
  std::vector<std::string> failed_gates;
  std::string code, reason;
  static constexpr auto fields() {
    using J = JobView;
    return FieldList{field("id", &J::id, "job-..."),
                      field("kind", &J::kind, "what is done"),
                      field("lineId", &J::line_id, "line"),
                      field("title", &J::title, "in a few words"),
                      field("state", &J::state, "of the newest attempt"),
                      field("attempt", &J::attempt, "1 for the first"),
                      field("stage", &J::stage, "what is being done"),
                      field("note", &J::note, "in words"),
                      field("fraction", &J::fraction, "of the stage, 0..1"),
                      field("submittedBy", &J::submitted_by, "who asked"),
                      field("submittedAt", &J::submitted_at, "when").unit("us"),
                      field("startedAt", &J::started_at, "when").unit("us"),
                      field("endedAt", &J::ended_at, "when").unit("us"),
                      field("datasetId", &J::dataset_id, "dataset it built or used"),
                      field("experimentId", &J::experiment_id, "experiment it wrote"),
                      field("modelId", &J::model_id, "model it registered"),
                      field("failedGates", &J::failed_gates, "gates that refused"),
                      field("code", &J::code, "why it did not succeed"),
                      field("reason", &J::reason, "in words; empty after success")};
  }
};
JobView view_of(const jobs::Job& job);

struct JobResponse : JobView {
  using Extends = JobView;
  Json request = Json::object();
  std::vector<jobs::Attempt> attempts;
  static constexpr auto fields() {
    using J = JobResponse;
    return join(
        JobView::fields(),
        FieldList{field("request", &J::request, "as it was asked"),
                   field("attempts", &J::attempts, "every attempt, oldest first")});
  }
};

/// A job whose gates refused is an answer of "no"; any other end but success is a failure.
inline int exit_code_of(const JobResponse& r) {
  if (!jobs::terminal(r.state) || r.state == jobs::State::done) return 0;
  return r.failed_gates.empty() ? 1 : 6;
}

}  // namespace flyball::app
