#pragma once
// Dot products of a signal with delays of another in twice the working precision: the inner loop of
// ExactGram.
#include "math/double_double.h"
#include "math/types.h"

namespace flyball::math {

inline constexpr int kExactTile = 6;  ///< delays that one call answers

/// out[l] = Σ_t a[t] b[l][t], t = 0..n−1, for six b. The same bits on every machine.
void exact_dots(const double* a, const double* const* b, Index n, Double2* out);

/// Without fused multiply-add side by side: what exact_dots does on machines that lack it.
void exact_dots_portable(const double* a, const double* const* b, Index n, Double2* out);

}  // namespace flyball::math
