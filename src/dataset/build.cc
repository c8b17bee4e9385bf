#include "dataset/build.h"

#include "dataset/collect.h"

namespace flyball::dataset {

namespace {

Built build_as(const historian::Historian& historian, const Spec& spec, const LineageInput& lineage,
               Still still, const ProgressFn& progress, const std::stop_token& stop) {
  validate(spec);
  check_nodes(historian, spec);
  Built built;
  built.dataset.spec = canonical_order(spec);
  std::vector<Series>& runs = built.dataset.runs;
  collect(
      historian, lineage, built, [&](Series&& run) { runs.push_back(std::move(run)); }, progress,
      stop);
  finish(built, in_memory(runs), stop, still);
  if (progress) progress({"dataset", 1, ""});
  return built;
}

}  // namespace

Built build(const historian::Historian& historian, const Spec& spec, const LineageInput& lineage,
            const ProgressFn& progress, std::stop_token stop) {
  return build_as(historian, spec, lineage, Still::refused, progress, stop);
}

Built build_for_replay(const historian::Historian& historian, const Spec& spec,
                       const ProgressFn& progress, std::stop_token stop) {
  return build_as(historian, spec, {}, Still::allowed, progress, stop);
}

Built build(const historian::Historian& historian, const Spec& spec, const ProgressFn& progress,
            std::stop_token stop) {
  return build(historian, spec, LineageInput{}, progress, std::move(stop));
}

}  // namespace flyball::dataset
