#pragma once
// A job and its attempts: what was asked, how far it is, how it ended.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/record.h"
#include "core/time.h"
#include "jobs/state.h"

namespace flyball::jobs {

enum class Kind { dataset_build, training, evaluation, report, retention, reconciliation };
constexpr auto enum_names(Kind) {
  return std::array<std::string_view, 6>{"dataset_build", "training",  "evaluation",
                                         "report",        "retention", "reconciliation"};
}

/// Lower starts first: what people wait for, before what the house does for itself.
int priority(Kind kind);

/// How far an attempt is within its state; no transition.
struct ProgressNote {
  std::string stage;    ///< "identify", "evaluate", ...
  double fraction = 0;  ///< of the stage
  std::string note;
  TimeUs at = 0;
  static constexpr auto fields() {
    using P = ProgressNote;
    return FieldList{field("stage", &P::stage, "what is being done"),
                     field("fraction", &P::fraction, "of the stage, 0..1"),
                     field("note", &P::note, "in words"), field("at", &P::at, "when").unit("us")};
  }
};

/// The one record of how an attempt ended: plans, audit and the notice to who asked read it.
struct Outcome {
  bool succeeded = false;
  std::optional<std::string> dataset_id, experiment_id, model_id;
  std::vector<std::string> failed_gates;
  std::string code, reason;  ///< of the catalogue and in words; empty after success
  static constexpr auto fields() {
    using O = Outcome;
    return FieldList{field("succeeded", &O::succeeded, "it gave what was asked for"),
                     field("datasetId", &O::dataset_id, "dataset it built or used"),
                     field("experimentId", &O::experiment_id, "experiment it wrote"),
                     field("modelId", &O::model_id, "model it registered"),
                     field("failedGates", &O::failed_gates, "gates that refused"),
                     field("code", &O::code, "code of the reason"),
                     field("reason", &O::reason, "why it did not succeed")};
  }
};

struct Attempt {
  std::int64_t number = 1;
  State state = State::queued;
  std::string owner;  ///< process that runs it
  std::optional<ProgressNote> progress;
  std::optional<TimeUs> started_at, ended_at, lease_until;
  std::optional<Outcome> outcome;
  static constexpr auto fields() {
    using A = Attempt;
    return FieldList{
        field("number", &A::number, "1 for the first"),
        field("state", &A::state, "where it is"),
        field("owner", &A::owner, "process that runs it"),
        field("progress", &A::progress, "newest word"),
        field("startedAt", &A::started_at, "when").unit("us"),
        field("endedAt", &A::ended_at, "when").unit("us"),
        field("leaseUntil", &A::lease_until, "without a heartbeat until then it is interrupted")
            .unit("us"),
        field("outcome", &A::outcome, "how it ended")};
  }
};

/// What is asked.
struct Submission {
  Kind kind = Kind::training;
  std::string line_id;
  std::string submitted_by;
  std::string title;              ///< in a few words, for lists
  Json request = Json::object();  ///< of the kind; frozen here
  static constexpr auto fields() {
    using S = Submission;
    return FieldList{field("kind", &S::kind, "what is done"), field("lineId", &S::line_id, "line"),
                     field("submittedBy", &S::submitted_by, "who asked"),
                     field("title", &S::title, "in a few words"),
                     field("request", &S::request, "as it was asked")};
  }
};

struct Job {
  std::string id;
  Submission asked;
  TimeUs submitted_at = 0;
  Attempt attempt;  ///< the newest
  static constexpr auto fields() {
    using J = Job;
    return FieldList{field("id", &J::id, "job-…"), field("asked", &J::asked, "what was asked"),
                     field("submittedAt", &J::submitted_at, "when").unit("us"),
                     field("attempt", &J::attempt, "the newest attempt")};
  }
};

}  // namespace flyball::jobs
