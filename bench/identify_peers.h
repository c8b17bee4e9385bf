#pragma once
// Identification beside reference implementations that the machine may have: numpy, LAPACK and
// statsmodels (build/oracles), octave-control (Debian). Same rows, same structure, same run.
#include "math/types.h"

namespace flyball::identify {

/// Stable plant of first-order lags with noise, columns inputs then outputs.
Matrix bench_series(Index rows, Index inputs, Index outputs);

/// Prints CPU times and ratios; false when answers do not agree. `rows` of the long regression.
bool compare_with_peers(Index rows);

}  // namespace flyball::identify
