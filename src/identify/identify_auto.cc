#include "identify/identify_auto.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <mutex>

#include "core/checks.h"
#include "identify/closed_loop.h"
#include "identify/describe.h"
#include "identify/instrumental_trial.h"
#include "identify/lag_dead_times.h"
#include "identify/prior_use.h"
#include "identify/simulated_gain.h"
#include "math/linear_algebra.h"
#include "math/parallel.h"

namespace flyball::identify {
namespace {

constexpr Index kRefinedOrderMax = 8;
constexpr double kShareOfArx = 0.3;   ///< of the progress
constexpr double kFloorLeast = 1e-6;  ///< of the noise: rounding
constexpr int kSharpenings = 3;       ///< of the dead times of a CV

std::optional<double> known(double v) {
  return std::isfinite(v) ? std::optional(v) : std::nullopt;
}

bool in_feedback(const Findings& f, const std::string& input) {
  return std::ranges::any_of(
      f.feedback, [&](const Feedback& b) { return b.mv == input && b.computed_from_cvs; });
}

/// First lags as identify_arx used them: a direct answer in feedback takes the next lag.
std::vector<Structure::Input> inputs_of(const TrainingData& data, Index cv, const Findings& f) {
  std::vector<Structure::Input> out;
  for (Index m = 0; m < data.nu(); ++m) {
    const DeadTime& d = f.dead_times[static_cast<std::size_t>(m * data.ny() + cv)];
    if (!d.active) continue;
    const bool next = d.feed_through && in_feedback(f, d.input);
    out.push_back({m, next ? std::max<Index>(d.steps_after_0, 1) : d.steps});
  }
  return out;
}

std::vector<LeaderboardRow> rows_of(const std::string& cv, const std::vector<Trial>& trials) {
  std::vector<LeaderboardRow> rows;
  for (const Trial& t : trials) {
    rows.push_back({cv, t.trainer, t.reason, t.order, t.parameters + t.noise.ar.size(),
                    t.differenced, known(t.score), known(t.one_step), known(t.free_run),
                    known(t.loss),
                    t.singular_value > 0 ? std::optional(t.singular_value) : std::nullopt});
  }
  std::ranges::stable_sort(rows, [](const LeaderboardRow& a, const LeaderboardRow& b) {
    return a.loss.value_or(HUGE_VAL) < b.loss.value_or(HUGE_VAL);
  });
  return rows;
}

/// ln(mean square of the innovations) + 2·parameters/N: by row, since trials leave out others.
double akaike(const Trial& t) {
  double sum = 0, rows = 0;
  for (const double e : t.fit.residual) {
    if (!std::isfinite(e)) continue;
    sum += e * e;
    rows += 1;
  }
  return std::log(sum / rows) + 2 * static_cast<double>(t.parameters) / rows;
}

/// An input of the CV is in a loop whose set-point is not declared.
bool in_blind_loop(const Findings& f, const std::string& cv) {
  return std::ranges::any_of(f.loop_gains, [&](const LoopGain& g) {
    return g.cv == cv && g.set_point.empty() &&
           std::ranges::find(f.feedback, g.mv, &Feedback::mv)->in_loop;
  });
}

/// The choice prefers few parameters and may be a subspace model; what that costs in bias is the
/// difference to the likeliest trial of the same form. In a loop, where a gain is right only with
/// the right model of the disturbance, any form and trainer may be that one. Empty when the choice
/// is the likeliest.
std::optional<Arx> likeliest_other(const std::vector<Trial>& trials, std::size_t chosen,
                                   bool in_loop) {
  const Trial& small = trials[chosen];
  const Trial* best = &small;
  for (const Trial& t : trials) {
    if (in_loop && t.trainer == "output_error") continue;  // biased there
    if (std::isfinite(t.score) && akaike(t) < akaike(*best)) best = &t;
  }
  if (best == &small) return small.trainer == "linear_arx" ? small.fit.largest : std::nullopt;
  return best->fit.arx;
}

void describe_chosen(const TrainingData& data, Index cv, const Trial& t, CvFinding& f) {
  if (t.trainer == "linear_arx") return;
  const Arx& arx = t.fit.arx;
  f.na = arx.structure.na;
  f.nb = arx.structure.nb;
  f.parameters = t.parameters;
  f.rows = t.fit.rows;
  f.lambda = 0;
  f.differenced = t.differenced;
  f.score = known(t.score);
  f.radius = radius_of(arx);
  describe_parameters(data, cv, t.fit, f);
}

/// The chosen trials as the model, with the findings that depend on it.
void adopt(const TrainingData& data, const std::vector<Trial>& chosen, IdentifyResult& result) {
  std::vector<const Trial*> trials;
  std::vector<FinalFit> fits;
  for (std::size_t j = 0; j < chosen.size(); ++j) {
    trials.push_back(&chosen[j]);
    fits.push_back(chosen[j].fit);
    describe_chosen(data, static_cast<Index>(j), chosen[j], result.findings.cvs[j]);
  }
  result.model = realise_trials(trials, data);
  model::check(result.model);
  result.findings.step_responses = describe_steps(data, fits, result.horizon);
  forget_gains(result.findings);
  judge_loop_signs(result.findings);
  result.findings.settling_steps = -1;
  for (const StepResponse& s : result.findings.step_responses) {
    result.findings.settling_steps = std::max(result.findings.settling_steps, s.settling_steps);
  }
}

}  // namespace

CvContext context_of(const TrainingData& data, Index cv, const IdentifyResult& arx) {
  const Findings& f = arx.findings;
  std::vector<bool> used;
  for (const Excitation& e : f.excitation) {
    used.push_back(!e.constant && !(e.mv && !e.excited));
  }
  CvContext c;
  c.data = &data;
  c.cv = cv;
  const CvFinding& found = f.cvs[static_cast<std::size_t>(cv)];
  for (const bool differenced : {false, true}) {
    c.forms.push_back(make_regression(data, cv, used, found.integrating, differenced));
  }
  c.inputs = inputs_of(data, cv, f);
  if (data.has_run_levels(cv))
    c.variance = std::pow(std::max(found.noise_floor.value_or(1), kFloorLeast), 2);
  c.history = arx.history;
  c.horizon = arx.horizon;
  Structure largest{1, 1, c.inputs};
  for (const OrderScore& o : found.orders) {
    largest.na = std::max<Index>(largest.na, o.na);
    largest.nb = std::max<Index>(largest.nb, o.nb);
  }
  c.fold_lag = largest.max_lag();
  c.max_order = std::min({kRefinedOrderMax, largest.na, largest.nb});
  c.folds = make_folds(c.forms.front(), c.fold_lag, c.history, c.horizon);
  return c;
}

AutoResult identify_auto(const dataset::Dataset& dataset, const ArxOptions& options,
                         const Families& families, const ProgressFn& progress,
                         std::stop_token stop) {
  const ProgressFn first_part = [&](const Progress& p) {
    if (progress) progress({p.stage, p.fraction * kShareOfArx, p.note});
  };
  AutoResult out;
  ArxOptions first = options;
  first.simulate_gains = false;  // asked of the ARX only where it is chosen
  out.result = identify_arx(dataset, first, first_part, stop);
  const TrainingData data = training_data(dataset);
  struct OfCv {
    CvContext context;
    std::vector<Trial> trials;
    Sharpened sharp;
  };
  std::vector<OfCv> tried(static_cast<std::size_t>(data.ny()));
  std::mutex progressing;
  Index ready = 0;
  const auto task = [&](Index j) {
    auto& [context, trials, sharp] = tried[static_cast<std::size_t>(j)];
    const CvFinding& found = out.result.findings.cvs[static_cast<std::size_t>(j)];
    // Simulation fits are biased in a loop: the dead times of the instruments or of the ARX stand.
    const bool keep =
        std::ranges::count(out.result.findings.loop_gains, found.cv, &LoopGain::cv) > 0 ||
        std::ranges::any_of(options.priors, [&](const Prior& p) {
          return p.cv == found.cv && p.quantity == PriorQuantity::dead_time;
        });
    for (int round = 0; round <= kSharpenings; ++round) {
      context = context_of(data, j, out.result);
      context.threads = options.threads;
      trials = try_subspace_and_refined(context, families, stop);
      if (round == kSharpenings || keep) break;
      sharp = sharpen_dead_times(context, trials, out.result.findings.dead_times);
      if (!sharp.changed) break;
    }
    const bool possible =
        std::ranges::any_of(trials, [](const Trial& t) { return t.reason.empty(); });
    if (families.arx || !possible) trials.insert(trials.begin(), try_arx(context, found));
    if (families.output_error) add_instrumental(context, out.result.findings, trials, stop);
    if (!progress) return;
    const std::lock_guard lock(progressing);
    const double done = static_cast<double>(++ready) / static_cast<double>(data.ny());
    progress({"identify", kShareOfArx + (1 - kShareOfArx) * done, found.cv});
  };
  math::parallel_for(data.ny(), task, options.threads);
  std::vector<Trial> chosen;
  for (auto& [context, trials, sharp] : tried) {
    const std::size_t best =
        choose_trial(options.priors, context, dataset.spec.beat_ms, trials, out.result.findings);
    const std::string& cv = out.result.findings.cvs[static_cast<std::size_t>(context.cv)].cv;
    std::ranges::move(rows_of(cv, trials), std::back_inserter(out.leaderboard));
    out.folds.push_back(trials[best].folds);
    const bool blind = in_blind_loop(out.result.findings, cv);
    trials[best].fit.largest =
        sharp.stand ? arx_of(sharp.lags) : likeliest_other(trials, best, blind);
    const auto later =
        without_direct_answers(context.forms.front(), trials[best].fit.arx, out.result.findings);
    if (later) trials[best].fit.largest = later;
    if (trials[best].trainer != "output_error" && !later)
      judge_gain_bias(data, context.cv, context.forms, trials[best].fit, out.result.findings);
    chosen.push_back(std::move(trials[best]));
  }
  adopt(data, chosen, out.result);
  return out;
}

}  // namespace flyball::identify
