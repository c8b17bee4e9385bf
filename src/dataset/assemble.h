#pragma once
// One run: fetched, cleaned, on the grid, in model units; or the reason why it gives nothing.
#include <map>
#include <optional>

#include "core/error.h"
#include "dataset/clean.h"
#include "dataset/dataset.h"
#include "historian/historian.h"

namespace flyball::dataset {

struct AssembledRun {
  std::optional<Message> dropped;  ///< set: the run gives nothing, `series` is empty
  Series series;
  std::vector<CleanCounts> counts;  ///< per variable
  TimeUs newest = 0;                ///< newest sample read
  TimeUs complete_to = 0;           ///< least over the sloped tags of their newest sample
};

AssembledRun assemble_run(const historian::Historian& historian, const Spec& spec,
                          const plant::Run& run);

}  // namespace flyball::dataset
