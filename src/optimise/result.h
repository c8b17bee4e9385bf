#pragma once
// What a solve answers: candidates with their limits checked, what was relaxed, what cannot hold.
// Every number is in model units; whoever shows it to people converts differences by scale only.
#include <optional>
#include <string>
#include <vector>

#include "core/record.h"
#include "core/words.h"

namespace flyball::optimise {

enum class ConstraintKind { hard, soft };
constexpr auto enum_names(ConstraintKind) {
  return std::array<std::string_view, 2>{"hard", "soft"};
}

/// One limit over the whole horizon. id: varId.min, .max, .maxMove, .minMove, .hardMin, .hardMax,
/// .hardMin+margin, .hardMax+margin, .softMin, .softMax, .valid.
struct ConstraintItem {
  std::string id;
  ConstraintKind kind = ConstraintKind::hard;
  double margin = 0;
  bool passed = true;
  std::optional<std::int64_t> first_violation_step;
  static constexpr auto fields() {
    using C = ConstraintItem;
    return FieldList{
        field("id", &C::id, "variable.limit").required(),
        field("kind", &C::kind, "hard or soft").required(),
        field("margin", &C::margin, "least distance to the limit, below 0: violation").required(),
        field("passed", &C::passed, "within 1e-6 of the train range").required(),
        field("firstViolationStep", &C::first_violation_step, "first k with a violation")
            .unit("steps")};
  }
};

/// label: optimum, hold, halfMove, only:<varId>.
struct Candidate {
  std::int64_t seq = 0;
  std::string label;
  std::vector<std::vector<double>> controls;
  std::vector<std::vector<double>> predicted;
  double cost = 0;
  std::vector<ConstraintItem> constraints;
  bool feasible = false;
  static constexpr auto fields() {
    using C = Candidate;
    return FieldList{
        field("seq", &C::seq, "0 is the optimum").required(),
        field("label", &C::label, "what it is").required(),
        field("controls", &C::controls, "P rows of MVs, u(t)..u(t+P−1)").max_length(512).required(),
        field("predicted", &C::predicted, "P rows of CVs, y(t+1)..y(t+P)")
            .max_length(512)
            .required(),
        field("cost", &C::cost, "J with its constant terms").required(),
        field("constraints", &C::constraints, "every limit"),
        field("feasible", &C::feasible, "every hard limit holds").required()};
  }
};

enum class SolveStatus { optimal, feasible, infeasible, timeout, error, noChange };
constexpr auto enum_names(SolveStatus) {
  return std::array<std::string_view, 6>{"optimal", "feasible", "infeasible",
                                         "timeout", "error",    "noChange"};
}

struct Residuals {
  double primal = 0, stationarity = 0, complementarity = 0;
  static constexpr auto fields() {
    using R = Residuals;
    return FieldList{field("primal", &R::primal, "largest hard violation over the row's range"),
                     field("stationarity", &R::stationarity, "over 1 + |f|"),
                     field("complementarity", &R::complementarity, "over 1 + |J|")};
  }
};

/// A limit that binds in the optimum and what one unit of it is worth.
struct ShadowPrice {
  std::string id;
  std::int64_t step = 0;
  double price = 0;
  static constexpr auto fields() {
    using S = ShadowPrice;
    return FieldList{
        field("id", &S::id, "variable.limit").required(), field("step", &S::step, "k"),
        field("price", &S::price, "fall of J per unit that the limit is moved outwards")};
  }
};

struct Diagnostics {
  std::int64_t iterations = 0;
  Residuals residuals;
  double gap = 0;
  double elapsed_ms = 0;
  double setup_ms = 0;
  std::int64_t worker_pid = 0;
  double cost_hold = 0;
  std::optional<double> input_distance, mahalanobis, trajectory_distance, trajectory_mahalanobis;
  std::vector<double> state, disturbance;
  std::vector<std::string> missing;
  std::vector<ShadowPrice> prices;
  static constexpr auto fields() {
    using D = Diagnostics;
    return FieldList{
        field("iterations", &D::iterations, "changes of the working set"),
        field("residuals", &D::residuals, "recomputed from the problem's data"),
        field("gap", &D::gap, "of status feasible or timeout: J above its lower bound"),
        field("elapsedMs", &D::elapsed_ms, "state, free response, solve").unit("ms"),
        field("setupMs", &D::setup_ms, "0 when the set-up was cached").unit("ms"),
        field("workerPid", &D::worker_pid, "process that solved; 0: this one"),
        field("costHold", &D::cost_hold, "J of holding every MV"),
        field("inputDistance", &D::input_distance, "of the present [u; y], train deviations"),
        field("mahalanobis", &D::mahalanobis, "of the present [u; y]"),
        field("trajectoryDistance", &D::trajectory_distance, "largest along the optimum"),
        field("trajectoryMahalanobis", &D::trajectory_mahalanobis, "largest along the optimum"),
        field("state", &D::state, "x(t|t−1) that the prediction starts from"),
        field("disturbance", &D::disturbance, "estimate, output (CVs) or input (MVs)"),
        field("missing", &D::missing, "CVs whose newest value was missing"),
        field("prices", &D::prices, "limits that bind")};
  }
};

/// A soft limit that the optimum does not keep, a hard one that is broken now, or one that cannot
/// be kept.
struct Relaxed {
  std::string id;
  std::int64_t rank = 0;
  double amount = 0;
  std::int64_t first_step = 0;
  Words words;
  static constexpr auto fields() {
    using R = Relaxed;
    return FieldList{field("id", &R::id, "variable.limit").required(),
                     field("rank", &R::rank,
                           "of the limit; 0: hard limit that is broken now, or margin inside one"),
                     field("amount", &R::amount, "largest violation, model units").required(),
                     field("firstStep", &R::first_step, "k").unit("steps"),
                     field("words", &R::words, "in plain words")};
  }
};

/// Where the plant should rest (optimise/steady_state.h). `relaxed`, `infeasible` and `prices` are
/// those of rest; a price is the fall of `cost` per unit. `x`: the state there.
struct SteadyState {
  bool found = false;
  bool verified = false;
  std::vector<double> u, y, x;
  double cost = 0;
  std::vector<Relaxed> relaxed, infeasible;
  std::vector<ShadowPrice> prices;
  std::vector<Words> reasons;
  static constexpr auto fields() {
    using S = SteadyState;
    return FieldList{
        field("found", &S::found, "hard limits hold"),
        field("verified", &S::verified, "another path confirmed it"),
        field("u", &S::u, "MVs at rest").max_length(64),
        field("y", &S::y, "CVs at rest").max_length(64),
        field("x", &S::x, "state at rest").max_length(10'000),
        field("cost", &S::cost, "prices, references and resting values"),
        field("relaxed", &S::relaxed, "soft limits given up"),
        field("infeasible", &S::infeasible, "hard limits that cannot hold at rest"),
        field("prices", &S::prices, "limits that bind"),
        field("reasons", &S::reasons, "what is not reached, and what stands against it")};
  }
};

struct SolveResult {
  SolveStatus status = SolveStatus::error;
  std::optional<SteadyState> rest;
  Diagnostics diagnostics;
  std::vector<Candidate> candidates;
  std::vector<Relaxed> relaxed;
  std::vector<Relaxed> infeasible;
  std::vector<Words> reasons;
  static constexpr auto fields() {
    using S = SolveResult;
    return FieldList{
        field("status", &S::status, "optimal only with residuals below eps").required(),
        field("rest", &S::rest, "where the plant should rest, where that was asked"),
        field("diagnostics", &S::diagnostics, "how it was found"),
        field("candidates", &S::candidates, "seq 0 first; none when infeasible").max_length(64),
        field("relaxed", &S::relaxed, "soft limits given up"),
        field("infeasible", &S::infeasible,
              "hard limits that cannot all hold, and the least change of "
              "each that would do"),
        field("reasons", &S::reasons, "why there is no advice, or what to mind")};
  }
};

}  // namespace flyball::optimise
