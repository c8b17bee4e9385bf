#include "identify/instrumental_trial.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/checks.h"
#include "identify/closed_loop.h"

namespace flyball::identify {
namespace {

constexpr Interval kEverything{0, std::numeric_limits<Index>::max() / 2};
constexpr int kIdleOrders = 2;
constexpr double kImproves = 0.995;

void score(const CvContext& c, const Regression& r, const Structure& s, const Matrix& noise_free,
           const FoldScorer& scorer, Trial& trial) {
  const TrainingData scale = scale_of(*c.data, c.cv);
  for (const auto& fold : c.folds) {
    const auto fit = fit_instrumental(r, s, outside(fold, c.history), noise_free);
    if (!fit) {
      trial.reason = "a fold cannot carry it";
      trial.folds.clear();
      trial.score = trial.one_step = trial.free_run = std::nan("");
      return;
    }
    const auto model = realise({fit->arx}, scale, Matrix::Constant(1, 1, c.variance), {fit->noise});
    trial.folds.push_back(scorer.errors(model, c.forms.front(), c.fold_lag, fold).front());
  }
  trial.score = rollout_score(trial.folds, c.horizon);
  trial.one_step = one_step_score(trial.folds);
  trial.free_run = free_run_score(trial.folds);
}

}  // namespace

std::vector<Trial> try_instrumental(const CvContext& c, const Findings& findings,
                                    const std::stop_token& stop) {
  std::vector<Trial> trials;
  const auto set_points = set_points_of(*c.data, findings, c.inputs);
  if (c.forms.front().integrating || c.inputs.empty() || !set_points) return trials;
  const Matrix noise_free = noise_free_inputs(*c.data, *set_points).values;
  const Regression r = where_known(*c.data, c.forms.front(), noise_free);
  std::vector<Structure::Input> inputs = c.inputs;
  for (auto& input : inputs) {
    if ((*set_points)[static_cast<std::size_t>(input.input)] < 0) continue;
    input.first_lag = std::max<Index>(input.first_lag, 1);
  }
  const FoldScorer scorer(*c.data, {c.cv}, c.history, c.horizon);
  double best = std::numeric_limits<double>::infinity();
  int idle = 0;
  for (Index n = 1; n <= c.max_order && idle < kIdleOrders; ++n) {
    check_stop(stop);
    const Structure s{n, n, inputs};
    const auto fit = fit_instrumental(r, s, {kEverything}, noise_free);
    if (!fit || !fit->converged) {
      ++idle;
      continue;
    }
    Trial t;
    t.trainer = "instrumental_variable";
    t.order = n;
    t.parameters = s.parameters();
    t.fit = final_fit_of(*fit);
    t.noise = fit->noise;
    score(c, r, s, noise_free, scorer, t);
    idle = t.score < best * kImproves ? 0 : idle + 1;
    best = std::min(best, std::isfinite(t.score) ? t.score : best);
    trials.push_back(std::move(t));
  }
  return trials;
}

void leave_out_contradicting(const CvContext& c, const Findings& findings,
                             std::vector<Trial>& trials) {
  const std::string& cv = c.data->name(c.data->nu() + c.cv);
  for (const LoopGain& g : findings.loop_gains) {
    if (g.cv != cv || !g.instrumental) continue;
    const GainEstimate instruments{*g.instrumental, *g.instrumental_std_error};
    for (Trial& t : trials) {
      if (t.trainer == "instrumental_variable" || !t.reason.empty()) continue;
      const auto& inputs = t.fit.arx.structure.inputs;
      const auto at = std::ranges::find_if(
          inputs, [&](const Structure::Input& input) { return c.data->name(input.input) == g.mv; });
      if (at == inputs.end()) continue;
      const Index i = at - inputs.begin();
      if (!contradict(gain_of(*c.data, c.cv, t.fit.arx, t.fit.covariance, i), instruments))
        continue;
      t.reason = "its gain contradicts the moves of the set-point";
    }
  }
}

void add_instrumental(const CvContext& c, const Findings& findings, std::vector<Trial>& trials,
                      const std::stop_token& stop) {
  const std::string& cv = c.data->name(c.data->nu() + c.cv);
  const bool used = std::ranges::any_of(
      findings.loop_gains, [&](const LoopGain& g) { return g.cv == cv && g.instrumental; });
  leave_out_contradicting(c, findings, trials);
  std::vector<Trial> more = try_instrumental(c, findings, stop);
  trials.insert(used ? trials.begin() : trials.end(), more.begin(), more.end());
}

}  // namespace flyball::identify
