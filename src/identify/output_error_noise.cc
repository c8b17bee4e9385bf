#include "identify/output_error_noise.h"

#include <algorithm>
#include <cmath>

namespace flyball::identify {
namespace {

struct Covariances {
  Vector r;
  double rows = 0;
};

Covariances covariances(const Vector& residual, const std::vector<Interval>& runs) {
  Covariances out{Vector::Zero(kNoiseOrderMax + 1), 0};
  for (const Interval& run : runs) {
    for (Index t = run.first; t < run.end; ++t) {
      if (!std::isfinite(residual(t))) continue;
      out.rows += 1;
      for (Index k = 0; k <= std::min(kNoiseOrderMax, t - run.first); ++k) {
        if (std::isfinite(residual(t - k))) out.r(k) += residual(t) * residual(t - k);
      }
    }
  }
  out.r /= std::max(out.rows, 1.0);
  return out;
}

}  // namespace

Autoregression fit_autoregression(const Vector& residual, const std::vector<Interval>& runs) {
  const auto [r, rows] = covariances(residual, runs);
  Autoregression now{{}, r(0)}, best = now;
  if (!(r(0) > 0)) return best;
  double least = rows * std::log(r(0));
  const Index most = std::min(kNoiseOrderMax, static_cast<Index>(rows / 20));
  for (Index q = 1; q <= most; ++q) {
    double reflection = r(q);
    for (Index i = 1; i < q; ++i) reflection -= now.d(i - 1) * r(q - i);
    reflection /= now.variance;
    // With values missing the covariances need not be those of any series.
    if (!(std::abs(reflection) < 1)) break;
    Vector d(q);
    for (Index i = 1; i < q; ++i) d(i - 1) = now.d(i - 1) - reflection * now.d(q - i - 1);
    d(q - 1) = reflection;
    now = {d, now.variance * (1 - reflection * reflection)};
    const double criterion = rows * std::log(now.variance) + 2 * static_cast<double>(q);
    if (criterion < least) {
      least = criterion;
      best = now;
    }
  }
  return best;
}

}  // namespace flyball::identify
