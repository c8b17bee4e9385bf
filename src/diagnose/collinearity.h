#pragma once
// MVs that moved together: can their gains be told apart, and which move would do it?
#include <string>
#include <vector>

#include "core/record.h"
#include "dataset/dataset.h"
#include "identify/identify.h"

namespace flyball::diagnose {

/// The one move that separates an MV from those it followed.
struct SeparatingMove {
  std::string mv, others, cv;
  double step = 0;
  std::int64_t steps = 0, moves = 1;
  double gain_std_error_now = 0, gain_std_error_then = 0;
  static constexpr auto fields() {
    using S = SeparatingMove;
    return FieldList{
        field("mv", &S::mv, "to be stepped"),
        field("others", &S::others, "to be held meanwhile"),
        field("cv", &S::cv, "whose gain gains most"),
        field("step", &S::step, "up and back, model units"),
        field("steps", &S::steps, "to hold it, then as long at the old value").unit("steps"),
        field("moves", &S::moves, "repetitions"),
        field("gainStdErrorNow", &S::gain_std_error_now, "of the gain, as the data stand"),
        field("gainStdErrorThen", &S::gain_std_error_then, "expected with the move")};
  }
};

/// Per collinear MV. What an MV does by itself carries the information I = N·var(u)·(1 − R²) on its
/// gain; a step of size x held for n steps and as long back carries x²·n/2 more, of the same noise.
/// x is chosen so that the standard error halves, or t = |gain|/error reaches 3, up to a quarter of
/// the error; n is the settling time. A step beyond the train range is split into repetitions.
std::vector<SeparatingMove> separating_moves(const dataset::Dataset& data,
                                             const identify::IdentifyResult& found);

}  // namespace flyball::diagnose
