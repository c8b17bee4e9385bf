#pragma once
// Which rows are train, val and test (decisions.md §2, Purge; platform.md §2.4.2, 7 and 8).
#include <cstdint>
#include <string>
#include <vector>

#include "dataset/dataset.h"

namespace flyball::dataset {

/// What the split needs to know of a row. Usable: every MV and DV has a value (observed, held or
/// interpolated) and every CV is observed. Broken: an MV or DV has no value, so that no simulation
/// passes over it.
struct Rows {
  std::vector<std::uint8_t> usable, broken;
};
Rows classify(const Series& series, const Spec& spec);

/// Starts t of windows inside rows [first, first + steps): no value missing in [t−H, t+F) and every
/// CV observed in [t, t+F).
std::int64_t count_windows(const Series& series, const Spec& spec, Index first, Index steps);

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

/// Blocks of all runs, ordered train, val, test, inside a part by run, then time. From 3 runs on
/// each run is one part; with fewer each run is cut in time and the first H + F rows of the later
/// part are discarded at each border. Blocks are cut where rows are broken and never empty.
std::vector<Block> split_blocks(const std::vector<Series>& runs, const Spec& spec);

/// Runs needed to split by run.
inline constexpr std::size_t kRunsToSplitByRun = 3;

}  // namespace flyball::dataset
