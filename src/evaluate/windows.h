#pragma once
// Windows are index arithmetic on a series; they are never stored and never cross a block.
#include <vector>

#include "dataset/dataset.h"

namespace flyball::evaluate {

/// Columns of a dataset as a predictor sees them: inputs MVs first, then DVs; outputs the CVs.
struct Layout {
  std::vector<Index> inputs;
  std::vector<Index> outputs;
  Index n_mv = 0;
};
Layout layout(const dataset::Dataset& data);

/// H rows of history, F rows predicted.
struct WindowShape {
  Index history = 1;
  Index horizon = 1;
};

/// The rows t of the block where a prediction may start, ascending, as rows of the run's series:
/// first + H ≤ t ≤ first + steps − F, no value missing in rows [t−H, t+F), and every CV observed
/// (mask 1) in rows [t, t+F). O(steps·columns).
std::vector<Index> window_starts(const dataset::Series& series, const dataset::Block& block,
                                 const Layout& columns, WindowShape shape);

/// A stretch of consecutive window starts.
struct Stretch {
  Index first = 0;
  Index count = 0;
};
std::vector<Stretch> stretches(const std::vector<Index>& starts);

}  // namespace flyball::evaluate
