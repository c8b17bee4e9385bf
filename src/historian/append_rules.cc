#include "historian/append_rules.h"

#include <algorithm>

#include "core/error.h"

namespace flyball::historian {

void check_line(const plant::Run& run, const std::string& node_id) {
  if (line_of(node_id) != run.line_id || node_id.size() <= run.line_id.size() + 1) {
    throw Error("NODE_LINE_MISMATCH", {{"node", node_id}, {"run", run.id}, {"line", run.line_id}});
  }
}

void check_same_recipe(const plant::Run& known, const plant::Run& run) {
  if (known.product_id != run.product_id || known.recipe_id != run.recipe_id) {
    throw Error("RUN_MISMATCH", {{"run", run.id},
                                 {"line", run.line_id},
                                 {"product", known.product_id},
                                 {"recipe", known.recipe_id}});
  }
}

plant::Tag plain_tag(const std::string& node_id) {
  plant::Tag tag;
  tag.line_id = line_of(node_id);
  tag.name = node_id.substr(tag.line_id.size() + 1);
  return tag;
}

std::span<const Sample> in_order(std::span<const Sample> samples, std::vector<Sample>& space) {
  const auto stalls = [](const Sample& a, const Sample& b) { return a.at >= b.at; };
  if (std::ranges::adjacent_find(samples, stalls) == samples.end()) return samples;
  space.assign(samples.rbegin(), samples.rend());
  std::ranges::stable_sort(space, {}, &Sample::at);
  const auto repeated = std::ranges::unique(space, {}, &Sample::at);
  space.erase(repeated.begin(), repeated.end());
  return space;
}

}  // namespace flyball::historian
