#include "identify/lag_dead_times.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace flyball::identify {
namespace {

constexpr double kLatest = 3.090232306167814;  ///< normal quantile of 0.999
constexpr double kRange = 1.959963984540054;
constexpr double kFar = 6, kNear = 0.1;  ///< errors and steps: refused unseen
constexpr double kErrorMost = 0.2;       ///< steps
constexpr double kAsLikely = 4;          ///< a smaller difference says nothing
constexpr std::size_t kPairsMost = 12;   ///< the cost grows with its cube
constexpr Interval kEverything{0, std::numeric_limits<Index>::max() / 2};

/// N ln(mean square) + 2·parameters: a stricter price would prefer one pole for all pairs to the
/// pole of each, which bends dead times and gains.
double akaike(double mean_square, Index parameters, Index rows) {
  return static_cast<double>(rows) * std::log(mean_square) + 2 * static_cast<double>(parameters);
}

/// An output-error trial on every row.
struct Simulation {
  const Trial* trial;
  double mean_square;
  Index parameters;
};

std::vector<Simulation> simulations(const CvContext& c, const std::vector<Trial>& trials) {
  std::vector<Simulation> out;
  for (const Trial& t : trials) {
    if (t.trainer != "output_error" || t.differenced) continue;
    const double error = mean_square(c.forms.front(), {t.fit.arx, t.noise}, {kEverything}, {});
    out.push_back({&t, error, t.parameters + 1});
  }
  return out;
}

const Simulation& likeliest(const std::vector<Simulation>& tried, Index rows) {
  return *std::ranges::min_element(
      tried, {}, [&](const Simulation& s) { return akaike(s.mean_square, s.parameters, rows); });
}

/// Starts from the smallest output-error trial, whose one pole for all pairs is never odd, and from
/// the likeliest; the better fit.
LagFit fit_from(const CvContext& c, const std::vector<Simulation>& tried) {
  const auto from = [&](const Simulation& s, Index behind) {
    LagStart start = lag_start(s.trial->fit.arx);
    start.behind = behind;
    return fit_lags_of_order(c.forms.front(), start, {kEverything});
  };
  LagFit best = from(tried.front(), 0);
  const Simulation& other = likeliest(tried, c.forms.front().x.rows());
  if (other.trial == tried.front().trial) return best;
  LagFit fit = from(other, best.behind);
  return fit.mean_square < best.mean_square ? fit : best;
}

/// No trial is better than the lags by more than what its size explains. A trial of more parameters
/// than the noise-free answer needs takes resonances out of the noise, at the frequencies where
/// there is most of it: it has to win by ln N per parameter.
bool stand(const LagFit& fit, const std::vector<Simulation>& tried) {
  const auto rows = static_cast<double>(fit.rows);
  return std::ranges::none_of(tried, [&](const Simulation& s) {
    const auto more = static_cast<double>(s.parameters - fit.parameters);
    const double price = std::max(2 * more + kAsLikely, std::log(rows) * more);
    return rows * std::log(fit.mean_square / s.mean_square) > price;
  });
}

}  // namespace

std::vector<Index> first_lags(const Regression& r, const LagFit& fit,
                              const std::vector<Interval>& within) {
  LagStart at{fit.pairs, fit.constant, std::vector<bool>(fit.pairs.size(), false), fit.behind};
  double error = fit.mean_square;
  std::vector<Index> out;
  for (std::size_t i = 0; i < at.pairs.size(); ++i) {
    const double theta = at.pairs[i].theta, whole = std::floor(theta) + 1;
    const double away = (whole - theta) / std::max(fit.standard_errors[i].theta, 1e-12);
    out.push_back(static_cast<Index>(whole));
    if (away > kFar && whole - theta > kNear) continue;
    LagStart held = at;
    held.pairs[i].theta = whole;
    held.theta_held[i] = true;
    const LagFit later = fit_lags(r, held, within);
    const double ratio = static_cast<double>(later.rows) * std::log(later.mean_square / error);
    if (away > kLatest && ratio > kLatest * kLatest) continue;
    out.back() += 1;
    error = later.mean_square;
    at.pairs = later.pairs;
    at.constant = later.constant;
    at.theta_held[i] = true;
  }
  return out;
}

Sharpened sharpen_dead_times(const CvContext& c, const std::vector<Trial>& trials,
                             std::vector<DeadTime>& found) {
  Sharpened out;
  const Regression& r = c.forms.front();
  const bool at_once = std::ranges::any_of(
      c.inputs, [](const Structure::Input& input) { return input.first_lag < 1; });
  if (r.integrating || at_once || c.inputs.empty() || c.inputs.size() > kPairsMost) return out;
  const std::vector<Simulation> tried = simulations(c, trials);
  if (tried.empty()) return out;
  const LagFit fit = fit_from(c, tried);
  out.stand = stand(fit, tried);
  out.lags = fit;
  const Simulation& other = likeliest(tried, fit.rows);
  if (!(akaike(fit.mean_square, fit.parameters, fit.rows) <=
        akaike(other.mean_square, other.parameters, fit.rows) + kAsLikely)) {
    return out;
  }
  const std::vector<Index> steps_of = first_lags(r, fit, {kEverything});
  for (std::size_t i = 0; i < fit.pairs.size(); ++i) {
    const double theta = fit.pairs[i].theta, error = fit.standard_errors[i].theta;
    if (!(error < kErrorMost)) continue;
    DeadTime& d = found[static_cast<std::size_t>(fit.pairs[i].input * c.data->ny() + c.cv)];
    const Index steps = steps_of[i];
    const auto step_at = [&](double errors) {
      return static_cast<Index>(std::floor(std::max(0.0, theta + errors * error))) + 1;
    };
    out.changed = out.changed || steps != d.steps;
    d.steps = d.steps_after_0 = steps;
    d.low = std::min(step_at(-kRange), steps);
    d.high = std::max(step_at(kRange), steps);
    d.found = d.by_lags = true;
    d.edge = d.by_test = false;
  }
  return out;
}

}  // namespace flyball::identify
