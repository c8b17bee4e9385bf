#pragma once
// A part of the samples in another unit: °C and °F in one stream, a unit changed in the logger.
#include "survey/signal.h"

namespace flyball::survey {

/// Follows the level of the signal (median of the last 5 samples) from the start of each run. The
/// usual change s is twice the lower quartile of |Δx| ≠ 0, over all or over the first 50, whichever
/// is less, at least the quantum. A sample further than 8·s from the level is an edge. It fits a
/// pair of units when it lies within 3·s of the level once it is converted (other = value·scale +
/// offset, either way round), and the two are told apart by at least 13 times that tolerance; from
/// there on samples are converted until an edge leads back. An edge that does not fit for 3 samples
/// begins a new level. Told when at least half of the edges fit one pair, one going there and one
/// coming back; or when the only edge fits a pair with a scale and at least 100 samples stand on
/// each side. From 20 changes between converted samples on, their median must be that of the others
/// (0.7 .. 1.4 of it). Not invariant to units. O(samples).
/// Pairs of another dimension than the declared unit ("" or unknown: any) are not tried.
std::optional<UnitJump> find_unit_jump(const Signal& signal, double quantum,
                                       const std::string& declared = {});

}  // namespace flyball::survey
