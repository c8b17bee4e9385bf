#pragma once
// Requests and answers of the operations on training plans.
#include "app/requests.h"
#include "registry/training_plans.h"

namespace flyball::app {

struct PlanListRequest {
  std::optional<std::string> line;
  static constexpr auto fields() {
    return FieldList{field("line", &PlanListRequest::line, "of this line; default: of all")};
  }
};

/// What build and train are asked, but runs and dataset: those are all finished runs, each time.
struct PlanCreateRequest {
  std::string name;
  std::string line = "default", product = "default", recipe = "default";
  registry::PlanStrategy strategy = registry::PlanStrategy::automatic;
  std::optional<std::string> process_spec;
  std::vector<std::string> mv, cv, dv, integrating, mode;
  std::optional<DurationUs> beat;
  std::int64_t history = 30, horizon = 60;
  std::string split = "0.5,0.25,0.25";
  Trainer trainer = Trainer::auto_1;
  std::vector<std::string> setpoint, prior;
  std::int64_t seed = 7, min_interval_sec = 3600, min_new_rows = 500;
  bool disabled = false;
  static constexpr auto fields() {
    using P = PlanCreateRequest;
    return FieldList{
        field("name", &P::name, "how people call it, once on a line")
            .required()
            .positional()
            .max_length(120),
        field("line", &P::line, "line the tags belong to"),
        field("product", &P::product, "product that is made"),
        field("recipe", &P::recipe, "recipe that is run"),
        field("strategy", &P::strategy,
              "auto: by itself when there are new data; manual: when asked"),
        field("processSpec", &P::process_spec,
              "NAME or NAME@VERSION of a process-model spec of the line, in place of what it "
              "states; NAME alone: the version in force at each training"),
        field("mv", &P::mv, "manipulated variable, by tag name; repeat for more"),
        field("cv", &P::cv, "controlled variable, by tag name; repeat for more"),
        field("dv", &P::dv, "measured disturbance, by tag name; repeat for more"),
        field("integrating", &P::integrating, "a CV that is a level; repeat for more"),
        field("mode", &P::mode,
              "TAG=AUTO,CAS: samples of TAG count only while its loop is in one of these modes; "
              "repeat for more"),
        field("beat", &P::beat, "length of a step; default: the median step of the samples")
            .unit("us"),
        field("history", &P::history, "H, rows before the first prediction")
            .range(1, 2048)
            .unit("steps"),
        field("horizon", &P::horizon, "F, steps predicted").range(1, 512).unit("steps"),
        field("split", &P::split, "shares of train, val and test"),
        field("trainer", &P::trainer, "how the model is identified"),
        field("setpoint", &P::setpoint,
              "MV=TAG: TAG is the set-point of the loop that moves MV; repeat for more"),
        field("prior", &P::prior,
              "what is known of a pair: \"MV->CV gain>0\", ...; repeat for more"),
        field("seed", &P::seed, "seed of every random choice").range(0, 4294967295.0),
        field("minIntervalSec", &P::min_interval_sec, "shortest time between two trainings")
            .range(60, 31'536'000)
            .unit("s"),
        field("minNewRows", &P::min_new_rows,
              "so many new steps of finished runs count like a new run, on a line without batches")
            .range(1, 1e9)
            .unit("steps"),
        field("disabled", &P::disabled, "make it, but do not let it do anything yet")};
  }
};

struct PlanTrainingsRequest {
  std::string id;
  std::int64_t limit = 100;
  std::optional<std::string> cursor;
  static constexpr auto fields() {
    using P = PlanTrainingsRequest;
    return FieldList{field("id", &P::id, "plan-...").required().positional(),
                     field("limit", &P::limit, "items a page").range(1, 1000),
                     field("cursor", &P::cursor, "nextCursor of the page before")};
  }
};

/// A plan as lists and pages show it.
struct PlanView : registry::TrainingPlan {
  using Extends = registry::TrainingPlan;
  std::optional<TimeUs> next_at;
  static constexpr auto fields() {
    return join(registry::TrainingPlan::fields(),
                FieldList{field("nextAt", &PlanView::next_at,
                                "not before then does it train by itself; absent: it does not")
                              .unit("us")});
  }
};

struct PlanResponse : PlanView {
  using Extends = PlanView;
  std::int64_t runs_now = 0;
  std::optional<std::int64_t> new_rows;
  std::vector<registry::PlanTraining> trainings;
  static constexpr auto fields() {
    using P = PlanResponse;
    return join(PlanView::fields(),
                FieldList{field("runsNow", &P::runs_now, "finished runs that are stored"),
                          field("newRows", &P::new_rows,
                                "steps of finished runs since the last training; absent before it")
                              .unit("steps"),
                          field("trainings", &P::trainings, "what it did last, newest first: 50")});
  }
};

/// A training that ended without a model is an answer of "no" when gates refused, else a failure.
inline int exit_code_of(const PlanResponse& r) {
  if (r.last_status != registry::PlanStatus::failed) return 0;
  return r.last_failed_gates.empty() ? 1 : 6;
}

}  // namespace flyball::app
