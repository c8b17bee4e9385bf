#pragma once
// From an approximate optimum to one at rounding level: the limits that it names active become
// equations, their linear system is solved with iterative refinement, and limits that turn out
// wrong are exchanged. Cost: one sparse factorisation a round.
#include "solver/interior_point.h"

namespace flyball::solver {

/// `worst(x, y, z)`: the residual to improve. Improves start.x, y, z; returns the residual of the
/// best.
double polish(const Program& program, InteriorPoint& start, double target, int rounds,
              const std::function<double(const Vector&, const Vector&, const Vector&)>& worst);

}  // namespace flyball::solver
