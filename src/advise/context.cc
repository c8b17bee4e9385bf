#include "advise/context.h"

#include "core/digest.h"

namespace flyball::advise {
namespace {

void same(const char* what, const std::string& here, const std::string& there) {
  if (here != there)
    throw Error("CONTEXT_MISMATCH", {{"what", what},
                                     {"plant", here.empty() ? "none" : here},
                                     {"expected", there.empty() ? "none" : there}});
}

}  // namespace

std::string context_hash(const ContextSnapshot& context) {
  return sha256(canonical(to_json_value(context)));
}

void Intersection::narrow(std::optional<double> min, std::optional<double> max,
                          const std::string& from) {
  if (min && (!limit_.min || *min > *limit_.min)) {
    limit_.min = min;
    limit_.min_from = from;
  }
  if (max && (!limit_.max || *max < *limit_.max)) {
    limit_.max = max;
    limit_.max_from = from;
  }
}

void check_context(const ContextSnapshot& c, const Profile& profile, const Binding& binding) {
  if (c.run_id.empty())
    throw Error("CONTEXT_MISMATCH", {{"what", "run"}, {"plant", "none"}, {"expected", "one"}});
  same("product", c.product_id, profile.product_id);
  same("recipe", c.recipe_id, profile.recipe_id);
  same("recipe version", std::to_string(c.recipe_version), std::to_string(binding.recipe_version));
  same("recipe content", c.recipe_content_hash, binding.recipe_content_hash);
  if (!profile.content.condition_id.empty())
    same("condition", c.condition_id, profile.content.condition_id);
  const double limit_us = profile.content.freshness_beats * c.beat_ms * 1000;
  for (const NodeState& n : c.nodes) {
    if (!n.newest_at) throw Error("CONTEXT_NEVER", {{"node", n.node_id}});
    const double age = static_cast<double>(c.at - *n.newest_at);
    if (age < -c.beat_ms * 1000)
      throw Error("CONTEXT_AHEAD",
                  {{"node", n.node_id}, {"age", format_duration(static_cast<DurationUs>(-age))}});
    if (age > limit_us)
      throw Error("CONTEXT_STALE", {{"node", n.node_id},
                                    {"age", format_duration(static_cast<DurationUs>(age))},
                                    {"limit", format_duration(static_cast<DurationUs>(limit_us))}});
    if (!n.value) throw Error("CONTEXT_EMPTY", {{"node", n.node_id}});
  }
}

}  // namespace flyball::advise
