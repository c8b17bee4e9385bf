#pragma once
// How many lags a record with holes can carry.
//
// A row of a regression needs every lag of every signal. Where cells are missing here and there,
// the rows with that many complete rows before them fall with the number of lags, as e^{−lags/mean
// stretch}: a test over a window that few rows fill finds nothing, whatever the plant does.
#include <array>
#include <vector>

#include "identify/training_data.h"

namespace flyball::identify {

/// Lags 0..range of every input and 1..order of the CV.
struct LagWindow {
  Index range = 20, order = 10;
};

/// Σ max(length − lags, 0) over the stretches: rows that have `lags` rows of theirs before them.
Index rows_behind(const std::vector<Stretch>& stretches, Index lags);

/// Each run as one stretch of the rows of its blocks: what it would be without the cuts that
/// missing cells make.
std::vector<Stretch> uncut(const std::vector<Stretch>& blocks);

/// Holes take 30 % or more of the rows that have `lags` rows before them.
bool holes_matter(const std::vector<Stretch>& stretches, const std::vector<Stretch>& blocks,
                  Index lags);

/// 3/4, 1/2, 3/8 and 1/4 of `asked`, order at least 3.
std::array<LagWindow, 4> narrower(LagWindow asked);

/// `asked`, when the holes do not matter or when the rows that are left are at least four times the
/// terms of the test, inputs·(range + 1) + order; else the first of the narrower windows that has
/// so many rows, and the last when none has. `before`: lags before the range begins.
LagWindow window_within(const std::vector<Stretch>& stretches, const std::vector<Stretch>& blocks,
                        Index inputs, Index before, LagWindow asked);

}  // namespace flyball::identify
