#pragma once
// A pole near 1 by a beat that is short against the plant.
#include <optional>

#include "identify/findings.h"
#include "math/types.h"

namespace flyball::identify {

/// POLE_OVERSAMPLED with the longer beat (a twentieth of the time constant, rounded) when that
/// leaves 250 train rows, for a pole above 0.99; else POLE_NEAR_ONE above 0.999.
std::optional<Message> pole_warning(const CvFinding& cv, double beat_ms, Index train_rows);

}  // namespace flyball::identify
