#include "diagnose/collinearity.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "identify/arx.h"
#include "identify/regression.h"

namespace flyball::diagnose {
namespace {

using identify::Collinear;
using identify::Findings;
using identify::TrainingData;

constexpr double kHalve = 3, kMost = 15;  ///< new information over the present: SE/2 … SE/4
constexpr double kTWanted = 3, kErrorShare = 1.0 / 3;
constexpr double kLeftLeast = 0.005;  ///< 1 − R²: below it the present information is nothing
constexpr std::int64_t kStepsLeast = 10;
constexpr identify::Interval kEverything{0, std::numeric_limits<Index>::max() / 2};

Index column_of(const TrainingData& data, const std::string& input) {
  return std::ranges::find(data.inputs, input) - data.inputs.begin();
}

const identify::Excitation& excitation_of(const Findings& f, const std::string& input) {
  return *std::ranges::find(f.excitation, input, &identify::Excitation::input);
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

/// Standard error over gain of `kept` on one CV when `left` stands beside it at the same lag.
double error_share(const TrainingData& data, const Findings& f, Index cv, Index kept, Index left) {
  const auto at_pair = [&](Index m) -> const identify::DeadTime& {
    return f.dead_times[static_cast<std::size_t>(m * data.ny() + cv)];
  };
  const identify::CvFinding& found = f.cvs[static_cast<std::size_t>(cv)];
  identify::Structure s{found.na, std::max<std::int64_t>(found.nb, 1), {}};
  std::vector<bool> used(static_cast<std::size_t>(data.nu()), false);
  Index at = -1;
  for (Index m = 0; m < data.nu(); ++m) {
    const identify::DeadTime& d = at_pair(m);
    if (!d.active && m != left) continue;
    if (m == kept) at = std::ssize(s.inputs);
    s.inputs.push_back({m, m == left ? at_pair(kept).steps : d.steps});
    used[static_cast<std::size_t>(m)] = true;
  }
  const identify::Regression r =
      identify::make_regression(data, cv, used, found.integrating, found.differenced);
  const identify::Normal normal =
      identify::normal_of(r, identify::gram_of(r, s.max_lag(), {kEverything}));
  const Index p = s.parameters();
  if (normal.rows <= p + 1) return HUGE_VAL;
  const identify::Solution solution =
      identify::solve(normal, s.terms(r.nu), {r.nu, 0}, {.lambda = 1e-10, .inverse = true});
  const double a1 = 1 - solution.theta.tail(s.na).sum();
  const double b1 = solution.theta.segment(at * s.nb, s.nb).sum();
  Vector slope = Vector::Zero(p);
  slope.segment(at * s.nb, s.nb).setConstant(1 / a1);
  slope.tail(s.na).setConstant(b1 / (a1 * a1));
  const double variance = solution.rss / static_cast<double>(normal.rows - p - 1);
  return std::sqrt(variance * slope.dot(solution.inverse * slope)) / std::abs(b1 / a1);
}

bool unseparable(const TrainingData& data, const Findings& f, const std::string& left,
                 const std::string& kept) {
  const Index l = column_of(data, left), k = column_of(data, kept);
  for (Index j = 0; j < data.ny(); ++j) {
    if (!f.dead_times[static_cast<std::size_t>(k * data.ny() + j)].active) continue;
    if (!(error_share(data, f, j, k, l) <= kErrorShare)) return true;
  }
  return false;
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

std::vector<Collinear> judged_collinear(const dataset::Dataset& dataset,
                                        const identify::IdentifyResult& found) {
  const Findings& f = found.findings;
  std::vector<Collinear> out = f.collinear;
  if (out.empty()) return out;
  const TrainingData data = identify::training_data(dataset);
  for (Collinear& c : out) {
    if (!excitation_of(f, c.mv).left_out || excitation_of(f, c.with).left_out) continue;
    c.unseparable = unseparable(data, f, c.mv, c.with);
  }
  return out;
}

}  // namespace flyball::diagnose
