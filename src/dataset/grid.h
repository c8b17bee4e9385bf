#pragma once
// The beat grid of a run (decisions.md §2, Grid outside v1). Step i is the bucket
// [start + i·beat, start + (i+1)·beat); its value is known at the end of the bucket and uses no
// sample after it, except where a gap is interpolated (mask 2).
#include <cstdint>
#include <optional>
#include <span>

#include "core/time.h"
#include "dataset/clean.h"
#include "math/types.h"

namespace flyball::dataset {

struct Grid {
  TimeUs start = 0;
  DurationUs beat = 0;
  Index steps = 0;
  [[nodiscard]] TimeUs at(Index i) const { return start + i * beat; }
  [[nodiscard]] TimeUs end() const { return at(steps); }
};

/// Where buckets begin, modulo the beat: 0 when the beat divides a day (buckets begin at
/// ⌊t/beat⌋·beat), else the first sample of the run, so that a record that begins at midnight for
/// want of real times begins its first bucket there.
TimeUs grid_phase(TimeUs first_sample, DurationUs beat);

/// The start of the bucket that holds t.
TimeUs bucket_start(TimeUs t, TimeUs phase, DurationUs beat);

/// True when the samples lie one a bucket, all at the same distance from its start, in at least
/// half of the buckets between the first and the last: such a tag passes to the grid unchanged.
bool lies_on_grid(std::span<const TimeUs> t, DurationUs beat);

/// How a tag lies on the grid: what was filled in and what is missing.
struct GridCounts {
  std::int64_t interpolated = 0, held = 0, missing = 0;
};

/// Sloped tag: a bucket with one sample has its value, with several their time-weighted mean (each
/// stands for the time nearest to it in the bucket); empty buckets between filled ones p < q are
/// interpolated linearly when (q − p)·beat ≤ max_interp + beat, else NaN. Writes grid.steps values
/// and masks. O(samples + steps).
GridCounts sloped_to_grid(const Cleaned& tag, const Grid& grid, DurationUs max_interp,
                          double* value, std::uint8_t* mask);

/// How long a stepped tag holds what it said last.
struct HoldRule {
  std::optional<DurationUs> longest;  ///< without a sample; none: no limit
  DurationUs bridged = 0;             ///< a dropped sample ends it unless a good one follows so soon
};

/// Stepped tag: a sample holds until the next one, a dropped sample that is not bridged, `until`, or
/// for hold.longest; a bucket has the time-weighted mean of what is held in it, mask 1 when a sample
/// lies in it, else 2. A tag that lies on the grid passes unchanged. O(samples + steps).
GridCounts stepped_to_grid(const Cleaned& tag, const Grid& grid, const HoldRule& hold, TimeUs until,
                           double* value, std::uint8_t* mask);

/// When the last hold of a stepped tag ends (exclusive).
TimeUs end_of_hold(const Cleaned& tag, std::optional<DurationUs> max_hold, TimeUs until);

}  // namespace flyball::dataset
