#include "optimise/kernels.h"

#include "core/hot.h"

namespace flyball::optimise {
namespace {

/// Four neighbours, at any address of a double.
using Lanes = double __attribute__((vector_size(32), aligned(8), may_alias));

const Lanes& at(const double* p) {
  return *reinterpret_cast<const Lanes*>(p);
}
Lanes& at(double* p) {
  return *reinterpret_cast<Lanes*>(p);
}

/// One panel of 16 rows; even and odd columns are summed apart to keep the adders busy.
FLYBALL_HOT void panels16(const double* a, Index panels, Index cols, const double* x,
                          const double* start, double* out) {
  for (Index p = 0; p < panels; ++p) {
    Lanes s0 = at(start), s1 = at(start + 4), s2 = at(start + 8), s3 = at(start + 12);
    Lanes t0 = {}, t1 = {}, t2 = {}, t3 = {};
    Index c = 0;
    for (; c + 2 <= cols; c += 2, a += 32) {
      const double x0 = x[c];
      const double x1 = x[c + 1];
      s0 += x0 * at(a);
      s1 += x0 * at(a + 4);
      s2 += x0 * at(a + 8);
      s3 += x0 * at(a + 12);
      t0 += x1 * at(a + 16);
      t1 += x1 * at(a + 20);
      t2 += x1 * at(a + 24);
      t3 += x1 * at(a + 28);
    }
    for (; c < cols; ++c, a += 16) {
      s0 += x[c] * at(a);
      s1 += x[c] * at(a + 4);
      s2 += x[c] * at(a + 8);
      s3 += x[c] * at(a + 12);
    }
    at(out) = s0 + t0;
    at(out + 4) = s1 + t1;
    at(out + 8) = s2 + t2;
    at(out + 12) = s3 + t3;
    start += 16;
    out += 16;
  }
}

FLYBALL_HOT void panels4(const double* a, Index panels, Index cols, const double* x,
                         const double* start, double* out) {
  for (Index p = 0; p < panels; ++p) {
    Lanes s = at(start);
    Lanes t = {};
    Index c = 0;
    for (; c + 2 <= cols; c += 2, a += 8) {
      s += x[c] * at(a);
      t += x[c + 1] * at(a + 4);
    }
    for (; c < cols; ++c, a += 4) s += x[c] * at(a);
    at(out) = s + t;
    start += 4;
    out += 4;
  }
}

FLYBALL_HOT void subtract(const double* const* columns, const double* x, Index count, Index from,
                          Index rows, const double* start, double* out) {
  Index r = 0;
  for (; r + 16 <= rows; r += 16) {
    Lanes s0 = at(start + r), s1 = at(start + r + 4), s2 = at(start + r + 8),
          s3 = at(start + r + 12);
    for (Index i = 0; i < count; ++i) {
      const double* c = columns[i] + from + r;
      s0 -= x[i] * at(c);
      s1 -= x[i] * at(c + 4);
      s2 -= x[i] * at(c + 8);
      s3 -= x[i] * at(c + 12);
    }
    at(out + r) = s0;
    at(out + r + 4) = s1;
    at(out + r + 8) = s2;
    at(out + r + 12) = s3;
  }
  for (; r < rows; r += 4) {
    Lanes s = at(start + r);
    for (Index i = 0; i < count; ++i) s -= x[i] * at(columns[i] + from + r);
    at(out + r) = s;
  }
}

FLYBALL_HOT void rows_times(const double* a, Index rows, Index stride, Index n, const double* x,
                            double* out) {
  Index k = 0;
  for (; k + 4 <= rows; k += 4) {
    const double* r0 = a + k * stride;
    const double* r1 = r0 + stride;
    const double* r2 = r1 + stride;
    const double* r3 = r2 + stride;
    Lanes s0 = {}, s1 = {}, s2 = {}, s3 = {};
    for (Index i = 0; i < n; i += 4) {
      const Lanes v = at(x + i);
      s0 += v * at(r0 + i);
      s1 += v * at(r1 + i);
      s2 += v * at(r2 + i);
      s3 += v * at(r3 + i);
    }
    out[k] = (s0[0] + s0[1]) + (s0[2] + s0[3]);
    out[k + 1] = (s1[0] + s1[1]) + (s1[2] + s1[3]);
    out[k + 2] = (s2[0] + s2[1]) + (s2[2] + s2[3]);
    out[k + 3] = (s3[0] + s3[1]) + (s3[2] + s3[3]);
  }
  for (; k < rows; ++k) {
    Lanes s = {};
    for (Index i = 0; i < n; i += 4) s += at(x + i) * at(a + k * stride + i);
    out[k] = (s[0] + s[1]) + (s[2] + s[3]);
  }
}

FLYBALL_HOT void rows_sum(const double* a, Index rows, Index stride, Index n, const double* x,
                          double* out) {
  Index i = 0;
  for (; i + 16 <= n; i += 16) {
    Lanes s0 = {}, s1 = {}, s2 = {}, s3 = {};
    for (Index k = 0; k < rows; ++k) {
      const double* r = a + k * stride + i;
      s0 += x[k] * at(r);
      s1 += x[k] * at(r + 4);
      s2 += x[k] * at(r + 8);
      s3 += x[k] * at(r + 12);
    }
    at(out + i) = s0;
    at(out + i + 4) = s1;
    at(out + i + 8) = s2;
    at(out + i + 12) = s3;
  }
  for (; i < n; i += 4) {
    Lanes s = {};
    for (Index k = 0; k < rows; ++k) s += x[k] * at(a + k * stride + i);
    at(out + i) = s;
  }
}

FLYBALL_HOT void outer(double* a, Index rows, Index stride, Index n, const double* x,
                       const double* t) {
  for (Index k = 0; k < rows; ++k) {
    double* r = a + k * stride;
    for (Index i = 0; i < n; i += 4) at(r + i) -= x[k] * at(t + i);
  }
}

FLYBALL_HOT double most(const double* v, const double* low, const double* high, const double* w,
                        double shift_low, double shift_high, Index n) {
  Lanes best = {-1e300, -1e300, -1e300, -1e300};
  for (Index i = 0; i < n; i += 4) {
    const Lanes x = at(v + i);
    const Lanes over = x - (at(high + i) + shift_high);
    const Lanes under = (at(low + i) - shift_low) - x;
    const Lanes most_here = (over > under ? over : under) * at(w + i);
    best = most_here > best ? most_here : best;
  }
  const double a = best[0] > best[1] ? best[0] : best[1];
  const double b = best[2] > best[3] ? best[2] : best[3];
  return a > b ? a : b;
}

FLYBALL_HOT void answer_panels(const double* s, Index stride, Index nu, const Index* steps,
                               Index moves, const double* h, Index n, double* out) {
  Index k = 0;
  for (; k + 16 <= n; k += 16) {
    Lanes s0 = {}, s1 = {}, s2 = {}, s3 = {};
    for (Index i = 0; i < moves && steps[i] < k + 16; ++i) {
      const double* from = s + k - steps[i];
      for (Index m = 0; m < nu; ++m, from += stride) {
        const double x = h[i * nu + m];
        s0 += x * at(from);
        s1 += x * at(from + 4);
        s2 += x * at(from + 8);
        s3 += x * at(from + 12);
      }
    }
    at(out + k) = s0;
    at(out + k + 4) = s1;
    at(out + k + 8) = s2;
    at(out + k + 12) = s3;
  }
  for (; k < n; k += 4) {
    Lanes sum = {};
    for (Index i = 0; i < moves && steps[i] < k + 4; ++i) {
      const double* from = s + k - steps[i];
      for (Index m = 0; m < nu; ++m, from += stride) sum += h[i * nu + m] * at(from);
    }
    at(out + k) = sum;
  }
}

FLYBALL_HOT void correlate(const double* s, Index stride, Index nu, const Index* steps, Index moves,
                           const double* e, Index n, double* g) {
  for (Index i = 0; i < moves; ++i) {
    for (Index m = 0; m < nu; ++m) {
      const double* from = s + m * stride - steps[i];
      Lanes s0 = {}, s1 = {};
      Index k = steps[i] / 4 * 4;
      for (; k + 8 <= n; k += 8) {
        s0 += at(from + k) * at(e + k);
        s1 += at(from + k + 4) * at(e + k + 4);
      }
      for (; k < n; k += 4) s0 += at(from + k) * at(e + k);
      s0 += s1;
      g[i * nu + m] += (s0[0] + s0[1]) + (s0[2] + s0[3]);
    }
  }
}

FLYBALL_HOT void add_scaled(const double* a, double q, Index n, double* out) {
  for (Index k = 0; k < n; ++k) out[k] += q * a[k];
}

FLYBALL_HOT void products(const double* a, const double* b, double q, Index n, double* out) {
  for (Index k = 0; k < n; ++k) out[k] += q * (a[k] * b[k]);
}

}  // namespace

void pack_panels(const ConstMatrixRef& a, double* packed) noexcept {
  Index r = 0;
  const auto panel = [&](Index height) {
    for (Index c = 0; c < a.cols(); ++c)
      for (Index i = 0; i < height; ++i) *packed++ = a(r + i, c);
    r += height;
  };
  while (r + 16 <= a.rows()) panel(16);
  while (r < a.rows()) panel(4);
}

void panel_product(const double* packed, Index rows, Index cols, const double* x,
                   const double* start, double* out) noexcept {
  const Index whole = rows / 16;
  panels16(packed, whole, cols, x, start, out);
  const Index done = whole * 16;
  if (done < rows)
    panels4(packed + done * cols, (rows - done) / 4, cols, x, start + done, out + done);
}

void subtract_columns(const double* const* columns, const double* x, Index count, Index from,
                      Index rows, const double* start, double* out) noexcept {
  subtract(columns, x, count, from, rows, start, out);
}

void row_products(const double* a, Index rows, Index stride, Index n, const double* x,
                  double* out) noexcept {
  rows_times(a, rows, stride, n, x, out);
}

void combine_rows(const double* a, Index rows, Index stride, Index n, const double* x,
                  double* out) noexcept {
  rows_sum(a, rows, stride, n, x, out);
}

void subtract_outer(double* a, Index rows, Index stride, Index n, const double* x,
                    const double* t) noexcept {
  outer(a, rows, stride, n, x, t);
}

Worst worst(const double* v, const double* low, const double* high, const double* w,
            double shift_low, double shift_high, Index n, double at_least) noexcept {
  const double value = most(v, low, high, w, shift_low, shift_high, n);
  if (!(value > at_least)) return {};
  for (Index i = 0; i < n; ++i) {
    const double over = v[i] - (high[i] + shift_high);
    const double under = (low[i] - shift_low) - v[i];
    if ((over > under ? over : under) * w[i] == value) return {value, i};
  }
  return {};
}

void answer(const double* s, Index stride, Index nu, const Index* steps, Index moves,
            const double* h, Index n, double* out) noexcept {
  answer_panels(s, stride, nu, steps, moves, h, n, out);
}

void answer_transposed(const double* s, Index stride, Index nu, const Index* steps, Index moves,
                       const double* e, Index n, double* g) noexcept {
  correlate(s, stride, nu, steps, moves, e, n, g);
}

void add_column(const double* a, double q, Index n, double* out) noexcept {
  add_scaled(a, q, n, out);
}

void add_product(const double* a, const double* b, double q, Index n, double* out) noexcept {
  products(a, b, q, n, out);
}

}  // namespace flyball::optimise
