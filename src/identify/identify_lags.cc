#include "identify/identify_lags.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "identify/identify_auto.h"
#include "identify/output_error.h"
#include "identify/refine_lags.h"

namespace flyball::identify {
namespace {

constexpr double kMsPerSecond = 1000;
constexpr double kClearlyWorse = 1.21;  ///< mean square: a tenth more error
constexpr double kTimeConstants = 3;    ///< after which 95 % of an answer has been seen

bool in_loop(const TrainingData& data, const CvContext& c, const IdentifyResult& found) {
  return std::ranges::any_of(found.findings.feedback, [&](const Feedback& f) {
    return f.in_loop && std::ranges::any_of(c.inputs, [&](const Structure::Input& i) {
             return data.name(i.input) == f.mv;
           });
  });
}

/// Not when the ARX, refined as a simulation, has a clearly smaller error.
bool shaped_like(const Regression& r, const Arx& start, const LagFit& lags) {
  if (start.differenced) return true;
  const std::vector<Interval> everything{{0, std::numeric_limits<Index>::max() / 2}};
  const Refined refined = refine(r, {start, {}}, everything, {});
  return !(
      lags.mean_square > kClearlyWorse * refined.end &&
      schwarz(refined.end, refined.model.arx.structure.parameters(), refined.states, refined.rows) <
          schwarz(lags.mean_square, lags.parameters, lags.states, lags.rows));
}

double longest_of(const Regression& r) {
  Index out = 0;
  for (const Stretch& s : r.stretches) out = std::max(out, s.end - s.first);
  return static_cast<double>(out);
}

}  // namespace

std::vector<LagModel> identify_lags(const dataset::Dataset& dataset, const IdentifyResult& arx) {
  const TrainingData data = training_data(dataset);
  const std::vector<Interval> everything{{0, std::numeric_limits<Index>::max() / 2}};
  const double beat = dataset.spec.beat_ms / kMsPerSecond;
  std::vector<LagModel> out;
  for (Index j = 0; j < data.ny(); ++j) {
    const CvFinding& found = arx.findings.cvs[static_cast<std::size_t>(j)];
    const CvContext context = context_of(data, j, arx);
    if (found.integrating || context.inputs.empty() || in_loop(data, context, arx)) continue;
    const Regression& r = context.forms.front();
    const Arx start = try_arx(context, found).fit.arx;
    const LagFit fit = fit_lags_of_order(r, lag_start(start), everything);
    const bool fits = shaped_like(r, start, fit);
    for (std::size_t i = 0; i < fit.pairs.size(); ++i) {
      const LagPair &p = fit.pairs[i], &error = fit.standard_errors[i];
      const double unit = data.std(data.nu() + j) / data.std(p.input);
      out.push_back({data.name(p.input), found.cv, p.gain * unit, error.gain * unit, p.tau1 * beat,
                     error.tau1 * beat, p.tau2 * beat, error.tau2 * beat, p.theta * beat,
                     error.theta * beat, 100 * (1 - std::sqrt(fit.mean_square)), fits,
                     kTimeConstants * p.tau1 <= longest_of(r)});
    }
  }
  return out;
}

}  // namespace flyball::identify
