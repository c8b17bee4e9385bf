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
