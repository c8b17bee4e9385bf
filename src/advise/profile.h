#pragma once
// A profile: what may be moved, what it is to do to the CVs, within which limits. A binding: where
// a profile is in force. Values are in the units of the tags; differences of them convert by scale.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "advise/states.h"
#include "core/time.h"
#include "core/words.h"
#include "optimise/problem.h"

namespace flyball::advise {

struct MvSetting {
  std::string var_id;
  std::optional<double> min, max;
  double max_move = 0;
  std::optional<double> min_move;
  double move_weight = 0.1;
  std::optional<double> target;
  double target_weight = 0, price = 0;
  static constexpr auto fields() {
    using M = MvSetting;
    return FieldList{
        field("varId", &M::var_id, "tag").required(),
        field("min", &M::min, "hard; the narrowest of this, tag, product and recipe is in force"),
        field("max", &M::max, "hard; as min"),
        field("maxMove", &M::max_move, "hard, largest move from one step to the next")
            .range(1e-300, 1e300)
            .required(),
        field("minMove", &M::min_move, "a smaller first move is not made: the MV stays")
            .range(0, 1e300),
        field("moveWeight", &M::move_weight, "lambda, on moves over the train deviation")
            .range(0, 1e12),
        field("target", &M::target, "ideal resting value"),
        field("targetWeight", &M::target_weight, "mu, on the scaled distance").range(0, 1e12),
        field("price", &M::price, "cost of one unit in the steady state")};
  }
};

struct CvSetting {
  std::string var_id;
  optimise::CvRole role = optimise::CvRole::track;
  std::optional<double> ref;
  double weight = 1;
  std::optional<double> soft_min, soft_max;
  double soft_penalty = 1000;
  std::int64_t rank = 1;
  std::optional<double> hard_min, hard_max;
  double price = 0;
  static constexpr auto fields() {
    using C = CvSetting;
    return FieldList{
        field("varId", &C::var_id, "tag").required(),
        field("role", &C::role, "track a reference, as low or high as limits allow, or a band"),
        field("ref", &C::ref, "reference of track"),
        field("weight", &C::weight, "w, on the error over the train deviation").range(0, 1e12),
        field("softMin", &C::soft_min, "soft limit"),
        field("softMax", &C::soft_max, "soft limit"),
        field("softPenalty", &C::soft_penalty, "rho, on the squared scaled violation")
            .range(0, 1e12),
        field("rank", &C::rank, "of its soft limits; 1 is given up last").range(1, 1000),
        field("hardMin", &C::hard_min, "hard limit"),
        field("hardMax", &C::hard_max, "hard limit"),
        field("price", &C::price, "cost of one unit in the steady state")};
  }
};

enum class DvSource { hold, forecast };
constexpr auto enum_names(DvSource) {
  return std::array<std::string_view, 2>{"hold", "forecast"};
}

struct DvSetting {
  std::string var_id;
  DvSource source = DvSource::hold;
  static constexpr auto fields() {
    using D = DvSetting;
    return FieldList{
        field("varId", &D::var_id, "tag").required(),
        field("source", &D::source, "hold the last value, or a forecast with the question")};
  }
};

/// What a person writes.
struct ProfileContent {
  std::string name, problem_template{optimise::kLinearMpc}, model_id, condition_id;
  std::vector<MvSetting> mv;
  std::vector<CvSetting> cv;
  std::vector<DvSetting> dv;
  std::int64_t horizon = 60, control_horizon = 10;
  std::vector<std::int64_t> blocks;
  optimise::SolverOptions solver;
  double validity_sec = 900, freshness_beats = 2;
  bool require_uq = true;
  static constexpr auto fields() {
    using P = ProfileContent;
    return FieldList{
        field("name", &P::name, "what people call it").required().max_length(200),
        field("template", &P::problem_template, "linear_mpc_quadratic@1 or steady_response@1"),
        field("modelId", &P::model_id, "registered model").required(),
        field("conditionId", &P::condition_id, "operating condition that it is for; empty: any"),
        field("mv", &P::mv, "what may be moved").required().max_length(64),
        field("cv", &P::cv, "what it is to do").required().max_length(64),
        field("dv", &P::dv, "disturbances that are known ahead").max_length(64),
        field("horizon", &P::horizon, "P, steps predicted").range(1, 512).unit("steps"),
        field("controlHorizon", &P::control_horizon, "M, moves").range(1, 512),
        field("blocks", &P::blocks, "step of each move, ascending from 0; empty: 0..M-1")
            .max_length(512),
        field("solver", &P::solver, "options"),
        field("validitySec", &P::validity_sec, "how long advice holds; at least 3 beats")
            .range(1, 604'800)
            .unit("s"),
        field("freshnessBeats", &P::freshness_beats, "oldest newest sample that is used")
            .range(1, 1000)
            .unit("beats"),
        field("requireUq", &P::require_uq,
              "without evidence of uncertainty there is no advice; false: it is unverified")};
  }
};

/// One version of a profile. An active one never changes; a change is a new version.
struct Profile {
  std::string id;
  std::int64_t version = 1;
  ProfileStatus status = ProfileStatus::draft;
  std::string line_id, product_id, recipe_id, model_artifact_hash;
  ProfileContent content;
  std::string created_by, activated_by, retired_by;
  TimeUs created_at = 0;
  std::optional<TimeUs> activated_at, retired_at;
  static constexpr auto fields() {
    using P = Profile;
    return FieldList{
        field("id", &P::id, "prf-..."),
        field("version", &P::version, "1, 2, ..."),
        field("status", &P::status, "draft, active or retired"),
        field("lineId", &P::line_id, "of the model"),
        field("productId", &P::product_id, "of the model"),
        field("recipeId", &P::recipe_id, "of the model"),
        field("modelArtifactHash", &P::model_artifact_hash, "of the model when it was written"),
        field("content", &P::content, "what a person wrote"),
        field("createdBy", &P::created_by, "person"),
        field("activatedBy", &P::activated_by, "person"),
        field("retiredBy", &P::retired_by, "person"),
        field("createdAt", &P::created_at, "when").unit("us"),
        field("activatedAt", &P::activated_at, "when").unit("us"),
        field("retiredAt", &P::retired_at, "when").unit("us")};
  }
};

/// A profile in force on a line. Every change is a new revision and expires open advice.
struct Binding {
  std::string id;
  std::int64_t revision = 1;
  std::string profile_id;
  std::int64_t profile_version = 1;
  std::string line_id;
  std::map<std::string, std::string> node_map;  ///< varId → LINE/TAG
  std::int64_t recipe_version = 0;
  std::string recipe_content_hash;
  bool enabled = true;
  std::string disabled_because, updated_by;
  TimeUs updated_at = 0;
  std::vector<Words> warnings;  ///< not kept: of the bindings beside it
  static constexpr auto fields() {
    using B = Binding;
    return FieldList{
        field("id", &B::id, "bnd-..."),
        field("revision", &B::revision, "counts every change"),
        field("profileId", &B::profile_id, "profile"),
        field("profileVersion", &B::profile_version, "version of it"),
        field("lineId", &B::line_id, "line"),
        field("nodeMap", &B::node_map, "variable of the profile to node"),
        field("currentRecipeVersion", &B::recipe_version, "recipe that it was made for"),
        field("recipeContentHash", &B::recipe_content_hash, "of that version"),
        field("enabled", &B::enabled, "it gives advice"),
        field("disabledBecause", &B::disabled_because, "why it does not"),
        field("updatedBy", &B::updated_by, "who changed it last"),
        field("updatedAt", &B::updated_at, "when").unit("us"),
        field("warnings", &B::warnings, "what it shares with other bindings in force")};
  }
};

}  // namespace flyball::advise
