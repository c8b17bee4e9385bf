#pragma once
// The arrays of users' code (platform.md §2.4.2, items 6 and 10): windows in the order train, val,
// test, inside a part by block, then time. A window begins at t when no value is missing in
// [t−H, t+F) and every CV is observed in [t, t+F); it lies in one block.
#include "dataset/emit.h"

namespace flyball::dataset {

/// x: H × variables of rows t−H..t−1; u: F × MVs and y: F × CVs of rows t..t+F−1; float32 of
/// (value − mean)/std computed in double, 0 for a constant column. timestamps: float64 ms and mask:
/// float32 (2 where any column of the row was filled), of rows t−H..t+F−1.
enum class WindowArray { x, u, y, timestamps, mask };

void emit_windows(WindowArray array, const Spec& spec, const std::vector<Block>& blocks,
                  const Norm& norm, const RunSource& runs, const Sink& sink);

}  // namespace flyball::dataset
