#pragma once
// Cleaning and grid of one node by the rules of the reference system (platform.md §2.4.2, 2 and 3).
#include <optional>
#include <span>
#include <vector>

#include "dataset/clean.h"

namespace flyball::dataset {

/// Values of the buckets from the node's first to its last, NaN = missing.
struct V1Node {
  TimeUs start = 0;
  std::vector<double> values;  ///< empty: no sample was left
  CleanCounts counts;          ///< `dropped_quality`: state not ok; `dropped_spike`: Hampel
};

/// Drops samples that are not good, then outside [min, max], then by v1_spikes(); a value that is
/// not finite is no value. A bucket ⌊t/beat⌋·beat has the mean of its samples; between filled ones
/// p < q with beat < q − p ≤ max_interp + beat it is linear. Throws V1_RUN_TOO_LONG above 10⁹
/// buckets.
V1Node v1_node(std::span<const historian::Sample> samples, const CleanRule& rule, DurationUs beat,
               DurationUs max_interp);

}  // namespace flyball::dataset
