#include "identify/hot_loops.h"

#include <algorithm>
#include <vector>

#include "core/hot.h"

namespace flyball::identify {
namespace {

constexpr Index kTile = 1024;  ///< starts whose errors stay in the first cache
constexpr int kLanes = 8;

/// d[0..n) += h·e[0..n); returns Σ d² over the first m ≤ n.
FLYBALL_HOT double advance(double* d, const double* e, double h, Index n, Index m) {
  double sum[kLanes] = {};
  Index t = 0;
  for (; t + kLanes <= m; t += kLanes) {
    for (int v = 0; v < kLanes; ++v) {
      d[t + v] += h * e[t + v];
      sum[v] += d[t + v] * d[t + v];
    }
  }
  double rest = 0;
  for (; t < m; ++t) {
    d[t] += h * e[t];
    rest += d[t] * d[t];
  }
  for (; t < n; ++t) d[t] += h * e[t];
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7])) + rest;
}

FLYBALL_HOT void axpy(double* y, const double* x, double scale, Index n) {
  for (Index t = 0; t < n; ++t) y[t] += scale * x[t];
}

}  // namespace

void add_scaled(double* y, const double* x, double scale, Index n) {
  axpy(y, x, scale, n);
}

double rollout_error_sum(const double* e, Index n, const Vector& h, double* one_step) {
  const Index horizon = h.size();
  const Index starts = n - horizon + 1;
  double sum = 0;
  double first = 0;
  std::vector<double> d(static_cast<std::size_t>(kTile + horizon));
  for (Index from = 0; from < starts; from += kTile) {
    const Index m = std::min(kTile, starts - from);
    const Index width = m + horizon - 1;  // times from .. from + width − 1
    std::fill_n(d.begin(), width, 0.0);
    for (Index k = 0; k < horizon; ++k) {
      // d[τ] becomes Σ_{i≤k} hᵢ e(τ − i) for τ ≥ from + k.
      const double part = advance(d.data() + k, e + from, h(k), width - k, m);
      sum += part;
      if (k == 0) first += part;
    }
  }
  *one_step += first;
  return sum;
}

}  // namespace flyball::identify
