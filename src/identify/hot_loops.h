#pragma once
// The two loops that the order search spends its time in.
#include "math/types.h"

namespace flyball::identify {

/// y[0..n) += scale · x[0..n).
void add_scaled(double* y, const double* x, double scale, Index n);

/// Σ over windows of length F of the squared F-step error, from one-step residuals e[0..n):
/// d_k(t) = Σ_{i≤k} hᵢ e(t + k − i) is the error k steps after a start at t (the error of a rollout
/// obeys A(q) d = e), so the sum needs one multiplication per (t, k). Windows start at
/// t = 0..n−F; h has F entries. `one_step` gets Σ e(t)² over the same starts.
/// Cost 2·n·F; returns 0 for n < F.
double rollout_error_sum(const double* e, Index n, const Vector& h, double* one_step);

}  // namespace flyball::identify
