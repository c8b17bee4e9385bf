#pragma once
// What a model would have said, beside what then happened: the evidence of a model in shadow.
//
// Over each block predictions of F steps start every F steps, from the H rows before, with the MVs
// as they were and the DVs held, by the rollout that evaluation and serving use. O(rows·n²).
#include <string>
#include <vector>

#include "evaluate/load_model.h"

namespace flyball::evaluate {

struct ReplayedPrediction {
  std::string run_id;
  TimeUs at = 0;             ///< end of the last row that was known
  std::vector<double> rmse;  ///< per CV over the steps observed, in train standard deviations
  std::int64_t inside = 0;   ///< values of CVs within the half width
  std::int64_t total = 0;    ///< values compared; 0 without a half width
  std::vector<double> level;  ///< per CV, mean over the steps observed − train mean, in train deviations
  /// Of the inputs of the first row predicted: the largest |value − train mean| / train deviation.
  double distance = 0;
  std::string regime;        ///< of the MVs' means: l, m or h third of each MV's train range
};

/// `half_width`: of the interval, per CV in model units; empty when the model has none. Windows
/// that cannot be judged (window_starts) and values that were not observed are left out.
std::vector<ReplayedPrediction> replay(const dataset::Dataset& data, const LoadedModel& model,
                                       const std::vector<double>& half_width);

/// Share of `range` in thirds, as a letter: "l" below a third of it, "h" above two thirds.
char third(double value, double min, double max);

}  // namespace flyball::evaluate
