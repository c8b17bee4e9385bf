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

/// The rows t of the block where a prediction may start that can be judged (judged_windows() in
/// dataset/split.h), ascending, as rows of the run's series. Of the steps ahead those count that
/// was_observed() says. O(steps·columns).
std::vector<Index> window_starts(const dataset::Series& series, const dataset::Block& block,
                                 const Layout& columns, WindowShape shape);

/// Whether the value was measured, not held or filled in.
inline bool was_observed(const dataset::Series& series, Index row, Index column) {
  return series.mask(row, column) == 1;
}

/// A stretch of consecutive window starts.
struct Stretch {
  Index first = 0;
  Index count = 0;
};
std::vector<Stretch> stretches(const std::vector<Index>& starts);

}  // namespace flyball::evaluate
