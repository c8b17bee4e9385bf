#pragma once
// The distribution of the values of a tag.
#include "survey/signal.h"

namespace flyball::survey {

/// O(samples): quantiles by selection in one copy, different values counted up to kMostDistinct.
ValueFacts values_of(std::span<const double> x);

}  // namespace flyball::survey
