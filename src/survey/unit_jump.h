#pragma once
// A part of the samples in another unit: °C and °F in one stream, a unit changed in the logger.
#include "survey/signal.h"

namespace flyball::survey {

/// The usual change s of the signal is twice the lower quartile of |Δx| ≠ 0, at least its quantum.
/// An edge is a change above 8·s within a run; levels beside it are medians of up to 5 samples. A
/// pair of units (value·scale + offset) fits an edge when it takes one level to the other within
/// 2·s and the levels are at least 20 times as far apart as that tolerance. Told when at least half
/// of the edges fit one pair, with one going up and one coming back; or when the only edge fits a
/// pair with a scale and at least 50 samples stand on each side. From 20 samples in the other unit
/// on, their usual change must be that of the others times the scale (0.6 .. 1.6 of it); pairs
/// without a scale need both directions. Not invariant to units. O(samples).
std::optional<UnitJump> find_unit_jump(const Signal& signal, double quantum);

}  // namespace flyball::survey
