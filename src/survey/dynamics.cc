#include "survey/dynamics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/checks.h"
#include "identify/dead_time.h"
#include "identify/horizon.h"

namespace flyball::survey {
namespace {

using identify::DeadTimeEstimate;
using identify::Regression;
using Input = identify::Structure::Input;

constexpr Index kOrder = 5, kMostLags = 10, kSteadyMax = 3000;
constexpr double kRise = 0.63, kCritical = -2.86, kUnitRoot = 1e-6, kShareOfRecord = 0.2;
constexpr identify::Interval kEverything{0, std::numeric_limits<Index>::max() / 2};

identify::Normal normal_of(const Regression& r, Index lags) {
  return identify::normal_of(r, identify::gram_of(r, lags, {kEverything}));
}

identify::DeadTime record(const identify::TrainingData& data, Index input, Index cv,
                          const DeadTimeEstimate* e) {
  identify::DeadTime d;
  d.input = data.name(input);
  d.cv = data.name(data.nu() + cv);
  if (e == nullptr) return d;
  d.steps = e->steps;
  d.low = e->low;
  d.high = e->high;
  d.active = e->active;
  d.edge = e->edge;
  d.found = e->active && !e->edge && !e->unclear;
  d.by_test = e->by_test;
  d.feed_through = e->active && e->steps == 0;
  d.steps_after_0 = e->steps_after_0;
  d.p_value = e->p_value;
  return d;
}

/// Steps to 63 % of the answer to the input that moves the CV most.
void find_rise(const identify::TrainingData& data, const Regression& r,
               const std::vector<Input>& inputs, CvFacts& out) {
  if (inputs.empty()) return;
  const identify::Arx arx = identify::preliminary(r, inputs, kOrder);
  double largest = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Index m = inputs[i].input;
    const double gain = identify::gain(arx, static_cast<Index>(i));
    const double effect = std::abs(gain) * (data.high(m) - data.low(m)) / data.std(m);
    const Index rise = identify::steps_to_share(arx, static_cast<Index>(i), kRise, kSteadyMax);
    if (rise < 0 || !(effect > largest)) continue;
    largest = effect;
    out.rise_steps = rise;
    out.main_input = data.name(m);
  }
}

void find_restoring(const Regression& r, const std::vector<Input>& inputs, CvFacts& out) {
  identify::Structure s{kOrder, kOrder, inputs};
  const identify::Normal normal = normal_of(r, s.max_lag());
  const Index free_rows = normal.rows - s.parameters() - 1;
  if (free_rows < s.parameters()) return;
  const identify::SolveOptions exact{.lambda = 1e-11, .exact_steps = 2, .inverse = true};
  const identify::Solution fit = solve(normal, s.terms(r.nu), {r.nu, 0}, exact);
  const double restoring = fit.theta.tail(s.na).sum() - 1;
  const double spread = std::sqrt(std::max(fit.rss, 0.0) / static_cast<double>(free_rows) *
                                  fit.inverse.bottomRightCorner(s.na, s.na).sum());
  Index longest = 0;
  for (const identify::Stretch& stretch : r.stretches)
    longest = std::max(longest, stretch.end - stretch.first);
  const bool unit_root = std::abs(restoring) < kUnitRoot;
  if (!unit_root && spread > 0) out.restoring_t = restoring / spread;
  const bool slow = restoring > -1 / (kShareOfRecord * static_cast<double>(longest));
  out.may_integrate = unit_root || (slow && out.restoring_t.value_or(0) > kCritical);
}

}  // namespace

Dynamics dynamics_of(const identify::TrainingData& data, Index range, const std::stop_token& stop) {
  std::vector<bool> used;
  identify::DeadTimeOptions options;
  for (Index m = 0; m < data.nu(); ++m) {
    used.push_back(!data.constant[static_cast<std::size_t>(m)]);
    if (used.back()) options.inputs.push_back(m);
  }
  options.first_lag.assign(static_cast<std::size_t>(data.nu()), 0);
  options.range = range;
  options.y_lags = std::clamp<Index>(data.x.rows() / 6, 1, kMostLags);
  Dynamics out;
  std::vector<std::vector<DeadTimeEstimate>> pairs;
  for (Index j = 0; j < data.ny(); ++j) {
    check_stop(stop);
    const Regression r = identify::make_regression(data, j, used, false, false);
    pairs.push_back(find_dead_times(normal_of(r, range + options.y_lags), r.nu, options));
    std::vector<Input> inputs;
    for (const DeadTimeEstimate& e : pairs.back()) {
      if (e.active) inputs.push_back({e.input, e.steps});
    }
    CvFacts cv;
    cv.cv = data.name(data.nu() + j);
    if (!data.constant[static_cast<std::size_t>(data.nu() + j)]) {
      find_rise(data, r, inputs, cv);
      find_restoring(r, inputs, cv);
    }
    out.cvs.push_back(std::move(cv));
  }
  for (Index m = 0; m < data.nu(); ++m) {
    for (Index j = 0; j < data.ny(); ++j) {
      const auto& of_cv = pairs[static_cast<std::size_t>(j)];
      const auto e = std::ranges::find(of_cv, m, &DeadTimeEstimate::input);
      out.dead_times.push_back(record(data, m, j, e == of_cv.end() ? nullptr : &*e));
    }
  }
  return out;
}

}  // namespace flyball::survey
