#include "identify/output_error_noise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "identify/arx.h"
#include "identify/hot_loops.h"

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

constexpr std::array kKappas{0.05, 0.1, 0.2, 0.3};

/// v − s with s by exponential smoothing.
Vector without_level(const Vector& v, const std::vector<Interval>& runs, double kappa) {
  Vector w = v;
  for (const Interval& run : runs) {
    double level = std::nan("");
    for (Index t = run.first; t < run.end; ++t) {
      if (!std::isfinite(v(t))) continue;
      if (!std::isfinite(level)) level = v(t);
      w(t) = v(t) - level;
      level += kappa * w(t);
    }
  }
  return w;
}

/// F-step error of the predictor over one run.
double rollout_of(const Vector& v, const Interval& run, const WanderingNoise& noise,
                  const Vector& answer) {
  const Index n = run.end - run.first, q = noise.d.size();
  Vector e = Vector::Zero(n), w = Vector::Zero(n + q);
  double level = std::isfinite(v(run.first)) ? v(run.first) : 0;
  for (Index t = 0; t < n; ++t) {
    double expected = 0;
    for (Index i = 1; i <= q; ++i) expected += noise.d(i - 1) * w(q + t - i);
    const double now = v(run.first + t);
    if (std::isfinite(now)) e(t) = now - level - expected;
    w(q + t) = expected + e(t);
    level += noise.kappa * e(t);
  }
  double one_step = 0;
  return rollout_error_sum(e.data(), n, answer, &one_step);
}

}  // namespace

WanderingNoise fit_wandering(const Vector& residual, const std::vector<Interval>& runs,
                             Index horizon) {
  WanderingNoise best;
  double least = std::numeric_limits<double>::infinity();
  for (const double kappa : kKappas) {
    const WanderingNoise noise{fit_autoregression(without_level(residual, runs, kappa), runs).d,
                               kappa};
    Vector answer = disturbance_response(noise.d, 0, horizon);
    answer.tail(horizon - 1).array() += kappa;
    double sum = 0;
    for (const Interval& run : runs) sum += rollout_of(residual, run, noise, answer);
    if (sum < least) {
      least = sum;
      best = noise;
    }
  }
  return best;
}

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
