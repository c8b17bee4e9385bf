#include "math/lag_gram.h"

#include <algorithm>
#include <vector>

#include "core/hot.h"

namespace flyball::math {
namespace {

constexpr Index kChunk = 1024;  ///< rows of all signals that stay in the cache
constexpr int kLanes = 4;
constexpr int kLagTile = 6;

/// Four neighbours of a signal, at any address of a double.
using Lanes = double __attribute__((vector_size(8 * kLanes), aligned(8), may_alias));

const Lanes& at(const double* p) {
  return *reinterpret_cast<const Lanes*>(p);
}

/// out0[l] += Σ_t a0[t] b[l][t] and out1[l] += Σ_t a1[t] b[l][t], t = 0..n−1, in twelve times four
/// independent sums: as many as fit the registers.
FLYBALL_HOT void two_by_six(const double* a0, const double* a1, const double* const* b, Index n,
                            double* out0, double* out1) {
  Lanes sum0[kLagTile] = {};
  Lanes sum1[kLagTile] = {};
  Index t = 0;
  for (; t + kLanes <= n; t += kLanes) {
    const Lanes v0 = at(a0 + t);
    const Lanes v1 = at(a1 + t);
#pragma GCC unroll 6
    for (int l = 0; l < kLagTile; ++l) {
      const Lanes w = at(b[l] + t);
      sum0[l] += v0 * w;
      sum1[l] += v1 * w;
    }
  }
  for (int l = 0; l < kLagTile; ++l) {
    double rest0 = 0;
    double rest1 = 0;
    for (Index r = t; r < n; ++r) {
      rest0 += a0[r] * b[l][r];
      rest1 += a1[r] * b[l][r];
    }
    out0[l] += ((sum0[l][0] + sum0[l][1]) + (sum0[l][2] + sum0[l][3])) + rest0;
    out1[l] += ((sum1[l][0] + sum1[l][1]) + (sum1[l][2] + sum1[l][3])) + rest1;
  }
}

/// lead(l, i·m + j) += Σ x_i(t) x_j(t−l) over n rows from `from`. `lead` has rows for whole tiles;
/// those beyond `width` hold copies of the last lag.
void add_leads(const ConstMatrixRef& x, Index from, Index n, Index width, Matrix& lead,
               Matrix& spare) {
  const Index m = x.cols();
  for (Index i = 0; i < m; i += 2) {
    const bool pair = i + 1 < m;
    const double* a0 = x.col(i).data() + from;
    const double* a1 = pair ? x.col(i + 1).data() + from : a0;
    for (Index j = 0; j < m; ++j) {
      const double* b = x.col(j).data() + from;
      for (Index l = 0; l < width; l += kLagTile) {
        const double* lagged[kLagTile];
        for (Index k = 0; k < kLagTile; ++k) lagged[k] = b - std::min(l + k, width - 1);
        double* out1 = pair ? &lead(l, (i + 1) * m + j) : spare.data();
        two_by_six(a0, a1, lagged, n, &lead(l, i * m + j), out1);
      }
    }
  }
}

}  // namespace

LagGram::LagGram(Index signals, Index max_lag)
    : signals_(signals),
      max_lag_(max_lag),
      gram_(Matrix::Zero(signals * (max_lag + 1), signals * (max_lag + 1))),
      sums_(Vector::Zero(signals * (max_lag + 1))) {}

void LagGram::add(const ConstMatrixRef& x, Index t0, Index t1) {
  if (t1 <= t0) return;
  const Index m = signals_;
  const Index width = max_lag_ + 1;
  const Index tiles = (width + kLagTile - 1) / kLagTile;
  Matrix lead = Matrix::Zero(tiles * kLagTile, m * m);
  Matrix spare(kLagTile, 1);
  for (Index from = t0; from < t1; from += kChunk) {
    add_leads(x, from, std::min(kChunk, t1 - from), width, lead, spare);
  }
  for (Index i = 0; i < m; ++i) {
    const double* a = x.col(i).data();
    for (Index j = 0; j < m; ++j) {
      const double* b = x.col(j).data();
      const auto follow = [&](Index k, Index l, double value) {
        // Down the diagonal from (k, l) of block (i, j).
        for (;;) {
          gram_(i * width + k, j * width + l) += value;
          if (k + 1 >= width || l + 1 >= width) break;
          value += a[t0 - 1 - k] * b[t0 - 1 - l] - a[t1 - 1 - k] * b[t1 - 1 - l];
          ++k;
          ++l;
        }
      };
      for (Index l = 0; l < width; ++l) follow(0, l, lead(l, i * m + j));
      for (Index k = 1; k < width; ++k) follow(k, 0, lead(k, j * m + i));
    }
    double sum = 0;
    for (Index t = t0; t < t1; ++t) sum += a[t];
    for (Index k = 0; k < width; ++k) {
      sums_(i * width + k) += sum;
      if (k + 1 < width) sum += a[t0 - 1 - k] - a[t1 - 1 - k];
    }
  }
  rows_ += t1 - t0;
}

void LagGram::subtract(const LagGram& other) {
  gram_ -= other.gram_;
  sums_ -= other.sums_;
  rows_ -= other.rows_;
}

void LagGram::remove_row(const ConstMatrixRef& x, Index t) {
  Vector row(sums_.size());
  for (Index i = 0; i < signals_; ++i) {
    for (Index k = 0; k <= max_lag_; ++k) row(index(i, k)) = x(t - k, i);
  }
  gram_.noalias() -= row * row.transpose();
  sums_ -= row;
  --rows_;
}

Matrix LagGram::centred() const {
  return gram_ - sums_ * sums_.transpose() / static_cast<double>(rows_);
}

}  // namespace flyball::math
