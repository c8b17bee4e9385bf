#include "identify/prior_use.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/linear_algebra.h"

namespace flyball::identify {
namespace {

constexpr double k95 = 1.96, kShare = 0.632120558828558;
constexpr double kTrialTolerance = 1.03;
constexpr double kMsPerSecond = 1000;
constexpr Index kStepsSeen = 3000;
constexpr int kRounds = 20;

bool of_pair(const Prior& p, const std::string& input, const std::string& cv) {
  return p.input == input && p.cv == cv;
}

double gain_unit(const TrainingData& data, Index cv, Index input) {
  return data.std(data.nu() + cv) / data.std(input);
}

/// B(1) − g A(1) = slopeᵀ θ − g of the `at`-th input.
Vector bound_slope(const Arx& arx, Index at, double g) {
  Vector out = Vector::Zero(arx.theta.size());
  out.segment(at * arx.structure.nb, arx.structure.nb).setOnes();
  out.tail(arx.structure.na).setConstant(g);
  return out;
}

/// One side of one prior on a gain, in normalised units.
struct Bound {
  std::size_t prior;
  Index at;
  double g;
  bool lower;
};

double gain_error(const FinalFit& fit, Index at) {
  const Arx& arx = fit.arx;
  double error = covariance_error(fit, at);
  if (fit.largest) error = std::hypot(error, gain(arx, at) - steady_by(*fit.largest, arx, at));
  return error;
}

std::vector<Bound> bounds_of(const std::vector<Prior>& priors, const TrainingData& data, Index cv,
                             const FinalFit& fit) {
  std::vector<Bound> out;
  const auto& inputs = fit.arx.structure.inputs;
  for (std::size_t i = 0; i < priors.size(); ++i) {
    const Prior& p = priors[i];
    if (p.quantity != PriorQuantity::gain || p.cv != data.name(data.nu() + cv)) continue;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      if (data.name(inputs[k].input) != p.input) continue;
      const auto at = static_cast<Index>(k);
      const double unit = gain_unit(data, cv, inputs[k].input);
      const double g = gain(fit.arx, at) * unit, error = k95 * gain_error(fit, at) * unit;
      if (!std::isfinite(g) || !p.overlaps(g - error, g + error)) continue;
      if (p.low) out.push_back({i, at, *p.low / unit, true});
      if (p.high) out.push_back({i, at, *p.high / unit, false});
    }
  }
  return out;
}

/// How far θ is outside a bound; ≤ 0: inside. A(1) > 0 for a stable ARX.
double outside(const Bound& b, const Arx& arx, const Vector& theta) {
  const double value = bound_slope(arx, b.at, b.g).dot(theta) - b.g;
  return b.lower ? -value : value;
}

/// The active set grows by the bound that is violated most and loses those whose multiplier has
/// the wrong sign.
std::vector<Bound> active_set(const std::vector<Bound>& bounds, const Arx& arx,
                              const Matrix& covariance, Vector& theta) {
  const Vector start = arx.theta;
  std::vector<Bound> active;
  theta = start;
  for (int round = 0; round < kRounds; ++round) {
    const Bound* worst = nullptr;
    double most = 1e-9;
    for (const Bound& b : bounds) {
      if (const double by = outside(b, arx, theta); by > most) {
        most = by;
        worst = &b;
      }
    }
    if (worst == nullptr) break;
    active.push_back(*worst);
    while (!active.empty()) {
      Matrix g(start.size(), std::ssize(active));
      Vector d(std::ssize(active));
      for (Index i = 0; i < d.size(); ++i) {
        const Bound& b = active[static_cast<std::size_t>(i)];
        const double sign = b.lower ? -1 : 1;
        g.col(i) = sign * bound_slope(arx, b.at, b.g);
        d(i) = sign * b.g;
      }
      const auto multipliers =
          math::solve(g.transpose() * covariance * g, Matrix(g.transpose() * start - d));
      if (!multipliers) return {};
      Index least = 0;
      if (multipliers->col(0).minCoeff(&least) >= 0) {
        theta = start - covariance * g * multipliers->col(0);
        break;
      }
      active.erase(active.begin() + least);
      theta = start;
    }
  }
  return active;
}

/// Constant and residual of the equation, the mean error taken into the constant.
void renew_residual(const Regression& r, FinalFit& fit) {
  const Structure& s = fit.arx.structure;
  double sum = 0, rows = 0;
  const Interval everything{0, std::numeric_limits<Index>::max() / 2};
  fit.residual.setConstant(std::nan(""));
  for_each_run(r, everything, s.max_lag(), [&](Index t0, Index t1) {
    residuals(r, s, fit.arx.theta, fit.arx.constant, t0, t1, fit.residual.data() + t0);
  });
  for (Index t = 0; t < r.x.rows(); ++t) {
    if (r.target[static_cast<std::size_t>(t)] == 0) fit.residual(t) = std::nan("");
    if (!std::isfinite(fit.residual(t))) continue;
    sum += fit.residual(t);
    rows += 1;
  }
  if (!r.has_constant() || rows == 0) return;
  fit.arx.constant += sum / rows;
  fit.residual.array() -= sum / rows;
}

PriorCheck check_of(const Prior& p) {
  PriorCheck out;
  out.input = p.input;
  out.cv = p.cv;
  out.prior = p.text;
  out.quantity = p.quantity;
  return out;
}

PriorStatus judged(const Prior& p, const PriorCheck& c) {
  if (p.holds(*c.estimate)) return PriorStatus::held;
  if (!c.low || !c.high) return PriorStatus::violated;
  return p.overlaps(*c.low, *c.high) ? PriorStatus::violated : PriorStatus::impossible;
}

void estimate_gain(const StepResponse& s, PriorCheck& c) {
  c.estimate = s.gain ? s.gain : s.rate;
  if (!c.estimate) return;
  const double error = k95 * s.gain_std_error.value_or(std::nan(""));
  if (std::isfinite(error)) {
    c.low = *c.estimate - error;
    c.high = *c.estimate + error;
  }
}

/// The error of the answer at 63 % over its slope there is that of the time.
void estimate_time_constant(const StepResponse& s, Index first_lag, double beat, PriorCheck& c) {
  if (!s.gain) return;
  const Vector values = Eigen::Map<const Vector>(s.values.data(), std::ssize(s.values));
  const double steps = time_constant_steps(values, *s.gain, first_lag);
  if (!std::isfinite(steps)) return;
  c.estimate = steps * beat;
  const auto at = static_cast<Index>(steps + static_cast<double>(first_lag) - 1);
  if (at < 1 || at + 1 >= values.size()) return;
  const double slope = std::abs(values(at + 1) - values(at - 1)) / 2;
  const double error = k95 * s.standard_errors[static_cast<std::size_t>(at)] / slope * beat;
  if (!std::isfinite(error)) return;
  c.low = std::max(0.0, *c.estimate - error);
  c.high = *c.estimate + error;
}

void estimate_dead_time(const DeadTime& d, double beat, PriorCheck& c) {
  if (!d.found) return;
  const auto from = static_cast<double>(std::max<std::int64_t>(d.low - 1, 0));
  c.low = from * beat;
  c.high = static_cast<double>(d.high) * beat;
  c.estimate = std::max(0.0, static_cast<double>(d.steps) - 0.5) * beat;
}

}  // namespace

