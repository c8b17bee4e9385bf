#pragma once
// Straight lines between bends: what an archive leaves that interpolates between fewer values.
#include "survey/signal.h"

namespace flyball::survey {

/// A line is at least 5 samples of one run whose changes are not 0 and agree within 2e-4 of
/// themselves. Told when lines hold half of the samples, there are at least 20 of them and as many
/// slopes as half of their number: a coarse signal, whose changes are few different numbers, and a
/// profile of a few ramps have none. O(samples).
std::optional<StraightLines> find_straight_lines(const Signal& signal);

}  // namespace flyball::survey
