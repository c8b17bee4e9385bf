#pragma once
// Plans of moves as trajectories: MVs held between moves, CVs by superposition on the free
// response.
#include "optimise/explain.h"

namespace flyball::optimise {

class Plans {
 public:
  /// free: P × CVs, what the CVs do when every MV stays. Both are kept by reference.
  Plans(const ProblemIr& problem, const Setup& setup, const Matrix& free)
      : p_(problem), setup_(setup), free_(free) {}

  /// z (n): moves, index i·nu + m.
  [[nodiscard]] Trajectory of(const Vector& z) const;
  /// Moves of a plan.
  [[nodiscard]] Vector moves(const Matrix& controls) const;
  /// The engine's answer; MVs in manual, and with `only` ≥ 0 all others, exactly where they are.
  [[nodiscard]] Trajectory answer(Index only = -1) const;

 private:
  const ProblemIr& p_;
  const Setup& setup_;
  const Matrix& free_;
};

}  // namespace flyball::optimise
