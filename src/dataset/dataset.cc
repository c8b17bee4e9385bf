#include "dataset/dataset.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace flyball::dataset {

const Series& RunSource::of(const std::string& id) const {
  const auto it = std::ranges::find(ids, id);
  if (it == ids.end()) throw Error("RUN_NOT_IN_DATASET", {{"run", id}});
  return at(static_cast<std::size_t>(it - ids.begin()));
}

RunSource in_memory(const std::vector<Series>& runs) {
  RunSource out;
  for (const Series& run : runs) out.ids.push_back(run.run_id);
  out.at = [&runs](std::size_t i) -> const Series& { return runs[i]; };
  return out;
}

std::vector<Index> Dataset::columns(Role role) const {
  std::vector<Index> out;
  for (std::size_t i = 0; i < spec.variables.size(); ++i) {
    if (spec.variables[i].role == role) out.push_back(static_cast<Index>(i));
  }
  return out;
}

const Series& Dataset::run(const std::string& id) const {
  const auto it = std::ranges::find(runs, id, &Series::run_id);
  if (it == runs.end()) throw Error("RUN_NOT_IN_DATASET", {{"run", id}});
  return *it;
}

std::vector<const Block*> Dataset::part(Part p) const {
  std::vector<const Block*> out;
  for (const Block& block : blocks) {
    if (block.split == p) out.push_back(&block);
  }
  return out;
}

std::vector<Index> Dataset::constant_columns() const {
  std::vector<Index> out;
  for (std::size_t i = 0; i < norm.min.size(); ++i) {
    if (is_constant(norm.min[i], norm.max[i])) out.push_back(static_cast<Index>(i));
  }
  return out;
}

bool is_constant(double min, double max) {
  return !(max - min > 1e-9 * std::max(std::abs(min), std::abs(max)));
}

}  // namespace flyball::dataset
