#include "diagnose/collinearity.h"

#include <algorithm>
#include <cmath>

#include "identify/training_data.h"

namespace flyball::diagnose {
namespace {

using identify::Collinear;
using identify::Findings;
using identify::TrainingData;

constexpr double kHalve = 3, kMost = 15;  ///< new information over the present: SE/2 … SE/4
constexpr double kTWanted = 3;
constexpr double kLeftLeast = 0.005;  ///< 1 − R²: below it the present information is nothing
constexpr std::int64_t kStepsLeast = 10;

Index column_of(const TrainingData& data, const std::string& input) {
  return std::ranges::find(data.inputs, input) - data.inputs.begin();
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& n : names) out += (out.empty() ? "" : " and ") + n;
  return out;
}

/// The pair of this MV whose gain is told worst; null: none is in the model.
const identify::StepResponse* worst_pair(const Findings& f, const std::string& mv) {
  const identify::StepResponse* worst = nullptr;
  double least = HUGE_VAL;
  for (const identify::StepResponse& s : f.step_responses) {
    if (s.input != mv || !s.gain || !s.gain_std_error || !(*s.gain_std_error > 0)) continue;
    const double t = std::abs(*s.gain) / *s.gain_std_error;
    if (t >= least) continue;
    least = t;
    worst = &s;
  }
  return worst;
}

SeparatingMove move_of(const TrainingData& data, const Findings& f, const Collinear& c) {
  SeparatingMove out;
  out.mv = c.mv;
  out.others = joined(c.others);
  double factor = kHalve;
  std::int64_t settling = f.settling_steps;
  if (const auto* pair = worst_pair(f, c.mv)) {
    out.cv = pair->cv;
    out.gain_std_error_now = *pair->gain_std_error;
    const double wanted = kTWanted * *pair->gain_std_error / std::abs(*pair->gain);
    factor = std::clamp(wanted * wanted - 1, kHalve, kMost);
    settling = pair->settling_steps;
  }
  out.steps = std::max(settling, kStepsLeast);
  const Index m = column_of(data, c.mv);
  const double left = std::max(1 / c.vif, kLeftLeast);
  const double present = static_cast<double>(data.x.rows()) * data.std(m) * data.std(m) * left;
  out.step = std::sqrt(2 * factor * present / static_cast<double>(out.steps));
  const double range = data.high(m) - data.low(m);
  if (out.step > range) {
    out.moves = static_cast<std::int64_t>(std::ceil(out.step * out.step / (range * range)));
    out.step = range;
  }
  out.gain_std_error_then = out.gain_std_error_now / std::sqrt(1 + factor);
  return out;
}

}  // namespace

std::vector<SeparatingMove> separating_moves(const dataset::Dataset& dataset,
                                             const identify::IdentifyResult& found) {
  if (found.findings.collinear.empty()) return {};
  const TrainingData data = identify::training_data(dataset);
  std::vector<SeparatingMove> out;
  for (const Collinear& c : found.findings.collinear)
    out.push_back(move_of(data, found.findings, c));
  return out;
}

}  // namespace flyball::diagnose
