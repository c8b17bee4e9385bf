#include "math/lag_gram.h"

#include <algorithm>
#include <vector>

#include "core/hot.h"

namespace flyball::math {
namespace {

constexpr Index kChunk = 1024;  ///< rows of all signals that stay in the cache
constexpr int kLanes = 4;
constexpr int kLagTile = 4;

/// out[l] += Σ_t a[t] b[t−l] for the four lags l = 0..3, in sixteen independent sums.
FLYBALL_HOT void four_lags(const double* a, const double* b, Index n, double* out) {
  double sum[kLagTile][kLanes] = {};
  Index t = 0;
  for (; t + kLanes <= n; t += kLanes) {
    for (int l = 0; l < kLagTile; ++l) {
      for (int v = 0; v < kLanes; ++v) sum[l][v] += a[t + v] * b[t + v - l];
    }
  }
  for (int l = 0; l < kLagTile; ++l) {
    double rest = 0;
    for (Index r = t; r < n; ++r) rest += a[r] * b[r - l];
    out[l] += ((sum[l][0] + sum[l][1]) + (sum[l][2] + sum[l][3])) + rest;
  }
}

/// out += Σ_t a[t] b[t].
FLYBALL_HOT void one_lag(const double* a, const double* b, Index n, double* out) {
  double sum[8] = {};
  Index t = 0;
  for (; t + 8 <= n; t += 8) {
    for (int v = 0; v < 8; ++v) sum[v] += a[t + v] * b[t + v];
  }
  double rest = 0;
  for (; t < n; ++t) rest += a[t] * b[t];
  *out += ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7])) + rest;
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
  // lead(l, i·m + j) = Σ x_i(t) x_j(t−l)
  Matrix lead = Matrix::Zero(width, m * m);
  for (Index from = t0; from < t1; from += kChunk) {
    const Index n = std::min(kChunk, t1 - from);
    for (Index i = 0; i < m; ++i) {
      const double* a = x.col(i).data() + from;
      for (Index j = 0; j < m; ++j) {
        const double* b = x.col(j).data() + from;
        double* out = &lead(0, i * m + j);
        Index l = 0;
        for (; l + kLagTile <= width; l += kLagTile) four_lags(a, b - l, n, out + l);
        for (; l < width; ++l) one_lag(a, b - l, n, out + l);
      }
    }
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
