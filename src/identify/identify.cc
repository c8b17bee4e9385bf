#include "identify/identify.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/checks.h"
#include "identify/closed_loop.h"
#include "identify/dead_time.h"
#include "identify/describe.h"
#include "identify/excitation.h"
#include "identify/feedback.h"
#include "identify/horizon.h"
#include "identify/input_choice.h"
#include "identify/order_search.h"
#include "identify/prior_use.h"
#include "identify/realise.h"

namespace flyball::identify {
namespace {

constexpr Index kDeadTimeMax = 20;
constexpr Index kColumnsMax = 400;  ///< of the dead-time test, after doubling the range
constexpr double kRadiusWarning = 0.999;
constexpr double kRadiusProposal = 0.99;  ///< a longer beat is proposed above it
constexpr double kBeatsPerTimeConstant = 20;
constexpr double kRowsKept = 250;  ///< of train with the longer beat
constexpr Interval kEverything{0, std::numeric_limits<Index>::max() / 2};

class Identification {
 public:
  Identification(const dataset::Dataset& dataset, const ArxOptions& options,
                 const ProgressFn& progress, std::stop_token stop)
      : options_(options),
        progress_(progress),
        stop_(std::move(stop)),
        beat_ms_(dataset.spec.beat_ms),
        data_(training_data(dataset)) {
    read_declarations(dataset);
  }

  IdentifyResult run() {
    choose_limits();
    take_inputs();
    judge_loops();
    report(0.05);
    find_all_dead_times();
    judge_lag_priors();
    judge_pairs();
    report(0.2);
    choose_orders();
    report(0.9);
    finish();
    return std::move(result_);
  }

 private:
  void read_declarations(const dataset::Dataset& dataset) {
    for (const dataset::Role role : {dataset::Role::mv, dataset::Role::dv}) {
      for (const Index c : dataset.columns(role)) {
        const double delay = dataset.spec.variables[static_cast<std::size_t>(c)].delay_ms;
        first_lag_.push_back(static_cast<Index>(std::floor(delay / beat_ms_)));
      }
    }
    first_lags_.assign(static_cast<std::size_t>(data_.ny()), first_lag_);
    for (const Index c : dataset.columns(dataset::Role::cv)) {
      integrating_.push_back(dataset.spec.variables[static_cast<std::size_t>(c)].integrating);
    }
  }

  void report(double fraction) const {
    check_stop(stop_);
    if (progress_) progress_({"identify", fraction, ""});
  }

  void warn(std::string code, std::vector<Param> params) {
    result_.findings.warnings.push_back({std::move(code), std::move(params)});
  }

  void choose_limits() {
    const Index rows = data_.x.rows();
    result_.findings.train_rows = rows;
    max_order_ = std::clamp<Index>(options_.max_order, 1, std::max<Index>(rows / 6, 1));
    range_ = options_.dead_time_max.value_or(
        std::clamp<Index>(rows / (10 * std::max<Index>(data_.nu(), 1)), 1, kDeadTimeMax));
    range_limit_ = options_.dead_time_max ? range_ : std::max(range_, rows / 20);
    for (const Prior& p : options_.priors) {
      const Index low = lags_allowed({p}, p.input, p.cv, beat_ms_).low, limit = rows / 4;
      if (low <= limit) continue;
      throw Error("PRIOR_BEYOND_RECORD",
                  {{"text", p.text}, {"steps", low}, {"rows", rows}, {"limit", limit}});
    }
    if (options_.history) {
      max_order_ = std::clamp<Index>(*options_.history / 2, 1, max_order_);
      range_limit_ = std::max<Index>(*options_.history - max_order_ - latest_first_lag(), 1);
      range_ = std::min(range_, range_limit_);
    }
  }

  [[nodiscard]] Index latest_first_lag() const {
    Index latest = first_lag_.empty() ? 0 : *std::ranges::max_element(first_lag_);
    for (const Prior& p : options_.priors)
      latest = std::max(latest, lags_allowed(options_.priors, p.input, p.cv, beat_ms_).low);
    return std::max<Index>(latest, in_loop() ? 1 : 0);
  }

  [[nodiscard]] bool in_loop() const {
    return std::ranges::any_of(result_.findings.feedback, &Feedback::in_loop);
  }

