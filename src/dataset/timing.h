#pragma once
// How regular the times of a tag are, against the beat they are put on.
#include <span>

#include "core/record.h"
#include "core/time.h"

namespace flyball::dataset {

/// Of one tag in one run, ms.
struct Timing {
  std::string run_id;
  double period = 0, offset = 0, jitter = 0;
  static constexpr auto fields() {
    return FieldList{
        field("runId", &Timing::run_id, "run"),
        field("periodMs", &Timing::period, "median time from sample to sample").unit("ms"),
        field("offsetMs", &Timing::offset, "median time from the start of the step to the sample")
            .unit("ms"),
        field("jitterMs", &Timing::jitter, "median distance of a period from the median one")
            .unit("ms")};
  }
};

/// Medians over at most 1 024 places spread evenly; all 0 for fewer than 2 samples. `start` is that
/// of any step of the grid.
Timing timing_of(std::span<const TimeUs> t, TimeUs start, DurationUs beat);

}  // namespace flyball::dataset
