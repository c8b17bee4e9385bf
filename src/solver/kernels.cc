#include "solver/kernels.h"

#include <algorithm>

#include "core/hot.h"

namespace flyball::solver {

namespace {

FLYBALL_HOT double dot_loop(const double* x, const double* y, Index n) {
  double s[8] = {};
  Index i = 0;
  for (; i + 8 <= n; i += 8) {
    for (int k = 0; k < 8; ++k) s[k] += x[i + k] * y[i + k];
  }
  for (int k = 0; i < n; ++i, ++k) s[k] += x[i] * y[i];
  return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

FLYBALL_HOT void axpy_loop(double* __restrict y, double s, const double* __restrict x, Index n) {
  for (Index i = 0; i < n; ++i) y[i] += s * x[i];
}

FLYBALL_HOT void rotate_loop(double* __restrict x, double* __restrict y, double c, double s,
                             Index n) {
  for (Index i = 0; i < n; ++i) {
    const double a = x[i], b = y[i];
    x[i] = c * a + s * b;
    y[i] = c * b - s * a;
  }
}

FLYBALL_HOT void violations(const double* __restrict v, const double* __restrict lower,
                            const double* __restrict upper, const double* __restrict weight,
                            double* __restrict out, Index n) {
  for (Index i = 0; i < n; ++i) {
    const double below = lower[i] - v[i], above = v[i] - upper[i];
    out[i] = (below > above ? below : above) * weight[i];
  }
}

FLYBALL_HOT void times_loop(double* __restrict out, const double* __restrict m,
                            const double* __restrict x, Index rows, Index columns, Index stride) {
  Index j = 0;
  for (; j + 4 <= columns; j += 4) {
    const double *a = m + j * stride, *b = a + stride, *c = b + stride, *d = c + stride;
    const double p = x[j], q = x[j + 1], r = x[j + 2], s = x[j + 3];
    for (Index i = 0; i < rows; ++i) out[i] += (p * a[i] + q * b[i]) + (r * c[i] + s * d[i]);
  }
  for (; j < columns; ++j) {
    const double* a = m + j * stride;
    for (Index i = 0; i < rows; ++i) out[i] += x[j] * a[i];
  }
}

FLYBALL_HOT void transposed_loop(double* __restrict out, const double* __restrict m,
                                 const double* __restrict x, Index rows, Index columns,
                                 Index skip) {
  for (Index j = 0; j < columns; ++j) {
    const double* a = m + j * rows;
    double s[8] = {};
    Index i = j * skip;
    for (; i + 8 <= rows; i += 8) {
      for (int k = 0; k < 8; ++k) s[k] += a[i + k] * x[i + k];
    }
    for (int k = 0; i < rows; ++i, ++k) s[k] += a[i] * x[i];
    out[j] = ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
  }
}

FLYBALL_HOT void lower_loop(double* __restrict out, const double* __restrict l,
                            const double* __restrict x, Index n, Index stride) {
  for (Index i = 0; i < n; ++i) out[i] = 0;
  Index j = 0;
  for (; j + 4 <= n; j += 4) {
    const double *a = l + j * stride, *b = a + stride, *c = b + stride, *d = c + stride;
    const double p = x[j], q = x[j + 1], r = x[j + 2], s = x[j + 3];
    for (Index i = j; i < n; ++i) out[i] += (p * a[i] + q * b[i]) + (r * c[i] + s * d[i]);
  }
  for (; j < n; ++j) {
    const double* a = l + j * stride;
    for (Index i = j; i < n; ++i) out[i] += x[j] * a[i];
  }
}

}  // namespace

double dot(const double* x, const double* y, Index n) noexcept {
  return dot_loop(x, y, n);
}

void axpy(double* y, double s, const double* x, Index n) noexcept {
  axpy_loop(y, s, x, n);
}

void rotate(double* x, double* y, double c, double s, Index n) noexcept {
  rotate_loop(x, y, c, s, n);
}

void times(double* out, const double* m, const double* x, Index rows, Index columns) noexcept {
  std::fill_n(out, rows, 0.0);
  times_loop(out, m, x, rows, columns, rows);
}

void add_times(double* out, const double* m, const double* x, Index rows, Index columns,
               Index stride) noexcept {
  times_loop(out, m, x, rows, columns, stride);
}

void transposed_times(double* out, const double* m, const double* x, Index rows,
                      Index columns) noexcept {
  transposed_loop(out, m, x, rows, columns, 0);
}

void lower_times(double* out, const double* l, const double* x, Index n, Index stride) noexcept {
  lower_loop(out, l, x, n, stride > 0 ? stride : n);
}

void lower_transposed_times(double* out, const double* l, const double* x, Index n) noexcept {
  transposed_loop(out, l, x, n, n, 1);
}

Index worst_violation(const double* v, const double* lower, const double* upper,
                      const double* weight, double* out, double floor, Index n) noexcept {
  violations(v, lower, upper, weight, out, n);
  Index best = -1;
  double most = floor;
  for (Index i = 0; i < n; ++i) {
    if (out[i] > most) {
      most = out[i];
      best = i;
    }
  }
  return best;
}

}  // namespace flyball::solver
