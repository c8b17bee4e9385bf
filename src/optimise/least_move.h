#pragma once
// minMove: a first move smaller than that of its MV is not made. The MV whose first move is the
// smallest part of its minMove stays where it is at this step, and all the rest is optimised again,
// until no such move is left: at most one more solve for each MV. Where a hard limit does not allow
// that it stays, it moves by at least minMove. Later moves may be of any size.
#include <optional>

#include "optimise/ranked.h"

namespace flyball::optimise {

struct LeastMoves {
  RankedAnswer answer;
  std::vector<Words> held;      ///< which MVs stay for that reason
  std::optional<Index> blocks;  ///< infeasible only because of the minMove of this MV
};

/// `ranked` keeps what was decided until hold_others().
LeastMoves solve_with_least_moves(const ProblemIr& problem, Ranked& ranked,
                                  const MpcEngine& engine);

}  // namespace flyball::optimise
