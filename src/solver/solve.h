#pragma once
// One convex program, by the method that fits it. Presolve; then the dense active set
// (active_set.h) where H is positive definite and the program small or dense, else the interior
// point with a polish on the active set it found; each answer is measured on the program as given,
// and the other method is tried when the first one's does not hold. Infeasible and unbounded are
// said with a checked proof. Cost: see the methods. Many solves with one H and A: use ActiveSet.
#include "solver/program.h"

namespace flyball::solver {

/// Throws QP_SHAPE, QP_NOT_FINITE, QP_NOT_SYMMETRIC for inputs that are no program, QP_NOT_CONVEX.
Solution solve(Program program, const Settings& settings = {});

}  // namespace flyball::solver