LagRange lags_allowed(const std::vector<Prior>& priors, const std::string& input,
                      const std::string& cv, double beat_ms) {
  LagRange out;
  const double beat = beat_ms / kMsPerSecond;
  for (const Prior& p : priors) {
    if (p.quantity != PriorQuantity::dead_time || !of_pair(p, input, cv)) continue;
    if (p.low) out.low = std::max(out.low, static_cast<Index>(std::floor(*p.low / beat + 1e-9)));
    if (p.high) {
      const Index high = static_cast<Index>(std::floor(*p.high / beat + 1e-9)) + 1;
      out.high = std::min(out.high.value_or(high), high);
    }
  }
  return out;
}

bool zero_gain(const std::vector<Prior>& priors, const std::string& input, const std::string& cv) {
  return std::ranges::any_of(
      priors, [&](const Prior& p) { return p.zero_gain() && of_pair(p, input, cv); });
}

double time_constant_steps(const Vector& values, double gain, Index first_lag) {
  const double target = kShare * gain;
  double before = 0;
  for (Index k = 0; k < values.size(); ++k) {
    const double sign = gain < 0 ? -1 : 1;
    if (sign * values(k) >= sign * target) {
      const double step = values(k) - before;
      const double share = step != 0 ? (target - before) / step : 1;
      return std::max(0.0, static_cast<double>(k - first_lag) + share);
    }
    before = values(k);
  }
  return std::nan("");
}

bool priors_hold(const std::vector<Prior>& priors, const TrainingData& data, Index cv,
                 const Arx& arx, double beat_ms) {
  const auto& inputs = arx.structure.inputs;
  for (const Prior& p : priors) {
    if (p.cv != data.name(data.nu() + cv) || p.quantity == PriorQuantity::dead_time) continue;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (data.name(inputs[i].input) != p.input) continue;
      const auto at = static_cast<Index>(i);
      const double own = gain(arx, at);
      if (!std::isfinite(own)) continue;
      if (p.quantity == PriorQuantity::gain) {
        if (!p.holds(own * gain_unit(data, cv, inputs[i].input))) return false;
        continue;
      }
      const double steps =
          time_constant_steps(step_response(arx, at, kStepsSeen), own, inputs[i].first_lag);
      if (!p.holds(steps * beat_ms / kMsPerSecond)) return false;
    }
  }
  return true;
}