  void take_inputs() {
    Findings& f = result_.findings;
    InputChoice choice = choose_inputs(data_, options_.set_points, max_order_, f.warnings);
    f.excitation = std::move(choice.excitation);
    used_ = std::move(choice.used);
    used_columns_ = std::move(choice.columns);
    max_nb_ = choice.max_nb;
  }

  [[nodiscard]] Index max_lag() const { return latest_first_lag() + range_ + max_order_; }

  /// Rows of the train blocks that have all lags up to the range behind them in their block.
  [[nodiscard]] Index rows_behind(Index range) const {
    Index rows = 0;
    for (const Stretch& block : data_.blocks) {
      rows += std::max<Index>(block.end - block.first - latest_first_lag() - range - max_order_, 0);
    }
    return rows;
  }

  /// Doubles the range while a pair stands at its edge or a CV answers no input, up to rows/20, and
  /// while short runs keep half of their rows: tests on the few rows that remain find nothing. A
  /// range that settles one of them is doubled once more, since answers beyond the range show up as
  /// wrong early ones; without any the first range stands.
  void find_all_dead_times() {
    pairs_ = find_in_range();
    const Index first = range_;
    Index searched = range_;
    while (unsettled(pairs_) > 0 && widen()) {
      Pairs pairs = find_in_range();
      if (unsettled(pairs) >= unsettled(pairs_)) continue;
      pairs_ = widen() ? find_in_range() : std::move(pairs);
      searched = range_;
      break;
    }
    range_ = first;
    for (std::size_t j = 0; j < pairs_.size(); ++j) {
      for (const DeadTimeEstimate& p : pairs_[j]) {
        const Index offset = p.steps - first_lags_[j][static_cast<std::size_t>(p.input)];
        if (p.active) range_ = std::max(range_, offset);
      }
    }
    result_.findings.dead_time_max = searched;
    result_.history = options_.history.value_or(max_lag());
  }

  bool widen() {
    const Index wider = std::min(2 * range_, range_limit_);
    const auto columns = static_cast<Index>(used_columns_.size()) * (wider + 1);
    if (wider <= range_ || columns > kColumnsMax) return false;
    if (2 * rows_behind(wider) < data_.x.rows()) return false;
    range_ = wider;
    return true;
  }

  using Pairs = std::vector<std::vector<DeadTimeEstimate>>;

  Pairs find_in_range() {
    Pairs out;
    for (Index j = 0; j < data_.ny(); ++j) {
      check_stop(stop_);
      out.push_back(find_of(j));
    }
    return out;
  }

  /// Pairs at the edge of the range, and CVs that answer no input.
  static Index unsettled(const Pairs& pairs) {
    Index count = 0;
    for (const auto& of_cv : pairs) {
      if (of_cv.empty()) continue;
      count += std::ranges::count_if(of_cv, &DeadTimeEstimate::edge);
      count += std::ranges::none_of(of_cv, &DeadTimeEstimate::active) ? 1 : 0;
    }
    return count;
  }

  /// Pairs without a gain are taken out, candidates of the others kept to what is stated.
  void keep_to_priors(Index cv, DeadTimeOptions& o) const {
    const std::string& name = data_.name(data_.nu() + cv);
    std::erase_if(o.inputs,
                  [&](Index m) { return zero_gain(options_.priors, data_.name(m), name); });
    o.last_lag.resize(static_cast<std::size_t>(data_.nu()));
    for (Index m = 0; m < data_.nu(); ++m) {
      const auto i = static_cast<std::size_t>(m);
      const LagRange range = lags_allowed(options_.priors, data_.name(m), name, beat_ms_);
      o.first_lag[i] = std::max(o.first_lag[i], range.low);
      o.last_lag[i] = range.high;
    }
  }

  /// What the data say of the pairs whose dead time or absence is stated, without that.
  void judge_lag_priors() {
    for (Index j = 0; j < data_.ny(); ++j) {
      const std::string& cv = data_.name(data_.nu() + j);
      const auto stated = [&](const Prior& p) {
        return p.cv == cv && (p.quantity == PriorQuantity::dead_time || p.zero_gain());
      };
      if (std::ranges::none_of(options_.priors, stated)) continue;
      const auto pairs = find_of(j, true);
      for (const Prior& p : options_.priors) {
        if (stated(p)) result_.findings.priors.push_back(judge_lag(p, pairs));
      }
    }
  }

