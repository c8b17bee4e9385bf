#pragma once
// A plant of channels as the linear model that it is when its inputs are held from step to step.
#include "model/linear_state_space.h"
#include "testbed/testbed.h"

namespace flyball::testbed {

/// Exact: first-order lags with any dead time, second-order ones with whole steps of it. No noise
/// model (K = 0), all inputs MVs.
model::LinearStateSpace state_space(const Plant& plant, double period);

}  // namespace flyball::testbed
