#include "identify/identify.h"

#include <algorithm>
#include <cmath>

#include "core/checks.h"
#include "identify/closed_loop.h"
#include "identify/collinear.h"
#include "identify/dead_time_search.h"
#include "identify/describe.h"
#include "identify/feedback.h"
#include "identify/horizon.h"
#include "identify/input_choice.h"
#include "identify/order_search.h"
#include "identify/pole_warning.h"
#include "identify/prior_use.h"
#include "identify/realise.h"
#include "identify/simulated_gain.h"

namespace flyball::identify {
namespace {

constexpr double kLevelDoubted = 0.7;  ///< error without the integrator over that with it
constexpr double kInflated = 10;       ///< variance of a gain by another input that moves alike

class Identification {
 public:
  Identification(const dataset::Dataset& dataset, const ArxOptions& options,
                 const ProgressFn& progress, std::stop_token stop)
      : options_(options),
        progress_(progress),
        stop_(std::move(stop)),
        beat_ms_(dataset.spec.beat_ms),
        data_(training_data(dataset)),
        integrating_(levels_of(dataset)),
        search_(data_, options_, beat_ms_, declared_lags(dataset), integrating_, stop_) {
    result_.findings.train_rows = data_.x.rows();
    for (Index j = 0; j < data_.ny(); ++j) {
      if (!data_.has_run_levels(j)) continue;
      warn("RUN_LEVELS_DIFFER", {{"cv", data_.name(data_.nu() + j)},
                                 {"runs", data_.runs},
                                 {"spread", data_.run_spread(j)}});
    }
  }

  IdentifyResult run() {
    take_inputs();
    judge_loops();
    part_collinear();
    report(0.05);
    find_dead_times();
    part_contradicted();
    for (PriorCheck& c : search_.judge_priors()) result_.findings.priors.push_back(std::move(c));
    judge_pairs();
    report(0.2);
    choose_orders();
    report(0.9);
    finish();
    return std::move(result_);
  }

 private:
  static std::vector<Index> declared_lags(const dataset::Dataset& dataset) {
    std::vector<Index> out;
    for (const dataset::Role role : {dataset::Role::mv, dataset::Role::dv}) {
      for (const Index c : dataset.columns(role)) {
        const double delay = dataset.spec.variables[static_cast<std::size_t>(c)].delay_ms;
        out.push_back(static_cast<Index>(std::floor(delay / dataset.spec.beat_ms)));
      }
    }
    return out;
  }

  static std::vector<bool> levels_of(const dataset::Dataset& dataset) {
    std::vector<bool> out;
    for (const Index c : dataset.columns(dataset::Role::cv))
      out.push_back(dataset.spec.variables[static_cast<std::size_t>(c)].integrating);
    return out;
  }

  void report(double fraction) const {
    check_stop(stop_);
    if (progress_) progress_({"identify", fraction, ""});
  }

  void warn(std::string code, std::vector<Param> params) {
    result_.findings.warnings.push_back({std::move(code), std::move(params)});
  }

  void take_inputs() {
    Findings& f = result_.findings;
    InputChoice choice = choose_inputs(data_, options_.set_points, search_.max_order(), f.warnings);
    f.excitation = std::move(choice.excitation);
    used_ = std::move(choice.used);
    max_nb_ = choice.max_nb;
    search_.take_inputs(used_);
  }

  /// Of inputs whose gains cannot be told apart only one is in the model: it carries the effect of
  /// all of them, and the verdict says so.
  void part_collinear() {
    Findings& f = result_.findings;
    f.collinear = collinear_of(data_, used_);
    judge_separable(data_, search_, used_, f.collinear);
    std::vector<Collinear> left = f.collinear;
    for (;;) {
      const auto last = std::ranges::find_if(left.rbegin(), left.rend(), &Collinear::unseparable);
      if (last == left.rend()) return;
      const auto m = std::ranges::find(f.excitation, last->mv, &Excitation::input);
      m->left_out = true;
      m->reason = "moved together with " + last->with;
      used_[static_cast<std::size_t>(m - f.excitation.begin())] = false;
      search_.take_inputs(used_);
      left = collinear_of(data_, used_);
      judge_separable(data_, search_, used_, left);
    }
  }

