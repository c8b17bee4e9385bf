#pragma once
// The inner loops of the dense solver: compiled for AVX2 and for any x86-64, the same bits in both.
#include "math/types.h"

namespace flyball::solver {

/// Σ x_i y_i, in eight interleaved partial sums.
double dot(const double* x, const double* y, Index n) noexcept;

/// y += s·x.
void axpy(double* y, double s, const double* x, Index n) noexcept;

/// (x, y) ← (c·x + s·y, c·y − s·x).
void rotate(double* x, double* y, double c, double s, Index n) noexcept;

/// out = M x, M rows×columns by columns.
void times(double* out, const double* m, const double* x, Index rows, Index columns) noexcept;
/// out += M x, `stride` from column to column.
void add_times(double* out, const double* m, const double* x, Index rows, Index columns,
               Index stride) noexcept;

/// out = Mᵀ x.
void transposed_times(double* out, const double* m, const double* x, Index rows,
                      Index columns) noexcept;

/// out = L x and out = Lᵀ x, L n×n lower triangular by columns (`stride` apart, 0: n); out apart
/// from x.
void lower_times(double* out, const double* l, const double* x, Index n, Index stride = 0) noexcept;
void lower_transposed_times(double* out, const double* l, const double* x, Index n) noexcept;

/// out_i = max(lower_i − v_i, v_i − upper_i)·weight_i. Returns the first index of the largest out_i
/// among those ≥ floor, or −1; floor ≥ 0.
Index worst_violation(const double* v, const double* lower, const double* upper,
                      const double* weight, double* out, double floor, Index n) noexcept;

}  // namespace flyball::solver
