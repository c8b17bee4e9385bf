#pragma once
// Calendar pieces of a single record as runs of uncertainty evidence (decisions: runs of a
// continuous line). They count only when what a piece says of the errors is news after the piece
// before it: the errors one piece apart are not correlated.
#include <stop_token>
#include <string>

#include "evaluate/predictor.h"

namespace flyball::uq {

/// 10 settling times, at least what one scoring block takes.
Index piece_steps(Index settling, Index horizon);

struct PieceTest {
  std::string cv;          ///< of the largest correlation over its limit
  double correlation = 0;  ///< NaN: fewer than 10 pairs
  double limit = 0;        ///< 1.64/√pairs: one-sided, 5 %
};

/// Errors at the last step of the horizon over all parts, averaged over groups of settling + h
/// rows, which makes groups of a short memory independent; the correlation of groups one piece
/// apart, about the mean of all. At most 16 predictions a group.
PieceTest test_pieces(const dataset::Dataset& data, const evaluate::Predict& predict,
                      evaluate::WindowShape shape, Index piece, Index settling,
                      const std::stop_token& stop = {});

}  // namespace flyball::uq
