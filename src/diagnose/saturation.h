#pragma once
// How much of the time did an MV stand at its limit? There it cannot answer, and says nothing.
#include <string>
#include <vector>

#include "core/record.h"
#include "dataset/dataset.h"

namespace flyball::diagnose {

inline constexpr double kSaturatedShare = 0.20;  ///< a warning above it

/// Shares of the train rows of one MV.
struct Saturation {
  std::string mv;
  double at_low = 0, at_high = 0, low = 0, high = 0;
  bool declared = false, saturated = false;
  static constexpr auto fields() {
    using S = Saturation;
    return FieldList{
        field("mv", &S::mv, "manipulated variable"),
        field("atLow", &S::at_low, "share of the train rows at or below `low`"),
        field("atHigh", &S::at_high, "share of the train rows at or above `high`"),
        field("low", &S::low, "declared limit, else the least value"),
        field("high", &S::high, "declared limit, else the largest value"),
        field("declared", &S::declared, "a limit of the tag is reached"),
        field("saturated", &S::saturated, "stands at a limit rather than visiting it")};
  }
};

/// At a limit: within a thousandth of the range. A signal of few levels (a test signal) rests at
/// its largest level as long as at the others and is not saturated: an undeclared limit counts only
/// for a signal of more than 10 levels that rests there 5 times as long as at the median level, a
/// declared one for a signal of more than two. O(rows·log rows).
std::vector<Saturation> saturation_of(const dataset::Dataset& data);

}  // namespace flyball::diagnose
