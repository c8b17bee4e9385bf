#pragma once
// The clock of a tag: its step, jitter, gaps, slip and phase.
#include "survey/signal.h"

namespace flyball::survey {

/// O(samples). A slip is told only of a clock of which half of the steps are the same to the
/// microsecond: Σ (step − median) / median over the steps that are no gaps.
Sampling sampling_of(const Signal& signal);

}  // namespace flyball::survey