std::vector<PriorCheck> impose_gains(const std::vector<Prior>& priors, const TrainingData& data,
                                     Index cv, const Regression& r, FinalFit& fit,
                                     bool equation_error) {
  if (fit.arx.integrating) return {};
  const std::vector<Bound> bounds = bounds_of(priors, data, cv, fit);
  if (bounds.empty()) return {};
  const Index p = fit.arx.theta.size();
  Vector theta;
  const auto active = active_set(bounds, fit.arx, fit.covariance.topLeftCorner(p, p), theta);
  if (active.empty() || !roots_inside(theta.tail(fit.arx.structure.na), 1 - 1e-6)) return {};
  std::vector<PriorCheck> out;
  for (const Bound& b : active) {
    PriorCheck c = check_of(priors[b.prior]);
    const Index input = fit.arx.structure.inputs[static_cast<std::size_t>(b.at)].input;
    const double unit = gain_unit(data, cv, input);
    c.status = PriorStatus::imposed;
    c.estimate = gain(fit.arx, b.at) * unit;
    const double error = k95 * gain_error(fit, b.at) * unit;
    c.low = *c.estimate - error;
    c.high = *c.estimate + error;
    out.push_back(std::move(c));
  }
  fit.arx.theta = theta;
  fit.draws.resize(0, 0);
  if (equation_error) renew_residual(r, fit);
  return out;
}

std::size_t choose_trial(const std::vector<Prior>& priors, const CvContext& context, double beat_ms,
                         std::vector<Trial>& trials, Findings& findings) {
  const TrainingData& data = *context.data;
  const std::string& name = data.name(data.nu() + context.cv);
  const bool concerned = std::ranges::any_of(priors, [&](const Prior& p) { return p.cv == name; });
  const auto choose = [&] {
    const bool level = context.forms.front().integrating;
    return choose_trial(trials, {.horizon = context.horizon, .free_run = !level});
  };
  if (!concerned) return choose();
  std::erase_if(findings.priors, [&](const PriorCheck& c) {
    return c.cv == name && c.status == PriorStatus::imposed;
  });
  double best = HUGE_VAL, best_allowed = HUGE_VAL;
  std::vector<bool> allowed;
  for (const Trial& t : trials) {
    allowed.push_back(t.reason.empty() &&
                      priors_hold(priors, data, context.cv, t.fit.arx, beat_ms));
    if (!t.reason.empty() || !std::isfinite(t.score)) continue;
    best = std::min(best, t.score);
    if (allowed.back()) best_allowed = std::min(best_allowed, t.score);
  }
  if (std::isfinite(best_allowed) && best_allowed <= kTrialTolerance * best) {
    for (std::size_t i = 0; i < trials.size(); ++i) {
      if (trials[i].reason.empty() && !allowed[i]) trials[i].reason = "violates prior";
    }
  }
  const std::size_t chosen = choose();
  Trial& t = trials[chosen];
  const Regression& r = context.forms[t.differenced ? 1 : 0];
  for (PriorCheck& c : impose_gains(priors, data, context.cv, r, t.fit, t.trainer == "linear_arx"))
    findings.priors.push_back(std::move(c));
  return chosen;
}

void judge_priors(const std::vector<Prior>& priors, double beat_ms, Findings& f) {
  const double beat = beat_ms / kMsPerSecond;
  std::vector<PriorCheck> out;
  for (const Prior& p : priors) {
    const auto kept = std::ranges::find_if(f.priors, [&](const PriorCheck& c) {
      return c.prior == p.text &&
             (c.status == PriorStatus::imposed || c.status == PriorStatus::removed ||
              c.quantity == PriorQuantity::dead_time || p.zero_gain());
    });
    if (kept != f.priors.end()) {
      out.push_back(*kept);
      continue;
    }
    PriorCheck c = check_of(p);
    const auto dead = std::ranges::find_if(
        f.dead_times, [&](const DeadTime& d) { return d.input == p.input && d.cv == p.cv; });
    const auto step = std::ranges::find_if(f.step_responses, [&](const StepResponse& s) {
      return s.input == p.input && s.cv == p.cv;
    });
    if (p.quantity == PriorQuantity::dead_time) {
      if (dead != f.dead_times.end()) estimate_dead_time(*dead, beat, c);
    } else if (step != f.step_responses.end()) {
      if (p.quantity == PriorQuantity::gain) estimate_gain(*step, c);
      if (p.quantity == PriorQuantity::time_constant)
        estimate_time_constant(*step, dead->steps, beat, c);
    }
    c.status = c.estimate ? judged(p, c) : PriorStatus::no_answer;
    out.push_back(std::move(c));
  }
  f.priors = std::move(out);
}

}  // namespace flyball::identify
