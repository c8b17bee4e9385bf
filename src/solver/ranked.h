#pragma once
// Programs whose limits cannot all be met: the soft ones give way by rank. Rank 1 is kept longest:
// its least violation is found with the lower ranks left out, min ½ Σ (violation/unit)² over the
// hard limits; then it is fixed and rank 2 is looked at, and so on; at last the objective is
// minimised with all limits moved by what they gave way. This is what penalties that grow without
// limit from rank to rank converge to, and exact: when all limits can be met none gives way. Cost:
// one solve when all limits can be met, else one more a rank and the last. Source: Kerrigan and
// Maciejowski, UKACC Control (2000).
#include <span>
#include <vector>

#include "solver/program.h"

namespace flyball::solver {

/// A limit pair that may give way: index of a variable's bounds 0..n−1, or n + row.
struct SoftLimit {
  Index limit = 0;
  int rank = 1;     ///< ≥ 1, 1 the last to give way
  double unit = 1;  ///< > 0: violations of one rank are compared over it
};

/// How far a limit pair was moved, in its own units.
struct Relaxation {
  Index limit = 0;
  int rank = 1;
  double below = 0, above = 0;  ///< lower limit moved down, upper limit moved up
};

struct RankedSolution {
  Solution solution;                ///< infeasible: by the hard limits alone, see its certificate
  std::vector<Relaxation> relaxed;  ///< by rank, then limit; empty when every limit is met
};

/// Throws as solve() does, and QP_SOFT_LIMIT for a limit that is none or named twice.
RankedSolution solve_ranked(Program program, std::span<const SoftLimit> soft,
                            const Settings& settings = {});

}  // namespace flyball::solver
