#pragma once
// One run: fetched, cleaned, on the grid, in model units; or the reason why it gives nothing.
#include <optional>

#include "core/error.h"
#include "dataset/clean.h"
#include "dataset/dataset.h"
#include "dataset/timing.h"
#include "dataset/transport.h"
#include "historian/historian.h"

namespace flyball::dataset {

struct AssembledRun {
  std::optional<Message> dropped;  ///< set: the run gives nothing, `series` is empty
  Series series;
  std::vector<CleanCounts> counts;              ///< per variable
  std::vector<Timing> timing;                   ///< per variable; zeros for a stepped one
  std::map<Index, TransportSummary> transport;  ///< of delayed variables, by column
  std::vector<TimeUs> newest;                   ///< per variable: its newest sample read
  Interval used{};  ///< from the oldest sample read to just after the newest
};

/// Assembles runs one at a time; keeps references to what it is given.
class Assembler {
 public:
  /// Throws what kept_modes() throws.
  Assembler(const historian::Historian& historian, const Spec& spec);

  /// Memory: the samples of the run and its grid. Samples are those that the run owns, inside the
  /// spec's [from, to).
  [[nodiscard]] AssembledRun run(const plant::Run& run) const;

 private:
  bool read_tags(const plant::Run& run, std::vector<Cleaned>& tags, AssembledRun& out) const;
  [[nodiscard]] std::vector<historian::Sample> fetch(const plant::Run& run,
                                                     const std::string& node_id) const;

  const historian::Historian& historian_;
  const Spec& spec_;
  KeptModes modes_;
};

}  // namespace flyball::dataset
