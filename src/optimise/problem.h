#pragma once
// ProblemIr: everything that a solve is computed from, in model units, hashed. A solve reads it,
// the model that it names, and nothing else.
//
//   Time: the rows of `history` are complete, oldest first; the last one is step t−1. u(t) is
//   decided now. controls[k] = u(t+k) for k = 0..P−1, predicted[k−1] = ŷ(t+k) for k = 1..P. Moves:
//   Δu at the steps blocks[0..M−1] (0, 1, .. M−1 when blocks is empty); u is held between.
//
//   J = ½ Σ_{k=1..P} Σ_j w_j ((y_j(k) − r_j(k))/σ_j)²        track; r: ref, or refs per step
//     + Σ_{k=1..P} Σ_j ±w_j y_j(k)/σ_j                       role min (+), max (−)
//     + ½ Σ_{i<M} Σ_m λ_m (Δu_m(i)/σ_m)²                     moves
//     + ½ Σ_{k<P} Σ_m μ_m ((u_m(k) − u_m^ref)/σ_m)²          targets, where there is one
//     + Σ slacks ρ₁ s/σ_j + ½ ρ (s/σ_j)²                     soft limits
//     + Σ_j p_j y_j + Σ_m p_m u_m                            prices, of steady_response@1 alone:
//       else they count at rest (steady_state.h), not in J
//
//   σ: standard deviation in train. Source: platform.md §2.14, decisions.md §2 "Optimisation".
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/record.h"