  /// Of MVs that follow each other and whose dead times make gains that all lags exclude, the last
  /// one is left out, unless the CVs are predicted by it; then once more, with the others as they
  /// are without it.
  void part_contradicted() {
    Findings& f = result_.findings;
    const auto is_used = [&](const std::string& name) {
      const auto e = std::ranges::find(f.excitation, name, &Excitation::input);
      return e != f.excitation.end() && used_[static_cast<std::size_t>(e - f.excitation.begin())];
    };
    for (auto c = f.collinear.rbegin(); c != f.collinear.rend(); ++c) {
      if (c->vif < kInflated || !is_used(c->mv)) continue;
      if (std::ranges::none_of(c->others, is_used)) continue;
      if (!contradicts_all_lags(data_, search_, used_, *c, pairs_)) continue;
      c->unseparable = true;
      if (is_needed(data_, search_, used_, *c)) continue;
      const auto e = std::ranges::find(f.excitation, c->mv, &Excitation::input);
      e->left_out = true;
      e->reason = "moved together with " + c->with;
      used_[static_cast<std::size_t>(e - f.excitation.begin())] = false;
      search_.take_inputs(used_);
      find_dead_times();
    }
  }

  void find_dead_times() {
    pairs_ = search_.find();
    result_.findings.dead_time_max = search_.searched();
    result_.history = options_.history.value_or(search_.max_lag());
  }

  void judge_loops() {
    Findings& f = result_.findings;
    f.feedback = feedback_of(data_, used_);
    for (const SetPoint& s : options_.set_points) {
      const auto b = std::ranges::find(f.feedback, s.mv, &Feedback::mv);
      if (b == f.feedback.end()) continue;
      b->set_point = s.tag;
      b->in_loop = true;
    }
    for (const Feedback& b : f.feedback) {
      if (b.computed_from_cvs) {
        warn("FEEDBACK_FOUND", {{"mv", b.mv}, {"kept", *b.variance_kept * 100, "%"}});
      } else if (b.in_loop && b.set_point.empty()) {
        warn("LOOP_FOUND",
             {{"mv", b.mv}, {"cv", b.cv}, {"probability", *b.probability * 100, "%"}});
      }
    }
    if (std::ranges::none_of(f.feedback, &Feedback::in_loop)) return;
    with_lag_0_ = search_.in_range();
    search_.take_loops(f.feedback);
  }

  void judge_pairs() {
    Findings& f = result_.findings;
    for (Index m = 0; m < data_.nu(); ++m) {
      bool answered = false;
      for (Index j = 0; j < data_.ny(); ++j) answered = add_dead_time(m, j) || answered;
      Excitation& e = f.excitation[static_cast<std::size_t>(m)];
      if (e.left_out || answered) continue;
      e.left_out = true;
      if (follows_another(e.input)) {
        e.reason = "moved together with another";
        continue;
      }
      if (stated_without_gain(e.input)) {
        e.reason = "no gain, as stated";
        continue;
      }
      e.reason = "no CV answers";
      warn("INPUT_NO_ANSWER", {{"input", e.input}, {"range", search_.looked_at(), "steps"}});
    }
  }

  /// A prior takes its pair with every CV out of the model.
  [[nodiscard]] bool stated_without_gain(const std::string& input) const {
    for (Index j = 0; j < data_.ny(); ++j) {
      if (!zero_gain(options_.priors, input, data_.name(data_.nu() + j))) return false;
    }
    return true;
  }

  /// An input that follows another and has no answer of its own: its share may be in the other's
  /// gain, which cannot be told.
  bool follows_another(const std::string& input) {
    const auto c = std::ranges::find(result_.findings.collinear, input, &Collinear::mv);
    if (c == result_.findings.collinear.end() || c->vif < kInflated) return false;
    if (has_no_effect(data_, search_, used_, *c)) return false;
    c->unseparable = true;
    return true;
  }

