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
constexpr double kLeastShare = 0.02;  ///< of the gain: less does not matter to whoever reads it
constexpr Interval kEverything{0, std::numeric_limits<Index>::max() / 2};

struct Simulated {
  Arx arx;
  std::vector<double> errors;  ///< standard, of the gain of each input
  double likelihood = std::numeric_limits<double>::infinity();  ///< N ln mean square + p ln N
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
  out.likelihood = schwarz(refined.end, p, refined.rows);
  return out;
}

Simulated by_lags(const Regression& r, const FinalFit& fit) {
  const LagFit lags = fit_lags_of_order(r, lag_start(fit.arx), {kEverything});
  Simulated out;
  out.arx = arx_of(lags);
  for (const LagPair& error : lags.standard_errors) out.errors.push_back(error.gain);
  if (lags.converged) out.likelihood = schwarz(lags.mean_square, lags.parameters, lags.rows);
  return out;
}

}  // namespace

std::vector<GainBias> take_simulated_gains(const Regression& r, FinalFit& fit, bool in_loop) {
  if (fit.arx.integrating || fit.arx.structure.inputs.empty()) return {};
  const Simulated refined =
      refined_by(in_loop ? Criterion::prediction_error : Criterion::output_error, r, fit);
  const Simulated lags = in_loop || fit.arx.differenced ? Simulated{} : by_lags(r, fit);
  const Simulated& best = lags.likelihood < refined.likelihood ? lags : refined;
  if (!std::isfinite(best.likelihood)) return {};
  bool differs = false;
  std::vector<GainBias> out;
  for (std::size_t i = 0; i < best.errors.size(); ++i) {
    const auto at = static_cast<Index>(i);
    const double own = gain(fit.arx, at), simulated = gain(best.arx, at);
    const Vector g = steady_slope(fit.arx, at);
    const double error =
        std::hypot(best.errors[i], std::sqrt(std::max(0.0, g.dot(fit.covariance * g))));
    const double known = fit.largest ? std::abs(own - gain(*fit.largest, at)) : 0;
    const double apart = std::abs(own - simulated);
    if (!(apart > error && apart > known)) continue;
    differs = true;
    if (apart < std::max(kStandardErrors * error, kLeastShare * std::abs(simulated))) continue;
    out.push_back({fit.arx.structure.inputs[i].input, own, simulated});
  }
  if (differs) fit.largest = best.arx;
  if (!out.empty()) fit.draws.resize(0, 0);
  return out;
}

void judge_gain_bias(const TrainingData& data, Index cv, const Regression& r, FinalFit& fit,
                     Findings& findings) {
  const bool in_loop = std::ranges::any_of(findings.feedback, &Feedback::in_loop);
  const auto declared = [](const Feedback& f) { return !f.set_point.empty(); };
  if (in_loop && std::ranges::any_of(findings.feedback, declared)) return;
  const std::string& name = data.name(data.nu() + cv);
  for (const GainBias& b : take_simulated_gains(r, fit, in_loop)) {
    const double unit = data.std(data.nu() + cv) / data.std(b.input);
    findings.warnings.push_back({in_loop ? "LOOP_GAIN_BIASED" : "ARX_GAIN_BIASED",
                                 {{"input", data.name(b.input)},
                                  {"cv", name},
                                  {"gain", b.gain * unit},
                                  {"simulated", b.simulated * unit}}});
  }
}

}  // namespace flyball::identify