namespace flyball::optimise {

inline constexpr std::string_view kLinearMpc = "linear_mpc_quadratic@1";
inline constexpr std::string_view kSteadyResponse = "steady_response@1";

/// The train rows of one variable, model units: the scale of J, and how far a point is from them.
struct TrainRange {
  double mean = 0, std = 1, min = 0, max = 0;
  static constexpr auto fields() {
    using T = TrainRange;
    return FieldList{field("mean", &T::mean, "of the train rows").required(),
                     field("std", &T::std, "standard deviation, the scale of the cost").required(),
                     field("min", &T::min, "least").required(),
                     field("max", &T::max, "largest").required()};
  }
};

/// One row of the past. null: missing.
struct HistoryRow {
  std::vector<std::optional<double>> u;  ///< MVs then DVs
  std::vector<std::optional<double>> y;  ///< CVs
  static constexpr auto fields() {
    return FieldList{
        field("u", &HistoryRow::u, "MVs, then DVs; null: missing").max_length(64).required(),
        field("y", &HistoryRow::y, "CVs; null: missing").max_length(64).required()};
  }
};

struct MvTerm {
  std::string var_id;
  double min = 0, max = 0;
  double max_move = 0;
  std::optional<double> min_move;
  double move_weight = 0;
  std::optional<double> target;
  double target_weight = 0;
  double price = 0;
  bool available = true;
  std::int64_t give_up = 1;
  std::string unit;
  double unit_scale = 1, unit_offset = 0;
  TrainRange train;
  static constexpr auto fields() {
    using T = MvTerm;
    return FieldList{
        field("varId", &T::var_id, "tag").required(),
        field("min", &T::min, "hard").required(),
        field("max", &T::max, "hard").required(),
        field("maxMove", &T::max_move, "hard, largest |move| from step to step").required(),
        field("minMove", &T::min_move, "a smaller first move is not made: the MV stays"),
        field("moveWeight", &T::move_weight, "lambda, on scaled moves").range(0, 1e12),
        field("target", &T::target, "ideal resting value"),
        field("targetWeight", &T::target_weight, "mu, on the scaled distance").range(0, 1e12),
        field("price", &T::price, "cost of one unit in the steady state"),
        field("available", &T::available, "false: in manual, held where it is"),
        field("giveUp", &T::give_up, "rank of the resting value").range(1, 1000),
        field("unit", &T::unit, "engineering unit, for words"),
        field("unitScale", &T::unit_scale, "model units per engineering unit, for words"),
        field("unitOffset", &T::unit_offset, "model value of 0 engineering units, for words"),
        field("train", &T::train, "train rows").required()};
  }
};

enum class CvRole { track, min, max, band };
constexpr auto enum_names(CvRole) {
  return std::array<std::string_view, 4>{"track", "min", "max", "band"};
}

struct CvTerm {
  std::string var_id;
  CvRole role = CvRole::track;
  std::optional<double> ref;
  std::vector<double> refs;
  double weight = 1;
  std::optional<double> soft_min, soft_max;
  std::vector<double> soft_min_steps, soft_max_steps;
  double soft_penalty = 1000;
  std::optional<double> soft_linear;
  std::int64_t rank = 1;
  std::optional<double> hard_min, hard_max;
  bool below_now = false, above_now = false;
  std::vector<double> margin;
  double price = 0;
  bool integrating = false;
  std::string unit;
  double unit_scale = 1, unit_offset = 0;
  TrainRange train;
  static constexpr auto fields() {
    using T = CvTerm;
    return FieldList{
        field("varId", &T::var_id, "tag").required(),
        field("role", &T::role, "track a reference, as low or high as limits allow, or a band"),
        field("ref", &T::ref, "reference"),
        field("refs", &T::refs, "reference per step, P values").max_length(512),
        field("weight", &T::weight, "w, on the scaled error").range(0, 1e12),
        field("softMin", &T::soft_min, "soft limit"),
        field("softMax", &T::soft_max, "soft limit"),
        field("softMinSteps", &T::soft_min_steps, "soft limit per step").max_length(512),
        field("softMaxSteps", &T::soft_max_steps, "soft limit per step").max_length(512),
        field("softPenalty", &T::soft_penalty, "rho, on the squared scaled slack").range(0, 1e12),
        field("softLinear", &T::soft_linear,
              "rho1, on the scaled slack; absent: chosen above the largest multiplier where known")
            .range(0, 1e12),
        field("rank", &T::rank,
              "of the soft limits: 1 is kept before 2; margins come before all of them")
            .range(1, 1000),
        field("hardMin", &T::hard_min, "hard limit, as entered"),
        field("hardMax", &T::hard_max, "hard limit, as entered"),
        field("belowNow", &T::below_now, "hardMin is broken now; every solve finds it itself"),
        field("aboveNow", &T::above_now, "hardMax is broken now; every solve finds it itself"),
        field("margin", &T::margin,
              "q(k), k = 1..P: the stretch inside a hard limit that is "
              "given up first")
            .max_length(512),
        field("price", &T::price, "cost of one unit in the steady state"),
        field("integrating", &T::integrating, "a level"),
        field("unit", &T::unit, "engineering unit, for words"),
        field("unitScale", &T::unit_scale, "model units per engineering unit, for words"),
        field("unitOffset", &T::unit_offset, "model value of 0 engineering units, for words"),
        field("train", &T::train, "train rows").required()};
  }
};

struct DvTerm {
  std::string var_id;
  std::vector<double> forecast;
  TrainRange train;
  static constexpr auto fields() {
    using T = DvTerm;
    return FieldList{field("varId", &T::var_id, "tag").required(),
                     field("forecast", &T::forecast, "values at t..t+P−1; empty: the last is held")
                         .max_length(512),
                     field("train", &T::train, "train rows").required()};
  }
};

/// How the train rows of [MVs; DVs; CVs] lie together: d(x)² = zᵀ R⁻¹ z, z = (x − mean)/std.
struct TrainSpread {
  std::vector<double> mean, std;
  std::vector<std::vector<double>> inverse;
  double limit = 0;
  static constexpr auto fields() {
    using S = TrainSpread;
    return FieldList{
        field("mean", &S::mean, "of train").max_length(192).required(),
        field("std", &S::std, "of train").max_length(192).required(),
        field("inverse", &S::inverse, "of the correlation").max_length(192).required(),
        field("limit", &S::limit, "99.5 % of the rows of train lie within it").required()};
  }
};

/// What explains a lasting difference between plant and model.
enum class Disturbance { output, input, model };
constexpr auto enum_names(Disturbance) {
  return std::array<std::string_view, 3>{"output", "input", "model"};
}

/// What a hard CV limit that is broken now asks for: that the CV comes back as fast as it can, or
/// no advice.
enum class BrokenNow { comeBack, refuse };
constexpr auto enum_names(BrokenNow) {
  return std::array<std::string_view, 2>{"comeBack", "refuse"};
}

enum class Slack { perOutput, perStep };
constexpr auto enum_names(Slack) {
  return std::array<std::string_view, 2>{"perOutput", "perStep"};
}

/// Whether a solve first looks for the point where the plant should rest. automatic: where a price
/// or a resting value with a weight is given, or a reference cannot be held at rest.
enum class SteadyLayer { automatic, on, off };
constexpr auto enum_names(SteadyLayer) {
  return std::array<std::string_view, 3>{"automatic", "on", "off"};
}

struct SolverOptions {
  double time_limit_ms = 5000;
  std::int64_t max_iterations = 10'000;
  double eps = 1e-9;
  Slack slack = Slack::perOutput;
  Disturbance disturbance = Disturbance::output;
  double disturbance_ratio = 0.1;
  double min_improvement = 1e-4;
  SteadyLayer steady_state = SteadyLayer::automatic;
  BrokenNow broken_now = BrokenNow::comeBack;
  static constexpr auto fields() {
    using T = SolverOptions;
    return FieldList{
        field("timeLimitMs", &T::time_limit_ms, "of one solve").range(1, 600'000).unit("ms"),
        field("maxIter", &T::max_iterations, "changes of the working set").range(1, 10'000'000),
        field("eps", &T::eps, "KKT residual that counts as solved").range(1e-13, 1e-4),
        field("slack", &T::slack, "one slack for each side of a CV, or one for each step"),
        field("disturbance", &T::disturbance,
              "where the offset comes from: output, input, or "
              "what the model itself carries"),
        field("disturbanceRatio", &T::disturbance_ratio,
              "deviation of a step of the disturbance over that of the innovation")
            .range(1e-6, 1e3),
        field("minImprovement", &T::min_improvement,
              "share of the cost of holding that a move has to save, else noChange")
            .range(0, 1),
        field("steadyState", &T::steady_state,
              "resting point first, its targets for the moves; automatic: where a price or a "
              "resting value is given, or a reference cannot be held"),
        field("brokenNow", &T::broken_now,
              "a hard CV limit that is broken now: comeBack as fast as the MVs may, or refuse")};
  }
};

struct ProblemIr {
  std::int64_t schema_version = 1;
  std::string problem_template{kLinearMpc};
  std::string model_id, model_artifact_hash;
  double beat_ms = 0;
  std::int64_t horizon = 1, control_horizon = 1;
  std::vector<std::int64_t> blocks;
  std::vector<HistoryRow> history;
  std::optional<std::vector<double>> x0;
  std::vector<double> disturbance;
  std::vector<double> u_prev;
  std::vector<MvTerm> mv;
  std::vector<CvTerm> cv;
  std::vector<DvTerm> dv;
  std::optional<TrainSpread> spread;
  SolverOptions solver;
  std::int64_t seed = 0;
  std::string context_hash;
  static constexpr auto fields() {
    using P = ProblemIr;
    return FieldList{
        field("schemaVersion", &P::schema_version, "version of this record").range(1, 1).required(),
        field("template", &P::problem_template, "linear_mpc_quadratic@1 or steady_response@1")
            .required(),
        field("modelId", &P::model_id, "registered model").required(),
        field("modelArtifactHash", &P::model_artifact_hash, "sha256 of the artifact").required(),
        field("beatMs", &P::beat_ms, "length of a step")
            .range(0.001, 86'400'000)
            .unit("ms")
            .required(),
        field("horizon", &P::horizon, "P, steps predicted").range(1, 512).unit("steps").required(),
        field("controlHorizon", &P::control_horizon, "M, moves").range(1, 512).required(),
        field("blocks", &P::blocks, "step of each move, ascending from 0; empty: 0..M−1")
            .max_length(512),
        field("history", &P::history, "complete rows before the decision, oldest first")
            .max_length(200'000),
        field("x0", &P::x0,
              "state at t instead of the history's; the history then gives what is on "
              "its way through dead times")
            .max_length(10'000),
        field("disturbance", &P::disturbance, "with x0: output disturbance per CV, held")
            .max_length(64),
        field("uPrev", &P::u_prev, "MVs as read back, not as advised").max_length(64).required(),
        field("mv", &P::mv, "manipulated variables").max_length(64).required(),
        field("cv", &P::cv, "controlled variables").max_length(64).required(),
        field("dv", &P::dv, "disturbance variables").max_length(64),
        field("spread", &P::spread, "how the train rows lie together; absent: not known"),
        field("solver", &P::solver, "options"),
        field("seed", &P::seed, "of what is drawn (starts of a search)"),
        field("contextHash", &P::context_hash, "of the context snapshot")};
  }
};

/// sha256 of the canonical JSON. There is no clock in it.
std::string problem_hash(const ProblemIr& problem);

/// Throws PROBLEM_INVALID with every problem: shapes, order of limits, NaN, blocks, 2·margin that
/// fills a band, lengths per step. A limit of magnitude ≥ 1e8 counts as absent.
void check(const ProblemIr& problem);

/// Steps of the moves: blocks, or 0..M−1.
std::vector<std::int64_t> move_steps(const ProblemIr& problem);

}  // namespace flyball::optimise
