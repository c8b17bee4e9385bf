#pragma once
// Test signals, one column per input, each with its own switching.
#include "math/random.h"
#include "math/types.h"

namespace flyball::testbed {

/// Generalised binary noise: each input is ±amplitude and changes sign at each step with
/// probability 1/mean_switch_steps. steps × inputs.
Matrix gbn(Index steps, Index inputs, double mean_switch_steps, double amplitude,
           math::Random& random);

/// Maximum-length binary sequence of register length `bits` (3..11), each bit held for `hold`
/// steps; input i starts i·(2^bits − 1)/inputs bits later. Repeats after hold·(2^bits − 1) steps.
Matrix prbs(Index steps, Index inputs, int bits, Index hold, double amplitude);

/// Staircase of random levels in ±amplitude, each held for `hold` steps.
Matrix staircase(Index steps, Index inputs, Index hold, double amplitude, math::Random& random);

/// White normal noise added to each column of y so that 20·log10(σ(y)/σ(noise)) = snr_db.
void add_noise(Matrix& y, double snr_db, math::Random& random);

}  // namespace flyball::testbed
