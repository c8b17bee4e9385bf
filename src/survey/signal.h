#pragma once
// The usable samples of one tag in memory, run after run.
#include <span>
#include <string>
#include <vector>

#include "historian/historian.h"
#include "survey/tag_facts.h"

namespace flyball::survey {

struct Signal {
  struct Run {
    std::string id;
    std::size_t first = 0, end = 0;  ///< [first, end) of t and x, not empty
  };
  std::vector<TimeUs> t;  ///< ascending within a run
  std::vector<double> x;  ///< finite
  std::vector<Run> runs;

  [[nodiscard]] std::span<const double> values(const Run& run) const {
    return {x.data() + run.first, run.end - run.first};
  }
  /// Takes the samples with one of these values out.
  void remove(const std::vector<double>& values);
};

/// The samples that each run owns in [from, to), read by page: 16 bytes a sample. Counts into
/// `counts`.
Signal read_signal(const historian::Historian& historian, const std::string& node_id,
                   const std::vector<plant::Run>& runs, TimeUs from, TimeUs to,
                   SampleCounts& counts);

/// Quantiles by linear interpolation between order statistics, ascending q; O(n) each. Reorders v,
/// which must not be empty.
std::vector<double> quantiles(std::vector<double>& v, std::span<const double> q);

}  // namespace flyball::survey
