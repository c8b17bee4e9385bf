#include "dataset/build.h"

#include "dataset/collect.h"

namespace flyball::dataset {

Built build(const historian::Historian& historian, const Spec& spec, const LineageInput& lineage,
            const ProgressFn& progress, std::stop_token stop) {
  validate(spec);
  check_nodes(historian, spec);
  Built built;
  built.dataset.spec = canonical_order(spec);
  std::vector<Series>& runs = built.dataset.runs;
  collect(
      historian, lineage, built, [&](Series&& run) { runs.push_back(std::move(run)); }, progress,
      stop);
  finish(built, in_memory(runs), stop);
  if (progress) progress({"dataset", 1, ""});
  return built;
}

Built build(const historian::Historian& historian, const Spec& spec, const ProgressFn& progress,
            std::stop_token stop) {
  return build(historian, spec, LineageInput{}, progress, std::move(stop));
}

}  // namespace flyball::dataset