  [[nodiscard]] PriorCheck judge_lag(const Prior& p,
                                     const std::vector<DeadTimeEstimate>& pairs) const {
    PriorCheck c;
    c.input = p.input;
    c.cv = p.cv;
    c.prior = p.text;
    c.quantity = p.quantity;
    const auto pair = std::ranges::find_if(
        pairs, [&](const DeadTimeEstimate& e) { return data_.name(e.input) == p.input; });
    const bool answers = pair != pairs.end() && pair->active;
    if (p.quantity == PriorQuantity::gain) {
      c.status = PriorStatus::removed;
      return c;
    }
    c.status = PriorStatus::no_answer;
    if (!answers) return c;
    const double beat = beat_ms_ / 1000;
    c.estimate = std::max(0.0, static_cast<double>(pair->steps) - 0.5) * beat;
    c.low = static_cast<double>(std::max<Index>(pair->low - 1, 0)) * beat;
    c.high = static_cast<double>(pair->high) * beat;
    c.status = p.overlaps(*c.low, *c.high) ? PriorStatus::held : PriorStatus::impossible;
    return c;
  }

  std::vector<DeadTimeEstimate> find_of(Index cv, bool free_of_priors = false) {
    const Regression r = make_regression(data_, cv, used_, integrates(cv), false);
    return find_dead_times(normal_of(r, gram_of(r, max_lag(), {kEverything})), r.nu,
                           search_of(cv, free_of_priors));
  }

  [[nodiscard]] DeadTimeOptions search_of(Index cv, bool free_of_priors = false) const {
    DeadTimeOptions o;
    o.inputs = used_columns_;
    o.first_lag = first_lags_[static_cast<std::size_t>(cv)];
    o.range = range_;
    if (!free_of_priors) keep_to_priors(cv, o);
    o.y_lags = max_order_;
    for (std::size_t m = 0; m < result_.findings.feedback.size(); ++m) {
      if (result_.findings.feedback[m].in_loop) o.in_loop.push_back(static_cast<Index>(m));
    }
    return o;
  }

  [[nodiscard]] bool integrates(Index cv) const {
    return integrating_[static_cast<std::size_t>(cv)];
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
    if (!in_loop()) return;
    with_lag_0_ = find_in_range();
    for (Index j = 0; j < data_.ny(); ++j) {
      for (std::size_t m = 0; m < f.feedback.size(); ++m) {
        const Feedback& b = f.feedback[m];
        const bool not_direct = std::ranges::count(b.not_direct, data_.name(data_.nu() + j)) > 0;
        if (!b.in_loop || !(b.computed_from_cvs || not_direct || !b.set_point.empty())) continue;
        Index& first = first_lags_[static_cast<std::size_t>(j)][m];
        first = std::max<Index>(first, 1);
      }
    }
  }

  void judge_pairs() {
    Findings& f = result_.findings;
    f.collinear = collinear_of(data_, used_);
    for (Index m = 0; m < data_.nu(); ++m) {
      bool answered = false;
      for (Index j = 0; j < data_.ny(); ++j) answered = add_dead_time(m, j) || answered;
      Excitation& e = f.excitation[static_cast<std::size_t>(m)];
      if (e.left_out || answered) continue;
      e.left_out = true;
      e.reason = "no CV answers";
      warn("INPUT_NO_ANSWER", {{"input", e.input}});
    }
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
      regressions_.push_back({make_regression(data_, j, used_, integrates(j), false),
                              make_regression(data_, j, used_, integrates(j), true)});
      arxs_.push_back(preliminary(regressions_.back().front(), inputs_of(j), max_order_));
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
      const auto& forms = regressions_[static_cast<std::size_t>(j)];
      SearchOptions o;
      o.inputs = inputs_of(j);
      o.max_order = max_order_;
      o.max_nb = max_nb_;
      o.horizon = horizon;
      o.separation = result_.history;
      if (!options_.priors.empty()) {
        o.acceptable = [this, j](const Arx& arx) {
          return priors_hold(options_.priors, data_, j, arx, beat_ms_);
        };
      }
      o.threads = options_.threads;
      const Structure largest{max_order_, max_nb_, o.inputs};
      const auto folds = make_folds(forms.front(), largest.max_lag(), o.separation, horizon);
      searches_.push_back(search_orders(forms, o, folds, data_.name(data_.nu() + j), stop_));
      folds_.push_back(static_cast<Index>(folds.size()));
      arxs_[static_cast<std::size_t>(j)] = searches_.back().best;
      const auto done = static_cast<double>(j + 1) / static_cast<double>(data_.ny());
      report(0.2 + 0.35 * (round + done));
    }
  }

