#include "dataset/lineage.h"

#include <algorithm>

namespace flyball::dataset {
namespace {

std::optional<Message> contradiction(const LineageInput& input, const RunContext& c) {
  if (input.recipe_version && c.recipe_version != *input.recipe_version) {
    return Message{"LINEAGE_VERSION",
                   {{"segment", c.segment_id},
                    {"version", c.recipe_version},
                    {"expected", *input.recipe_version}}};
  }
  if (!input.recipe_content_hash.empty() && c.recipe_content_hash != input.recipe_content_hash)
    return Message{"LINEAGE_CONTENT", {{"segment", c.segment_id}}};
  return std::nullopt;
}

}  // namespace

LineageVerdict classify_run(const LineageInput& input, const std::string& run_id, Interval used) {
  std::vector<Interval> covered;
  for (const RunContext& c : input.confirmed) {
    const bool overlaps = c.interval.from < used.to && used.from < c.interval.to;
    if (c.run_id != run_id || c.status != ContextStatus::confirmed || !overlaps) continue;
    if (auto reason = contradiction(input, c)) return {LineageClass::excluded, std::move(reason)};
    covered.push_back(c.interval);
  }
  if (!input.recipe_version || input.recipe_content_hash.empty()) return {};
  std::ranges::sort(covered, {}, &Interval::from);
  TimeUs reached = used.from;
  for (const Interval& i : covered) {
    if (i.from <= reached) reached = std::max(reached, i.to);
  }
  return {reached >= used.to ? LineageClass::verified : LineageClass::unknown, {}};
}

}  // namespace flyball::dataset
