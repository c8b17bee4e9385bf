#pragma once
// Numbers that stand for "no value" (−200, −999, −9999, 0 among 85..90), found without a list.
#include "survey/signal.h"

namespace flyball::survey {

/// At either end of the distribution, up to 4 values that
/// - occur at least 3 times each, exactly equal, and at least once between other values of a run;
/// - lie beyond a hole at least 50 times as wide as the widest among the next values of that end
///   (3 to 10 spacings of different values), or 10 times when each also occurs at least 3 times as
///   often as is usual among them.
/// So a rare sentinel needs a wide hole; a binary or coarse signal, whose values are as far apart
/// as any, has none. Invariant to units. O(samples).
std::vector<BadValue> find_bad_values(const Signal& signal);

}  // namespace flyball::survey
