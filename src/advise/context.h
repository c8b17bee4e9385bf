#pragma once
// The plant when a question is asked: who makes what by which recipe, how old each value is, and
// the limits that are in force. Advice is refused on a context that is stale or of something else.
#include <optional>
#include <string>
#include <vector>

#include "advise/profile.h"

namespace flyball::advise {

/// The newest value of one variable, in the tag's unit.
struct NodeState {
  std::string var_id, node_id, quality;
  std::optional<TimeUs> newest_at;
  std::optional<double> value;
  std::string mode;
  bool available = true;
  static constexpr auto fields() {
    using N = NodeState;
    return FieldList{
        field("varId", &N::var_id, "variable"),
        field("nodeId", &N::node_id, "LINE/TAG"),
        field("quality", &N::quality, "of the newest sample"),
        field("newestAt", &N::newest_at, "its time").unit("us").nullable(),
        field("value", &N::value, "in the tag's unit").nullable(),
        field("mode", &N::mode, "of its loop, where there is a tag for it"),
        field("available", &N::available, "an MV that may be moved: its loop is not in manual")};
  }
};

/// min and max after intersection, and who gave each.
struct LimitInForce {
  std::string var_id;
  std::optional<double> min, max;
  std::string min_from, max_from;
  static constexpr auto fields() {
    using L = LimitInForce;
    return FieldList{field("varId", &L::var_id, "MV"), field("min", &L::min, "in force").nullable(),
                     field("max", &L::max, "in force").nullable(),
                     field("minFrom", &L::min_from, "profile, tag, product or recipe"),
                     field("maxFrom", &L::max_from, "profile, tag, product or recipe")};
  }
};

struct ContextSnapshot {
  TimeUs at = 0;
  std::string line_id, product_id, recipe_id, run_id, condition_id;
  std::int64_t recipe_version = 0;
  std::string recipe_content_hash;
  plant::EvidenceSource evidence = plant::EvidenceSource::unassessed;
  double beat_ms = 0;
  std::vector<NodeState> nodes;
  std::vector<LimitInForce> limits;
  static constexpr auto fields() {
    using C = ContextSnapshot;
    return FieldList{
        field("at", &C::at, "when").unit("us"),
        field("lineId", &C::line_id, "line"),
        field("productId", &C::product_id, "of the active run"),
        field("recipeId", &C::recipe_id, "of the active run"),
        field("runId", &C::run_id, "active run; empty: none"),
        field("conditionId", &C::condition_id, "of the confirmed segment, where there is one"),
        field("recipeVersion", &C::recipe_version, "newest"),
        field("recipeContentHash", &C::recipe_content_hash, "of it"),
        field("evidenceSource", &C::evidence, "where the run's data come from"),
        field("beatMs", &C::beat_ms, "length of a step").unit("ms"),
        field("nodes", &C::nodes, "newest value of each variable"),
        field("limits", &C::limits, "of the MVs, after intersection")};
  }
};

/// sha256 of the canonical JSON.
std::string context_hash(const ContextSnapshot& context);

/// The narrowest of what each of them allows.
class Intersection {
 public:
  void narrow(std::optional<double> min, std::optional<double> max, const std::string& from);
  [[nodiscard]] const LimitInForce& limit() const { return limit_; }
  explicit Intersection(std::string var_id) { limit_.var_id = std::move(var_id); }

 private:
  LimitInForce limit_;
};

/// Throws CONTEXT_MISMATCH (another product or recipe runs, none runs, another recipe version or
/// condition than the binding's and profile's) and CONTEXT_STALE (a node whose newest sample is
/// older than freshnessBeats, or has none).
void check_context(const ContextSnapshot& context, const Profile& profile, const Binding& binding);

}  // namespace flyball::advise
