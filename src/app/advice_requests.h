#pragma once
// Requests and answers about advice.
#include "advise/plan_view.h"
#include "advise/ledger.h"
#include "app/requests.h"
#include "jobs/worker_pool.h"

namespace flyball::app {

struct ProfileCreateRequest {
  std::string file;
  std::optional<advise::ProfileContent> profile;
  std::optional<std::string> version_of;
  static constexpr std::string_view kInputFile = "file";
  static constexpr auto fields() {
    using R = ProfileCreateRequest;
    return FieldList{
        field("file", &R::file, "profile as JSON (docs/advice.md)").positional(),
        field("profile", &R::profile, "the profile itself, instead of a file"),
        field("versionOf", &R::version_of, "profile of which this is the next version")};
  }
};

struct ProfileRequest {
  std::string id;
  std::optional<std::int64_t> version;
  static constexpr auto fields() {
    using R = ProfileRequest;
    return FieldList{field("id", &R::id, "prf-...").required().positional(),
                     field("version", &R::version, "default: the newest").range(1, 1e9)};
  }
};

struct AdviceListRequest {
  std::optional<std::string> line, binding;
  std::int64_t limit = 100;
  std::optional<std::string> cursor;
  static constexpr auto fields() {
    using R = AdviceListRequest;
    return FieldList{field("line", &R::line, "of this line; default: of all"),
                     field("binding", &R::binding, "of this binding"),
                     field("limit", &R::limit, "items a page").range(1, 1000),
                     field("cursor", &R::cursor, "nextCursor of the page before")};
  }
};

struct BindRequest {
  std::optional<std::string> id, profile;
  std::optional<std::int64_t> version;
  std::vector<std::string> node;
  std::optional<bool> enabled;
  std::string reason;
  static constexpr auto fields() {
    using R = BindRequest;
    return FieldList{
        field("profile", &R::profile, "prf-..., which has to be active").positional(),
        field("id", &R::id, "binding to change; default: a new one"),
        field("version", &R::version, "of the profile; default: the newest").range(1, 1e9),
        field("node", &R::node, "VARIABLE=LINE/TAG where the tag is named otherwise")
            .max_length(64),
        field("enabled", &R::enabled, "false: it gives no advice"),
        field("reason", &R::reason, "why").max_length(500)};
  }
};

struct SolveRequest {
  std::string id;
  std::map<std::string, std::vector<double>> forecasts;
  static constexpr auto fields() {
    using R = SolveRequest;
    return FieldList{field("id", &R::id, "bnd-...").required().positional(),
                     field("forecasts", &R::forecasts,
                           "by DV whose source is forecast: one value a step, the tag's unit")};
  }
};

struct TryRequest {
  std::string id;
  std::vector<std::string> set;
  static constexpr auto fields() {
    using R = TryRequest;
    return FieldList{
        field("id", &R::id, "or-..., a question that was asked").required().positional(),
        field("set", &R::set,
              "VARIABLE.FIELD=NUMBER in the tag's unit; repeat for more. MV: min, max, maxMove, "
              "target. CV: ref, softMin, softMax, hardMin, hardMax, weight")
            .max_length(200)};
  }
};

/// The answer to a question with changes; nothing of it is kept.
struct TryResponse {
  advise::RunStatus status = advise::RunStatus::running;
  std::string code, reason;
  std::optional<double> cost;
  double took_ms = 0;
  advise::PlanView plan;
  static constexpr auto fields() {
    using R = TryResponse;
    return FieldList{field("status", &R::status, "as of a question that is kept"),
                     field("code", &R::code, "of the reason why there is no advice"),
                     field("reason", &R::reason, "in words"),
                     field("cost", &R::cost, "J, computed again").nullable(),
                     field("tookMs", &R::took_ms, "to answer").unit("ms"),
                     field("plan", &R::plan, "what would be advised; empty without advice")};
  }
};

struct DecideRequest {
  std::string id, reason;
  std::optional<std::string> by;
  static constexpr auto fields() {
    using R = DecideRequest;
    return FieldList{field("id", &R::id, "rec-...").required().positional(),
                     field("reason", &R::reason, "why").max_length(2000),
                     field("by", &R::by, "who decides; default: the user of the system")};
  }
};

struct OutcomeRequest {
  std::string id;
  std::optional<std::int64_t> settle, window;
  static constexpr auto fields() {
    using R = OutcomeRequest;
    return FieldList{
        field("id", &R::id, "rec-...").required().positional(),
        field("settle", &R::settle,
              "steps after it was applied that are not looked at; default: "
              "half of the horizon")
            .range(0, 100'000)
            .unit("steps"),
        field("window", &R::window, "steps that are compared; default: half of the horizon")
            .range(5, 100'000)
            .unit("steps")};
  }
};

/// Runs and candidates of one question.
struct AdviceRunResponse {
  advise::AdviceRun run;
  std::vector<advise::CandidateRow> candidates;
  static constexpr auto fields() {
    using R = AdviceRunResponse;
    return FieldList{field("run", &R::run, "question and how it ended"),
                     field("candidates", &R::candidates, "as computed again")};
  }
};

struct CapabilitiesResponse {
  std::vector<std::string> templates;
  jobs::PoolStats workers;
  static constexpr auto fields() {
    using R = CapabilitiesResponse;
    return FieldList{field("templates", &R::templates, "of problems that can be asked"),
                     field("workers", &R::workers, "processes that compute advice")};
  }
};

/// 6: there is no advice.
inline int exit_code_of(const advise::Card& card) {
  return card.advice ? 0 : 6;
}

}  // namespace flyball::app
