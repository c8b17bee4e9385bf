#include "identify/lag_dead_times.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

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

/// The output-error trial of least criterion, and its value.
struct Best {
  const Trial* trial = nullptr;
  double criterion = std::numeric_limits<double>::infinity();
};

Best best_of(const CvContext& c, const std::vector<Trial>& trials, Index rows) {
  Best best;
  for (const Trial& t : trials) {
    if (t.trainer != "output_error" || t.differenced) continue;
    const double error = mean_square(c.forms.front(), {t.fit.arx, t.noise}, {kEverything}, {});
    const double at = akaike(error, t.parameters + 1, rows);
    if (at < best.criterion) best = {&t, at};
  }
  return best;
}

/// Starts from the smallest output-error trial, whose one pole for all pairs is never odd, and from
/// the likeliest; the better fit.
std::optional<LagFit> fit_from_trials(const CvContext& c, const std::vector<Trial>& trials) {
  const auto smallest = std::ranges::find(trials, "output_error", &Trial::trainer);
  const Best likeliest = best_of(c, trials, c.forms.front().x.rows());
  if (smallest == trials.end() || likeliest.trial == nullptr) return std::nullopt;
  std::optional<LagFit> best;
  for (const Trial* t : {&*smallest, likeliest.trial}) {
    if (best && t == &*smallest) continue;
    LagStart start = lag_start(t->fit.arx);
    if (best) start.behind = best->behind;
    LagFit fit = fit_lags_of_order(c.forms.front(), start, {kEverything});
    if (!best || fit.mean_square < best->mean_square) best = std::move(fit);
  }
  return best;
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
  const std::optional<LagFit> best = fit_from_trials(c, trials);
  if (!best) return out;
  const LagFit& fit = *best;
  const double criterion = akaike(fit.mean_square, fit.parameters, fit.rows);
  if (!(criterion <= best_of(c, trials, fit.rows).criterion + kAsLikely)) return out;
  const std::vector<Index> steps_of = first_lags(r, fit, {kEverything});
  out.adequate = true;
  out.lags = fit;
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
