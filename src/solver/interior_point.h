#pragma once
// Primal-dual interior point for sparse convex programs: Mehrotra's predictor and corrector on
// slacks of all finite limits, equations kept as they are, Newton systems by Kkt. Input: a
// presolved program (no fixed variable, rows and columns near 1). The answer is a start for
// polish() and the active sets it names, or good enough by itself: the caller measures it. Cost:
// one sparse factorisation an iteration, 10 to 60 iterations. Source: Mehrotra, SIAM J. Optim. 2
// (1992); Altman and Gondzio, Optim. Methods Softw. 11 (1999).
#include <functional>

#include "solver/program.h"

namespace flyball::solver {

struct InteriorPoint {
  Vector x, y, z;
  /// By limit pair (variables, then rows): −1 on the lower limit, 1 on the upper one, 0 between, 2
  /// an equation.
  std::vector<signed char> active;
  int iterations = 0;
  bool stopped = false;  ///< by `stop`
};

/// `target` of the three residuals in the scale of `program`; `size` of the multipliers at the
/// start: 100 fits most programs, 1e4 those with far larger multipliers. `stop` is asked once an
/// iteration.
InteriorPoint interior_point(const Program& program, double target, double size, int max_iterations,
                             const std::function<bool()>& stop);

}  // namespace flyball::solver
