#include "historian/historian.h"

namespace flyball::historian {

bool Filter::passes(const plant::Run& run) const {
  const auto match = [](const std::string& wanted, const std::string& actual) {
    return wanted.empty() || wanted == actual;
  };
  return match(line_id, run.line_id) && match(product_id, run.product_id) &&
         match(recipe_id, run.recipe_id) && match(run_id, run.id);
}

AppendResult Historian::append(const plant::Run& run, const std::string& node_id,
                               std::span<const Sample> samples) {
  const auto writer = begin();
  const AppendResult result = writer->append(run, node_id, samples);
  writer->commit();
  return result;
}

std::vector<std::string> Historian::nodes(const std::string& line_id) const {
  std::vector<std::string> out;
  for (const plant::Tag& tag : tags(line_id)) out.push_back(tag.node_id());
  return out;
}

std::string_view line_of(std::string_view node_id) {
  return node_id.substr(0, node_id.find('/'));
}

std::vector<Sample> read_all(const Historian& historian, PageRequest request) {
  request.limit = INT64_MAX;
  return historian.page(request).samples;
}

}  // namespace flyball::historian
