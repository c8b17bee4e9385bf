#pragma once
// When a control loop is in a mode in which its samples are wanted (decisions.md §2, Quality).
#include <span>
#include <vector>

#include "core/time.h"
#include "dataset/spec.h"
#include "historian/historian.h"

namespace flyball::dataset {

/// Ascending, disjoint, [from, to).
using ModeIntervals = std::vector<Interval>;

/// Codes of the mode tag in which samples are kept, by variable; empty for one without a mode tag.
using KeptModes = std::vector<std::vector<double>>;

/// From the texts of the spec and the states of the line's tags. Throws MODE_TAG_INVALID for a tag
/// that is unknown or not digital, MODE_UNKNOWN for a text that is none of its states.
KeptModes kept_modes(const Spec& spec, std::span<const plant::Tag> tags);

/// A mode holds from its sample to the next one; before the first sample and after one of bad
/// quality it is unknown, which is not kept. The last interval is open to the end of time.
ModeIntervals intervals_in_mode(std::span<const historian::Sample> samples,
                                std::span<const double> kept);

}  // namespace flyball::dataset
