#pragma once
// The loops that a solve spends its time in, over plain pointers, four numbers at a time. The order
// of every sum is fixed. Row counts are multiples of 4; a panel has 16 rows, what is left has 4.
#include "math/types.h"

namespace flyball::optimise {

/// A matrix in the order in which panel_product reads it: panels of 16 rows, then of 4, each column
/// by column. rows a multiple of 4; `packed` rows·cols.
void pack_panels(const ConstMatrixRef& a, double* packed) noexcept;

/// out = start + A x. packed: pack_panels(A), rows×cols. Cost rows·cols.
void panel_product(const double* packed, Index rows, Index cols, const double* x,
                   const double* start, double* out) noexcept;

/// out[0..rows) = start − Σ_i x_i column_i. `from`: the first row of the columns that is meant.
void subtract_columns(const double* const* columns, const double* x, Index count, Index from,
                      Index rows, const double* start, double* out) noexcept;

/// out_k = row_k·x, k < rows; rows of `a` lie `stride` apart, n a multiple of 4.
void row_products(const double* a, Index rows, Index stride, Index n, const double* x,
                  double* out) noexcept;

/// out = Σ_k x_k row_k (n, a multiple of 4).
void combine_rows(const double* a, Index rows, Index stride, Index n, const double* x,
                  double* out) noexcept;

/// row_k −= x_k t, k < rows (n, a multiple of 4).
void subtract_outer(double* a, Index rows, Index stride, Index n, const double* x,
                    const double* t) noexcept;

/// What exceeds its limits most: max over i of w_i·max(v_i − (high_i + shift_high), (low_i −
/// shift_low) − v_i).
struct Worst {
  double value = 0;  ///< ≤ 0: nothing does
  Index at = -1;
};
Worst worst(const double* v, const double* low, const double* high, const double* w,
            double shift_low, double shift_high, Index n, double at_least) noexcept;

/// out(k) = Σ_{i,m: steps_i ≤ k} h[i·nu + m]·s_m[k − steps_i], k < n (a multiple of 4): the answer
/// of one CV to moves. s_m(k) = s[m·stride + k], zero for −n ≤ k < 0.
void answer(const double* s, Index stride, Index nu, const Index* steps, Index moves,
            const double* h, Index n, double* out) noexcept;

/// g[i·nu + m] += Σ_k s_m[k − steps_i] e(k): the transpose of answer.
void answer_transposed(const double* s, Index stride, Index nu, const Index* steps, Index moves,
                       const double* e, Index n, double* g) noexcept;

/// out(k) += q·a[k], k < n.
void add_column(const double* a, double q, Index n, double* out) noexcept;

/// out(k) += q·a[k]·b[k], k < n.
void add_product(const double* a, const double* b, double q, Index n, double* out) noexcept;

}  // namespace flyball::optimise
