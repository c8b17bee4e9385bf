#pragma once
// Which inputs a model may have: those that moved enough, set-points never.
#include <vector>

#include "identify/identify.h"
#include "identify/training_data.h"

namespace flyball::identify {

struct InputChoice {
  std::vector<Excitation> excitation;  ///< inputs in order, with the reason of those left out
  std::vector<bool> used;              ///< per input column
  std::vector<Index> columns;          ///< of the used ones
  Index max_nb = 1;                    ///< lags that every used input excites, at most max_order
};

/// Warns of constant, unmoved and narrow inputs (INPUT_CONSTANT, MV_NOT_EXCITED, PERSISTENCE_LOW).
InputChoice choose_inputs(const TrainingData& data, const std::vector<SetPoint>& set_points,
                          Index max_order, std::vector<Message>& warnings);

}  // namespace flyball::identify
