#pragma once
// Which rows are train, val and test (decisions.md §2, Purge; platform.md §2.4.2, 7 and 8).
#include <cstdint>
#include <string>
#include <vector>

#include "dataset/report.h"

namespace flyball::dataset {

/// What the split needs to know of a row. Usable: every MV and DV has a value (observed, held or
/// interpolated) and every CV is observed. Broken: an MV or DV has no value, or the row lies in a
/// hole, so that no simulation passes over it. A hole is a stretch without any observed value that
/// lasts longer than maxGapMs, by default than 10 times the median distance of rows that have one.
struct Rows {
  std::vector<std::uint8_t> usable, broken;
  std::int64_t holes = 0, longest_hole = 0;  ///< rows of the longest one
};
Rows classify(const Series& series, const Spec& spec);

/// Rows that no window may hold (a value is missing) or predict (a CV is not observed).
struct RowFlags {
  std::vector<std::uint8_t> missing, unobserved;
};
RowFlags row_flags(const Series& series, const Spec& spec, Index first, Index steps);

/// f(t) for the starts t of complete windows inside rows [first, first + steps), ascending: no value missing
/// in [t−H, t+F) and every CV observed in [t, t+F).
template <class F>
void for_each_window(const Series& series, const Spec& spec, Index first, Index steps, const F& f) {
  const RowFlags rows = row_flags(series, spec, first, steps);
  const Index history = spec.window.history_steps, horizon = spec.window.horizon_steps;
  Index complete = 0, observed = 0;  // rows in a row
  for (Index i = 0; i < steps; ++i) {
    complete = rows.missing[static_cast<std::size_t>(i)] != 0 ? 0 : complete + 1;
    observed = rows.unobserved[static_cast<std::size_t>(i)] != 0 ? 0 : observed + 1;
    if (complete >= history + horizon && observed >= horizon) f(first + i + 1 - horizon);
  }
}

/// A window of predictions can be judged when this share of the steps ahead is observed, of each CV.
inline constexpr double kJudgedShare = 0.75;

/// The rows t of [first, first + steps) where a prediction may start that can be judged, ascending:
/// first + H ≤ t ≤ first + steps − F, a value of every column in [t−H, t+F), every CV observed at
/// t−1 (so that nothing filled in before t knows what comes after) and, in [t, t+F), for at least
/// kJudgedShare of the steps. Errors count where the CV was observed. O(steps·columns).
std::vector<Index> judged_windows(const Series& series, const std::vector<Index>& inputs,
                                  const std::vector<Index>& outputs, Index first, Index steps,
                                  Window window);

/// Of the form that the spec asks for: complete ones where windows are stored, else judged ones.
std::int64_t count_windows(const Series& series, const Spec& spec, Index first, Index steps);

/// Why a run has no window: RUN_CV_UNSEEN when some stretch of H + F rows has all values, else
/// RUN_NO_WINDOW with the longest that has and the H and F that it holds.
Message no_window(const Series& series, const Spec& spec);
Message no_window(Index longest, Window window);

/// The part of each of n ≥ 1 runs: shuffled (Fisher–Yates, mulberry32(seed)), then test first, then
/// val, the rest train.
std::vector<Part> parts_by_run(std::size_t n, const Split& split);

/// The first row of val and of test of a record cut in time: train has the first
/// n − round(n·val) − round(n·test) of its n usable rows, val the next round(n·val), test the rest.
/// Depends on nothing else, so that train stays the same whatever H and F are.
struct Borders {
  Index val = 0, test = 0;
};
Borders borders_in_time(const std::vector<std::uint8_t>& usable, const Split& split);

struct Splitting {
  std::vector<Block> blocks;
  PartCounts windows;
  std::vector<RunShape> shapes;  ///< per run
};

/// Blocks of all runs, ordered train, val, test, inside a part by run, then time. From 3 runs on
/// each run is one part; with fewer each run is cut in time and the first H + F rows of the later
/// part are discarded at each border. Blocks are cut where rows are broken and never empty. Each
/// run is asked for once.
Splitting split_blocks(const RunSource& runs, const Spec& spec);

/// Runs needed to split by run.
inline constexpr std::size_t kRunsToSplitByRun = 3;

}  // namespace flyball::dataset
