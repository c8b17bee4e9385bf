#pragma once
// Point cleaning of one tag in one run (decisions.md §2): bad quality, not finite, outside the
// declared range, in another mode, marked bad by a person, spikes; in this order, in source units.
// Uncertain quality is kept.
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "core/record.h"
#include "core/time.h"
#include "dataset/modes.h"
#include "historian/historian.h"

namespace flyball::dataset {

enum class QualityPolicy { drop_bad_keep_uncertain };
constexpr auto enum_names(QualityPolicy) {
  return std::array<std::string_view, 1>{"drop_bad_keep_uncertain"};
}

/// What happened to the samples and the grid cells of one tag, in one run or over all of them.
struct CleanCounts {
  std::int64_t total = 0;
  std::int64_t dropped_quality = 0;
  std::int64_t dropped_not_finite = 0;
  std::int64_t dropped_range = 0;
  std::int64_t dropped_mode = 0;
  std::int64_t dropped_marked = 0;
  std::int64_t dropped_spike = 0;
  std::int64_t kept_suspects = 0;  ///< would be spikes, but are too many to be
  std::int64_t steps = 0;          ///< grid cells
  std::int64_t interpolated = 0;
  std::int64_t held = 0;
  std::int64_t missing = 0;
  std::int64_t marked = 0;
  static constexpr auto fields() {
    using C = CleanCounts;
    return FieldList{field("total", &C::total, "samples read"),
                     field("droppedQuality", &C::dropped_quality, "samples of bad quality"),
                     field("droppedNotFinite", &C::dropped_not_finite, "NaN or infinite"),
                     field("droppedRange", &C::dropped_range, "outside the declared range"),
                     field("droppedMode", &C::dropped_mode, "taken in another mode of the loop"),
                     field("droppedMarked", &C::dropped_marked,
                           "of a sloped tag, in a stretch that was marked bad"),
                     field("droppedSpike", &C::dropped_spike, "spikes of at most 2 samples"),
                     field("keptSuspects", &C::kept_suspects,
                           "would be spikes, but are more than 5 % of a run: kept"),
                     field("steps", &C::steps, "steps of the grid"),
                     field("interpolated", &C::interpolated, "steps filled by interpolation"),
                     field("held", &C::held, "steps filled by holding"),
                     field("missing", &C::missing, "steps without a value"),
                     field("marked", &C::marked, "steps left out because a person marked them")};
  }
  [[nodiscard]] std::int64_t dropped() const {
    return dropped_quality + dropped_not_finite + dropped_range + dropped_mode + dropped_marked +
           dropped_spike;
  }
  CleanCounts& operator+=(const CleanCounts& other);
  bool operator==(const CleanCounts&) const = default;
};

struct CleanRule {
  std::optional<double> min, max;     ///< source units
  std::optional<double> resolution;   ///< declared quantum
  std::int64_t spike_radius = 0;      ///< k; 0: no spike filter (MVs and stepped tags)
  std::vector<Interval> marked = {};  ///< samples in them are dropped; ascending, disjoint
};

struct Cleaned {
  std::vector<TimeUs> t;  ///< of what was kept, ascending
  std::vector<double> x;
  std::vector<TimeUs> breaks;  ///< times of dropped samples other than spikes: a hold ends there
  CleanCounts counts;
};

/// `samples` ascending in time. `mode` absent: every mode is kept; a hold ends where the loop
/// leaves the modes that are kept. O(n). `out` is overwritten; its memory is used again.
void clean(std::span<const historian::Sample> samples, const CleanRule& rule, Cleaned& out,
           const ModeIntervals* mode = nullptr);
Cleaned clean(std::span<const historian::Sample> samples, const CleanRule& rule);

/// Removes the elements at `drop` (ascending) from both lists.
void remove_at(std::span<const std::size_t> drop, std::vector<TimeUs>& t, std::vector<double>& x);

}  // namespace flyball::dataset
