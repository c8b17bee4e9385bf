#include "identify/simulated_gain.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "identify/output_error.h"
#include "identify/refine_lags.h"

namespace flyball::identify {
namespace {

constexpr double kStandardErrors = 3;
constexpr double kTold = 0.5;         ///< error of a gain over itself that still tells it
constexpr double kInQuestion = 2;     ///< ln N per input: not clearly less likely
constexpr double kLeastShare = 0.02;  ///< of the gain: less does not matter to whoever reads it
constexpr Interval kEverything{0, std::numeric_limits<Index>::max() / 2};

struct Simulated {
  Arx arx;
  std::vector<double> errors;  ///< standard, of the gain of each input
  /// schwarz()/N: per row, since the fits leave out different rows.
  double likelihood = std::numeric_limits<double>::infinity();
};

Simulated refined_by(Criterion criterion, const Regression& r, const FinalFit& fit) {
  Rational start{fit.arx, {}};
  if (criterion == Criterion::prediction_error) start.noise.c = Vector::Zero(fit.arx.structure.na);
  const Refined refined = refine(r, start, {kEverything}, {.criterion = criterion});
  Simulated out;
  out.arx = refined.model.arx;
  const Index p = out.arx.theta.size();
  if (!refined.covariance.allFinite() || refined.covariance.rows() < p) return out;
  for (Index i = 0; i < std::ssize(out.arx.structure.inputs); ++i) {
    const Vector g = steady_slope(out.arx, i);
    out.errors.push_back(
        std::sqrt(std::max(0.0, g.dot(refined.covariance.topLeftCorner(p, p) * g))));
  }
  out.likelihood =
      schwarz(refined.end, p, refined.states, refined.rows) / static_cast<double>(refined.rows);
  return out;
}

Simulated by_lags(const Regression& r, const FinalFit& fit) {
  const LagFit lags = fit_lags_of_order(r, lag_start(fit.arx), {kEverything});
  Simulated out;
  out.arx = arx_of(lags);
  for (const LagPair& error : lags.standard_errors) out.errors.push_back(error.gain);
  if (lags.converged)
    out.likelihood = schwarz(lags.mean_square, lags.parameters, lags.states, lags.rows) /
                     static_cast<double>(lags.rows);
  return out;
}

/// The likeliest of those in question that tell every gain.
std::optional<ToldGains> likeliest_told(const std::vector<Simulated>& others, double in_question) {
  const Simulated* best = nullptr;
  for (const Simulated& s : others) {
    bool told = s.likelihood <= in_question && !s.errors.empty();
    for (std::size_t i = 0; i < s.errors.size(); ++i)
      told = told && s.errors[i] < kTold * std::abs(gain(s.arx, static_cast<Index>(i)));
    if (told && (best == nullptr || s.likelihood < best->likelihood)) best = &s;
  }
  return best == nullptr ? std::nullopt : std::optional(ToldGains{best->arx, best->errors});
}

}  // namespace

std::vector<GainBias> take_simulated_gains(const std::vector<Regression>& forms, FinalFit& fit,
                                           bool in_loop) {
  if (fit.arx.integrating || fit.arx.structure.inputs.empty()) return {};
  std::vector<Simulated> others;
  const Regression& own_form = forms[fit.arx.differenced ? 1 : 0];
  others.push_back(
      refined_by(in_loop ? Criterion::prediction_error : Criterion::output_error, own_form, fit));
  for (std::size_t f = 0; f < forms.size() && !in_loop; ++f) {
    others.push_back(by_lags(forms[f], fit));
    others.back().arx.differenced = forms[f].differenced;
  }
  const double likeliest = std::ranges::min(others, {}, &Simulated::likelihood).likelihood;
  if (!std::isfinite(likeliest)) return {};
  const auto rows = static_cast<double>(std::max<Index>(fit.rows, 2));
  const double in_question = likeliest + kInQuestion * std::log(rows) / rows *
                                             static_cast<double>(fit.arx.structure.inputs.size());
  if (!in_loop) fit.told = likeliest_told(others, in_question);
  std::vector<GainBias> out;
  double farthest = 0;
  const std::optional<Arx> first = fit.largest;
  for (const Simulated& other : others) {
    if (!(other.likelihood <= in_question)) continue;
    double distance = 0;
    std::vector<GainBias> found;
    for (std::size_t i = 0; i < other.errors.size(); ++i) {
      const auto at = static_cast<Index>(i);
      const double own = gain(fit.arx, at), simulated = steady_by(other.arx, fit.arx, at);
      const Vector g = steady_slope(fit.arx, at);
      const double of_fit = std::sqrt(std::max(0.0, g.dot(fit.covariance * g)));
      const double error = std::hypot(other.errors[i], of_fit);
      const bool told = other.errors[i] < kTold * std::abs(simulated);
      const double known = first ? std::abs(own - steady_by(*first, fit.arx, at)) : 0;
      const double apart = std::abs(own - simulated);
      if (!(apart > (told ? of_fit : error) && apart > known)) continue;
      distance += std::pow(apart / error, 2);
      if (apart < std::max(kStandardErrors * error, kLeastShare * std::abs(simulated))) continue;
      found.push_back({fit.arx.structure.inputs[i].input, own, simulated});
    }
    if (!(distance > farthest)) continue;
    farthest = distance;
    fit.largest = other.arx;
    out = std::move(found);
  }
  if (!out.empty()) fit.draws.resize(0, 0);
  return out;
}

void judge_gain_bias(const TrainingData& data, Index cv, const std::vector<Regression>& forms,
                     FinalFit& fit, Findings& findings) {
  const bool in_loop = std::ranges::any_of(findings.feedback, &Feedback::in_loop);
  const auto declared = [](const Feedback& f) { return !f.set_point.empty(); };
  if (in_loop && std::ranges::any_of(findings.feedback, declared)) return;
  const std::string& name = data.name(data.nu() + cv);
  for (const GainBias& b : take_simulated_gains(forms, fit, in_loop)) {
    const double unit = data.std(data.nu() + cv) / data.std(b.input);
    findings.warnings.push_back({in_loop ? "LOOP_GAIN_BIASED" : "ARX_GAIN_BIASED",
                                 {{"input", data.name(b.input)},
                                  {"cv", name},
                                  {"gain", b.gain * unit},
                                  {"simulated", b.simulated * unit}}});
  }
}

}  // namespace flyball::identify
