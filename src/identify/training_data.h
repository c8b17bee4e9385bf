#pragma once
// The train rows of a dataset as one table: nothing of val and test is ever copied into it.
#include <string>
#include <vector>

#include "dataset/dataset.h"
#include "math/types.h"

namespace flyball::identify {

/// Rows [first, end) of a table that follow each other in time, of one run.
struct Stretch {
  Index first = 0, end = 0;
  Index run = 0;
};

/// Columns: inputs (MVs, then DVs), then CVs, each (v − mean)/std over the train rows; a constant
/// column is zero with std 1. NaN = missing.
struct TrainingData {
  std::vector<std::string> inputs, outputs;
  Index n_mv = 0;
  Matrix x;
  Mask observed;                ///< rows × ny: 1 where the CV was measured, not filled
  Vector mean, std, low, high;  ///< model units, per column
  std::vector<bool> constant;   ///< max − min ≤ 1e-9·max|x|
  std::vector<Stretch> blocks;  ///< train blocks, in the dataset's order
  Index runs = 0;
  std::vector<bool> levels_differ;  ///< per CV, see run_levels.h; empty: not judged
  Matrix run_levels;        ///< runs × ny: what the CV settles at with the inputs at run_means
  Matrix run_means;         ///< runs × nu: of the inputs
  Vector run_spread;        ///< per CV, model units: of the levels that the inputs do not tell
  double run_tracking = 0;  ///< runs/rows: share of an innovation that is a change of a level

  [[nodiscard]] Index nu() const { return static_cast<Index>(inputs.size()); }
  [[nodiscard]] Index ny() const { return static_cast<Index>(outputs.size()); }
  [[nodiscard]] bool has_run_levels(Index cv) const {
    return !levels_differ.empty() && levels_differ[static_cast<std::size_t>(cv)];
  }
  [[nodiscard]] const std::string& name(Index column) const {
    return column < nu() ? inputs[static_cast<std::size_t>(column)]
                         : outputs[static_cast<std::size_t>(column - nu())];
  }
};

/// With the levels of its runs judged. Throws TRAIN_PART_EMPTY without a train row.
TrainingData training_data(const dataset::Dataset& data);

/// Maximal stretches of [0, rows) within `blocks` in which every listed column of x is finite.
std::vector<Stretch> usable(const Matrix& x, const std::vector<Index>& columns,
                            const std::vector<Stretch>& blocks);

}  // namespace flyball::identify
