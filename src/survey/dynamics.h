#pragma once
// Dead times, time scale and integration of the train part, by the parts of identification.
#include <stop_token>

#include "identify/training_data.h"
#include "survey/dataset_facts.h"

namespace flyball::survey {

struct Dynamics {
  std::vector<identify::DeadTime> dead_times;  ///< input by input, as identification has them
  std::vector<CvFacts> cvs;
};

/// Dead times: identify/dead_time.h, lags 0..range of the inputs that move. Rise: a preliminary
/// ARX. Restoring t: Σaᵢ − 1 over its standard error in y(t) = Σ aᵢ y(t−i) + inputs, 5 lags of each
/// (augmented Dickey-Fuller with inputs); may integrate when it is above −2.86 (5 %) and the time
/// constant −1/(Σaᵢ − 1) is longer than a fifth of the longest stretch.
Dynamics dynamics_of(const identify::TrainingData& data, Index range, const std::stop_token& stop);

}  // namespace flyball::survey
