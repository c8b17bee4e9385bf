#pragma once
// Equal values in a row: held, oversampled, stepped and frozen signals.
#include "survey/signal.h"

namespace flyball::survey {

/// hold_steps: the largest k ≥ 2 such that 90 % of at least 20 changes come a multiple of k steps
/// after the one before; not told when the changes are those of a slow monotone signal with a
/// coarse resolution. looks_stepped: a median stay of 3 samples or more, and moves that are large
/// (20 % of the 5..95 % range, or two values only), or irregular in time and of many quanta. `step`
/// is the step of the clock. O(samples).
Shape shape_of(const Signal& signal, const ValueFacts& values, DurationUs step);

/// Stays far longer than usual: at least 20 samples and 10 times the stay in which three quarters
/// of the samples of all shorter stays lie; told of signals that jitter (20 changes, a fifth of
/// them against the one before), since a smooth signal may rest. Those at the least or largest
/// value stand apart: the signal may be at its limit. O(samples).
void find_frozen(const Signal& signal, TagFacts& facts);

}  // namespace flyball::survey
