#pragma once
// Did the plant change during train? The answer of a CV to each input before and after a row.
//
// An ARX with all lags of the dead times' range is fitted to the rows before a border and to those
// after it, and to all. F = (rss − rss₁ − rss₂)/p / ((rss₁ + rss₂)/(n − 2p)) says whether one model
// holds for both (Chow 1960), at seven borders between 20 % and 80 % of the rows; p-values are
// multiplied by the number of borders and CVs. A change counts when it is in a gain: unlike that
// test, the difference of two gains does not answer to noise that changed.
#include <string>
#include <vector>

#include "core/record.h"
#include "dataset/dataset.h"
#include "identify/findings.h"

namespace flyball::diagnose {

/// Gain (of a level: rate) of one pair on both sides of the border at which they differ most.
struct TimeChange {
  std::string input, cv;
  double share = 0, p_value = 1;
  double before = 0, before_std_error = 0, after = 0, after_std_error = 0;
  static constexpr auto fields() {
    using S = TimeChange;
    return FieldList{field("input", &S::input, "MV or DV"),
                     field("cv", &S::cv, "controlled variable"),
                     field("share", &S::share, "of the train rows that stand before the border"),
                     field("pValue", &S::p_value, "of one model for both sides, corrected"),
                     field("before", &S::before, "gain before the border, model units"),
                     field("beforeStdError", &S::before_std_error, "standard error"),
                     field("after", &S::after, "gain after it"),
                     field("afterStdError", &S::after_std_error, "standard error")};
  }
};

/// Pairs whose gains differ by a quarter of the larger and by more than 4 standard errors, one
/// border per CV; inputs without an answer too, since opposite halves cancel. Inputs in loops are
/// not judged. Empty for a CV with fewer than 10 rows per parameter. Cost per CV: 15 fits of
/// p = 10 + lags·inputs.
std::vector<TimeChange> time_changes_of(const dataset::Dataset& data,
                                        const identify::Findings& findings);

}  // namespace flyball::diagnose