  /// A pole near 1 by a short beat; a beat is proposed when the record stays long enough with it.
  void warn_of_pole(const CvFinding& cv) {
    if (!(cv.radius > kRadiusProposal)) return;
    const double slowest = -beat_ms_ / 1000 / std::log(cv.radius);
    const double beat = round_time(slowest / kBeatsPerTimeConstant);
    const double factor = beat / (beat_ms_ / 1000);
    if (factor >= 2 && static_cast<double>(data_.x.rows()) >= factor * kRowsKept) {
      warn("POLE_OVERSAMPLED", {{"cv", cv.cv},
                                {"radius", cv.radius},
                                {"constant", slowest, "s"},
                                {"beats", slowest / (beat_ms_ / 1000)},
                                {"beat", beat, "s"}});
    } else if (cv.radius > kRadiusWarning) {
      warn("POLE_NEAR_ONE", {{"cv", cv.cv}, {"radius", cv.radius}});
    }
  }

  /// 1, 2 or 5 times a power of ten, or of the clock: not above.
  static double round_time(double seconds) {
    constexpr std::array kRound{0.001, 0.002, 0.005, 0.01,   0.02,   0.05,  0.1,  0.2,
                                0.5,   1.0,   2.0,   5.0,    10.0,   20.0,  30.0, 60.0,
                                120.0, 300.0, 600.0, 1200.0, 1800.0, 3600.0};
    double out = seconds;
    for (const double r : kRound) {
      if (r <= seconds) out = r;
    }
    return out;
  }

  void finish() {
    Findings& f = result_.findings;
    std::vector<FinalFit> fits;
    for (Index j = 0; j < data_.ny(); ++j) {
      const auto i = static_cast<std::size_t>(j);
      const auto& forms = regressions_[i];
      const Regression& r = forms[searches_[i].best.differenced ? 1 : 0];
      fits.push_back(final_fit(r, searches_[i]));
      for (PriorCheck& c : impose_gains(options_.priors, data_, j, r, fits.back(), true))
        f.priors.push_back(std::move(c));
      f.cvs.push_back(describe(data_, j, searches_[i], fits.back(), folds_[i]));
      warn_of_pole(f.cvs.back());
    }
    const Index needed = 2 * (result_.history + 2 * result_.horizon);
    const Index fewest = *std::ranges::min_element(folds_);
    if (fewest == 0) {
      warn("FOLDS_TOO_FEW", {{"rows", f.train_rows},
                             {"needed", needed + max_lag()},
                             {"missing", std::max<Index>(needed + max_lag() - f.train_rows, 1)}});
    }
    const std::vector<Noise> noise = judge_gains(fits);
    std::vector<Arx> arxs;
    for (const FinalFit& fit : fits) arxs.push_back(fit.arx);
    result_.model = realise(arxs, data_, innovation_covariance(fits), noise);
    model::check(result_.model);
    f.step_responses = describe_steps(data_, fits, result_.horizon);
    forget_gains(f);
    judge_priors(options_.priors, beat_ms_, f);
    for (const StepResponse& s : f.step_responses) {
      f.settling_steps = std::max(f.settling_steps, s.settling_steps);
    }
    report(1);
  }

  /// Takes the fits of the instruments where the loop biases the others.
  std::vector<Noise> judge_gains(std::vector<FinalFit>& fits) {
    std::vector<LoopCv> cvs;
    for (Index j = 0; j < data_.ny(); ++j) {
      const auto i = static_cast<std::size_t>(j);
      cvs.push_back({&regressions_[i].front(), &fits[i], search_of(j)});
    }
    return take_instrumental(data_, cvs, fits, result_.findings);
  }

  const ArxOptions& options_;
  const ProgressFn& progress_;
  std::stop_token stop_;
  double beat_ms_;
  TrainingData data_;
  std::vector<Index> first_lag_;                ///< declared
  std::vector<std::vector<Index>> first_lags_;  ///< per CV: declared, 1 or more in a loop
  std::vector<bool> integrating_, used_;
  std::vector<Index> used_columns_;
  Index max_order_ = 10, max_nb_ = 10, range_ = 20, range_limit_ = 20;
  Pairs pairs_, with_lag_0_;
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
