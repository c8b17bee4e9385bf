#include "optimise/least_move.h"

#include <cmath>

#include "optimise/in_units.h"

namespace flyball::optimise {
namespace {

/// The MV whose first move is the smallest part of what it has to be at least; −1: none.
Index smallest(const ProblemIr& p, const MpcEngine& engine, const std::vector<bool>& decided) {
  double part = 1 - 1e-9;
  Index out = -1;
  for (std::size_t m = 0; m < p.mv.size(); ++m) {
    const auto least = least_move(p, m);
    if (!least || decided[m]) continue;
    const double move = std::abs(engine.z()[m]);
    if (move <= kStays * range_of(p.mv[m].train) || move >= part * *least) continue;
    part = move / *least;
    out = static_cast<Index>(m);
  }
  return out;
}

}  // namespace

LeastMoves solve_with_least_moves(const ProblemIr& p, Ranked& ranked, const MpcEngine& engine) {
  LeastMoves out{ranked.solve(), {}, {}};
  std::vector<bool> decided(p.mv.size(), false);
  while (out.answer.answer == Answer::solved) {
    const Index m = smallest(p, engine, decided);
    if (m < 0) break;
    const auto at = static_cast<std::size_t>(m);
    const MvTerm& mv = p.mv[at];
    decided[at] = true;
    const double move = engine.z()[m];
    ranked.hold_first(m);
    RankedAnswer next = ranked.solve();
    if (next.answer == Answer::infeasible && *mv.min_move <= mv.max_move) {
      ranked.move_first(m, std::copysign(*mv.min_move, move));
      next = ranked.solve();
    } else {
      out.held.push_back(words({"MPC_MIN_MOVE",
                                {{"mv", mv.var_id},
                                 difference_in_units("move", move, mv),
                                 difference_in_units("limit", *mv.min_move, mv)}}));
    }
    if (next.answer == Answer::infeasible) out.blocks = m;
    next.iterations += out.answer.iterations;
    out.answer = next;
  }
  return out;
}

}  // namespace flyball::optimise