  /// True when the pair is active.
  bool add_dead_time(Index m, Index j) {
    const Findings& f = result_.findings;
    DeadTime d;
    d.input = data_.name(m);
    d.cv = data_.name(data_.nu() + j);
    auto& pairs = pairs_[static_cast<std::size_t>(j)];
    const auto pair = std::ranges::find(pairs, m, &DeadTimeEstimate::input);
    if (pair != pairs.end()) {
      d.steps = pair->steps;
      d.low = pair->low;
      d.high = pair->high;
      d.active = pair->active;
      d.edge = pair->edge;
      d.found = pair->active && !pair->edge && !pair->unclear;
      d.by_test = pair->by_test;
      d.feed_through = pair->active && pair->steps == 0;
      d.steps_after_0 = pair->steps_after_0;
      d.p_value = pair->p_value;
      if (d.feed_through) {
        warn("FEED_THROUGH", {{"input", d.input}, {"cv", d.cv}, {"after", d.steps_after_0}});
      }
      d.steps_with_0 = with_lag_0(m, j, d.steps);
      if (d.active && d.edge) {
        warn("DEAD_TIME_NOT_FOUND",
             {{"input", d.input}, {"cv", d.cv}, {"range", f.dead_time_max, "steps"}});
      } else if (d.active && !d.found) {
        warn("DEAD_TIME_UNCLEAR",
             {{"input", d.input}, {"cv", d.cv}, {"range", f.dead_time_max, "steps"}});
      }
    }
    result_.findings.dead_times.push_back(d);
    return d.active;
  }

  /// Of an MV in a loop, where the search with lag 0 says something else.
  [[nodiscard]] std::optional<std::int64_t> with_lag_0(Index m, Index j, Index steps) const {
    if (m >= data_.n_mv || !result_.findings.feedback[static_cast<std::size_t>(m)].in_loop) {
      return std::nullopt;
    }
    const auto& pairs = with_lag_0_[static_cast<std::size_t>(j)];
    const auto pair = std::ranges::find(pairs, m, &DeadTimeEstimate::input);
    if (pair == pairs.end() || !pair->active || pair->steps == steps) return std::nullopt;
    return pair->steps;
  }

  [[nodiscard]] std::vector<Structure::Input> inputs_of(Index cv) const {
    std::vector<Structure::Input> out;
    for (const DeadTimeEstimate& p : pairs_[static_cast<std::size_t>(cv)]) {
      if (p.active) out.push_back({p.input, p.steps});
    }
    return out;
  }

  void choose_orders() {
    for (Index j = 0; j < data_.ny(); ++j) {
      regressions_.push_back({make_regression(data_, j, used_, search_.integrates(j), false),
                              make_regression(data_, j, used_, search_.integrates(j), true)});
      arxs_.push_back(preliminary(regressions_.back().front(), inputs_of(j), search_.max_order()));
    }
    Index horizon = options_.horizon.value_or(horizon_of(arxs_, data_));
    for (int round = 0; round < 2; ++round) {
      search_all(horizon, round);
      result_.horizon = options_.horizon.value_or(horizon_of(arxs_, data_));
      // A horizon that the chosen model moves by less than a tenth chooses the same orders.
      if (10 * std::abs(result_.horizon - horizon) <= horizon) break;
      horizon = result_.horizon;
    }
  }

  void search_all(Index horizon, int round) {
    searches_.clear();
    folds_.clear();
    for (Index j = 0; j < data_.ny(); ++j) {
      searches_.push_back(search_one(j, regressions_[static_cast<std::size_t>(j)], horizon));
      arxs_[static_cast<std::size_t>(j)] = searches_.back().best;
      const auto done = static_cast<double>(j + 1) / static_cast<double>(data_.ny());
      report(0.2 + 0.35 * (round + done));
    }
  }

  SearchResult search_one(Index cv, const std::vector<Regression>& forms, Index horizon) {
    SearchOptions o;
    o.inputs = inputs_of(cv);
    o.max_order = search_.max_order();
    o.max_nb = std::min(max_nb_, search_.max_order());
    o.horizon = horizon;
    o.separation = result_.history;
    if (!options_.priors.empty()) {
      o.acceptable = [this, cv](const Arx& arx) {
        return priors_hold(options_.priors, data_, cv, arx, beat_ms_);
      };
    }
    o.threads = options_.threads;
    const Structure largest{o.max_order, o.max_nb, o.inputs};
    const auto folds = make_folds(forms.front(), largest.max_lag(), o.separation, horizon);
    folds_.push_back(static_cast<Index>(folds.size()));
    return search_orders(forms, o, folds, data_.name(data_.nu() + cv), stop_);
  }

  /// A CV declared a level that settles by itself is predicted far better without the integrator.
  void doubt_level(Index cv, CvFinding& found) {
    if (!found.integrating || !found.score) return;
    const std::vector<Regression> forms{make_regression(data_, cv, used_, false, false)};
    const SearchResult free = search_one(cv, forms, result_.horizon);
    folds_.pop_back();
    const double score = free.candidates[free.chosen].score;
    if (!(score < kLevelDoubted * *found.score)) return;
    found.settles_by_itself = true;
    warn("LEVEL_DOUBTED",
         {{"cv", found.cv}, {"level", *found.score}, {"free", score}, {"steps", result_.horizon}});
  }

  void finish() {
    Findings& f = result_.findings;
    std::vector<FinalFit> fits;
    for (Index j = 0; j < data_.ny(); ++j) {
      const auto i = static_cast<std::size_t>(j);
      const auto& forms = regressions_[i];
      const Regression& r = forms[searches_[i].best.differenced ? 1 : 0];
      fits.push_back(final_fit(r, searches_[i]));
      if (options_.simulate_gains) judge_gain_bias(data_, j, forms, fits.back(), f);
      for (PriorCheck& c : impose_gains(options_.priors, data_, j, r, fits.back(), true))
        f.priors.push_back(std::move(c));
      f.cvs.push_back(describe(data_, j, searches_[i], fits.back(), folds_[i]));
      doubt_level(j, f.cvs.back());
      if (auto m = pole_warning(f.cvs.back(), beat_ms_, data_.x.rows()))
        f.warnings.push_back(std::move(*m));
    }
    judge_rows();
    const std::vector<Noise> noise = judge_gains(fits);
    std::vector<Arx> arxs;
    for (const FinalFit& fit : fits) arxs.push_back(fit.arx);
    result_.model = realise(arxs, data_, innovation_covariance(fits), noise);
    model::check(result_.model);
    f.step_responses = describe_steps(data_, fits, result_.horizon);
    forget_gains(f);
    judge_loop_signs(f);
    judge_priors(options_.priors, beat_ms_, f);
    for (const StepResponse& s : f.step_responses) {
      f.settling_steps = std::max(f.settling_steps, s.settling_steps);
    }
    report(1);
  }

  /// Rows that the lags leave: of a record with holes many fewer than it has.
  void judge_rows() {
    const Index rows = result_.findings.train_rows;
    if (const auto asked = search_.cut_by_holes()) {
      warn("LAGS_CUT_BY_HOLES", {{"rows", search_.complete_rows(*asked)},
                                 {"train", rows},
                                 {"asked", *asked},
                                 {"range", search_.searched(), "steps"},
                                 {"order", search_.max_order()}});
    }
    if (*std::ranges::min_element(folds_) > 0) return;
    const Index needed = 2 * (result_.history + 2 * result_.horizon);
    const Index complete = search_.complete_rows(search_.max_lag());
    warn("FOLDS_TOO_FEW", {{"rows", complete},
                           {"train", rows},
                           {"lags", search_.max_lag()},
                           {"needed", needed},
                           {"missing", std::max<Index>(needed - complete, 1)}});
  }

  /// Takes the fits of the instruments where the loop biases the others.
  std::vector<Noise> judge_gains(std::vector<FinalFit>& fits) {
    std::vector<LoopCv> cvs;
    for (Index j = 0; j < data_.ny(); ++j) {
      const auto i = static_cast<std::size_t>(j);
      cvs.push_back({&regressions_[i].front(), &fits[i], search_.options_of(j)});
    }
    return take_instrumental(data_, cvs, fits, result_.findings);
  }

  const ArxOptions& options_;
  const ProgressFn& progress_;
  std::stop_token stop_;
  double beat_ms_;
  TrainingData data_;
  std::vector<bool> integrating_, used_;
  DeadTimeSearch search_;
  Index max_nb_ = 10;
  DeadTimeSearch::Pairs pairs_, with_lag_0_;
  std::vector<std::vector<Regression>> regressions_;
  std::vector<Arx> arxs_;
  std::vector<SearchResult> searches_;
  std::vector<Index> folds_;
  IdentifyResult result_;
};

}  // namespace

IdentifyResult identify_arx(const dataset::Dataset& data, const ArxOptions& options,
                            const ProgressFn& progress, std::stop_token stop) {
  return Identification(data, options, progress, std::move(stop)).run();
}

}  // namespace flyball::identify
