#include "identify/dead_time_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/checks.h"
#include "identify/describe.h"
#include "identify/horizon.h"
#include "identify/late_answer.h"
#include "identify/prior_use.h"

namespace flyball::identify {
namespace {

constexpr Index kDeadTimeMax = 20;
constexpr Index kColumnsMax = 400;  ///< of the dead-time test, after doubling the range
constexpr int kLateRounds = 3;
constexpr double kZeroExcluded = 1e-4;  ///< p of an answer that a stated zero gain does not survive
constexpr Interval kEverything{0, std::numeric_limits<Index>::max() / 2};

/// Pairs at the edge of the range, and CVs that answer no input.
Index unsettled(const DeadTimeSearch::Pairs& pairs) {
  Index count = 0;
  for (const auto& of_cv : pairs) {
    if (of_cv.empty()) continue;
    count += std::ranges::count_if(of_cv, &DeadTimeEstimate::edge);
    count += std::ranges::none_of(of_cv, &DeadTimeEstimate::active) ? 1 : 0;
  }
  return count;
}

}  // namespace

DeadTimeSearch::DeadTimeSearch(const TrainingData& data, const ArxOptions& options, double beat_ms,
                               std::vector<Index> declared, std::vector<bool> integrating,
                               const std::stop_token& stop)
    : data_(data),
      options_(options),
      beat_ms_(beat_ms),
      stop_(stop),
      declared_(std::move(declared)),
      first_lags_(static_cast<std::size_t>(data.ny()), declared_),
      integrating_(std::move(integrating)) {
  const Index rows = data_.x.rows();
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
  asked_ = taken_ = {range_, max_order_};
}

Index DeadTimeSearch::latest_first_lag() const {
  Index latest = declared_.empty() ? 0 : *std::ranges::max_element(declared_);
  for (const Prior& p : options_.priors)
    latest = std::max(latest, lags_allowed(options_.priors, p.input, p.cv, beat_ms_).low);
  return std::max<Index>(latest, in_loop_.empty() ? 0 : 1);
}

void DeadTimeSearch::take_inputs(const std::vector<bool>& used) {
  used_ = used;
  columns_.clear();
  for (Index m = 0; m < data_.nu(); ++m) {
    if (used_[static_cast<std::size_t>(m)]) columns_.push_back(m);
  }
  take_window(options_.dead_time_max ? asked_ : within_holes(asked_));
}

void DeadTimeSearch::take_window(LagWindow window) {
  taken_ = window;
  range_ = window.range;
  max_order_ = window.order;
}

Index DeadTimeSearch::unanswered(const Pairs& pairs) const {
  return std::ranges::count_if(columns_, [&](Index m) {
    return std::ranges::none_of(pairs, [&](const std::vector<DeadTimeEstimate>& of_cv) {
      const auto pair = std::ranges::find(of_cv, m, &DeadTimeEstimate::input);
      return pair != of_cv.end() && pair->active;
    });
  });
}

void DeadTimeSearch::narrow(Pairs& pairs) {
  const Index lags = latest_first_lag() + range_ + max_order_;
  bool matter = false;
  for (Index j = 0; j < data_.ny(); ++j)
    matter = matter || holes_matter(stretches_of(j), data_.blocks, lags);
  if (options_.dead_time_max || !matter) return;
  const LagWindow before = taken_;
  for (const LagWindow& window : narrower(asked_)) {
    if (unanswered(pairs) == 0) return;
    if (window.range >= before.range) continue;
    const LagWindow kept = taken_;
    take_window(window);
    Pairs found = in_range();
    if (unanswered(found) < unanswered(pairs)) {
      pairs = std::move(found);
    } else {
      take_window(kept);
    }
  }
}

LagWindow DeadTimeSearch::within_holes(LagWindow asked) const {
  LagWindow out = asked;
  for (Index j = 0; j < data_.ny(); ++j) {
    const LagWindow left = window_within(stretches_of(j), data_.blocks, std::ssize(columns_),
                                         latest_first_lag(), asked);
    out.range = std::min(out.range, left.range);
    out.order = std::min(out.order, left.order);
  }
  return out;
}

std::vector<Stretch> DeadTimeSearch::stretches_of(Index cv) const {
  std::vector<Index> columns = columns_;
  columns.push_back(data_.nu() + cv);
  return usable(data_.x, columns, data_.blocks);
}

std::optional<Index> DeadTimeSearch::cut_by_holes() const {
  if (taken_.range == asked_.range && taken_.order == asked_.order) return std::nullopt;
  return latest_first_lag() + asked_.range + asked_.order;
}

Index DeadTimeSearch::complete_rows(Index lags) const {
  Index fewest = data_.x.rows();
  for (Index j = 0; j < data_.ny(); ++j)
    fewest = std::min(fewest, rows_behind(stretches_of(j), lags));
  return fewest;
}

void DeadTimeSearch::take_loops(const std::vector<Feedback>& feedback) {
  for (std::size_t m = 0; m < feedback.size(); ++m) {
    const Feedback& b = feedback[m];
    if (!b.in_loop) continue;
    in_loop_.push_back(static_cast<Index>(m));
    for (Index j = 0; j < data_.ny(); ++j) {
      const bool not_direct = std::ranges::count(b.not_direct, data_.name(data_.nu() + j)) > 0;
      if (!(b.computed_from_cvs || not_direct || !b.set_point.empty())) continue;
      Index& first = first_lags_[static_cast<std::size_t>(j)][m];
      first = std::max<Index>(first, 1);
    }
  }
}

DeadTimeSearch::Pairs DeadTimeSearch::find() {
  Pairs pairs = in_range();
  narrow(pairs);
  const Index first = range_;
  searched_ = range_;
  while (unsettled(pairs) > 0 && widen()) {
    Pairs wider = in_range();
    if (unsettled(wider) >= unsettled(pairs)) continue;
    pairs = widen() ? in_range() : std::move(wider);
    searched_ = range_;
    break;
  }
  range_ = searched_;
  follow_late_answers(pairs);
  range_ = first;
  for (std::size_t j = 0; j < pairs.size(); ++j) {
    for (const DeadTimeEstimate& p : pairs[j]) {
      const Index offset = p.steps - first_lags_[j][static_cast<std::size_t>(p.input)];
      if (p.active) range_ = std::max(range_, offset);
    }
  }
  return pairs;
}

/// A late answer is looked for up to twice as far as it can be followed.
void DeadTimeSearch::follow_late_answers(Pairs& pairs) {
  for (int round = 0; round < kLateRounds; ++round) {
    const auto found = late(pairs);
    if (found.empty()) return;
    const Index latest = std::ranges::max(found, {}, &LateAnswer::lag).lag;
    const Index before = range_;
    while (range_ < latest && widen()) {
    }
    if (range_ == before) {
      for (const LateAnswer& l : found) {
        for (DeadTimeEstimate& p : pairs[static_cast<std::size_t>(l.cv)])
          if (p.input == l.input) p.active = p.edge = true;
      }
      return;
    }
    pairs = in_range();
    searched_ = range_;
  }
}

std::vector<LateAnswer> DeadTimeSearch::late(const Pairs& pairs) const {
  std::vector<LateAnswer> out;
  for (Index j = 0; j < data_.ny(); ++j) {
    check_stop(stop_);
    const auto& of_this = pairs[static_cast<std::size_t>(j)];
    if (std::ranges::none_of(of_this, &DeadTimeEstimate::active)) continue;
    if (integrating_[static_cast<std::size_t>(j)]) continue;
    const Regression r = make_regression(data_, j, used_, false, false);
    std::vector<Interval> lags;
    for (const DeadTimeEstimate& p : of_this) {
      const Index first =
          first_lags_[static_cast<std::size_t>(j)][static_cast<std::size_t>(p.input)];
      const bool judged = std::ranges::count(in_loop_, p.input) == 0 && !p.edge &&
                          !options_of(j).last_lag[static_cast<std::size_t>(p.input)];
      const Index from = first + range_ + 1;
      lags.push_back({from, judged ? first + 2 * range_limit_ + 1 : from});
    }
    const auto answers = late_answers(r, of_this, lags, max_order_);
    for (const auto& [input, lag] : answers) out.push_back({input, j, lag});
  }
  return out;
}

bool DeadTimeSearch::widen() {
  const Index wider = std::min(2 * range_, range_limit_);
  const auto columns = static_cast<Index>(columns_.size()) * (wider + 1);
  if (wider <= range_ || columns > kColumnsMax) return false;
  const Index lags = latest_first_lag() + wider + max_order_;
  if (2 * rows_behind(data_.blocks, lags) < data_.x.rows()) return false;
  if (within_holes({wider, max_order_}).range < wider) return false;
  range_ = wider;
  looked_at_ = std::max(looked_at_, range_);
  return true;
}

DeadTimeSearch::Pairs DeadTimeSearch::in_range() const {
  Pairs out;
  for (Index j = 0; j < data_.ny(); ++j) {
    check_stop(stop_);
    out.push_back(of_cv(j));
  }
  return out;
}

/// Pairs without a gain are taken out, candidates of the others kept to what is stated.
void DeadTimeSearch::keep_to_priors(Index cv, DeadTimeOptions& o) const {
  const std::string& name = data_.name(data_.nu() + cv);
  std::erase_if(o.inputs, [&](Index m) { return zero_gain(options_.priors, data_.name(m), name); });
  for (Index m = 0; m < data_.nu(); ++m) {
    const auto i = static_cast<std::size_t>(m);
    const LagRange range = lags_allowed(options_.priors, data_.name(m), name, beat_ms_);
    o.first_lag[i] = std::max(o.first_lag[i], range.low);
    o.last_lag[i] = range.high;
  }
}

std::vector<PriorCheck> DeadTimeSearch::judge_priors() const {
  std::vector<PriorCheck> out;
  for (Index j = 0; j < data_.ny(); ++j) {
    const std::string& cv = data_.name(data_.nu() + j);
    const auto stated = [&](const Prior& p) {
      return p.cv == cv && (p.quantity == PriorQuantity::dead_time || p.zero_gain());
    };
    if (std::ranges::none_of(options_.priors, stated)) continue;
    const auto pairs = of_cv(j, true);
    for (const Prior& p : options_.priors) {
      if (stated(p)) out.push_back(judge(p, j, pairs));
    }
  }
  return out;
}

PriorCheck DeadTimeSearch::judge(const Prior& p, Index cv,
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
    if (!answers || pair->p_value > kZeroExcluded) return c;
    c.status = PriorStatus::impossible;
    c.estimate = rough_gain(cv, pairs, pair->input);
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

/// Of a first ARX with every pair that answers; model units. None when it has no steady state.
std::optional<double> DeadTimeSearch::rough_gain(Index cv,
                                                 const std::vector<DeadTimeEstimate>& pairs,
                                                 Index input) const {
  std::vector<Structure::Input> inputs;
  for (const DeadTimeEstimate& e : pairs) {
    if (e.active) inputs.push_back({e.input, e.steps});
  }
  const Regression r =
      make_regression(data_, cv, used_, integrating_[static_cast<std::size_t>(cv)], false);
  const Arx arx = preliminary(r, inputs, max_order_);
  const auto at = std::ranges::find(inputs, input, &Structure::Input::input);
  const double g = steady(arx, at - inputs.begin()) * data_.std(data_.nu() + cv) / data_.std(input);
  return std::isfinite(g) ? std::optional(g) : std::nullopt;
}

std::vector<DeadTimeEstimate> DeadTimeSearch::of_cv(Index cv, bool free_of_priors) const {
  const Regression r =
      make_regression(data_, cv, used_, integrating_[static_cast<std::size_t>(cv)], false);
  return find_dead_times(normal_of(r, gram_of(r, max_lag(), {kEverything})), r.nu,
                         options_of(cv, free_of_priors));
}

DeadTimeOptions DeadTimeSearch::options_of(Index cv, bool free_of_priors) const {
  DeadTimeOptions o;
  o.inputs = columns_;
  o.first_lag = first_lags_[static_cast<std::size_t>(cv)];
  o.last_lag.resize(static_cast<std::size_t>(data_.nu()));
  o.range = range_;
  if (!free_of_priors) keep_to_priors(cv, o);
  o.y_lags = max_order_;
  o.in_loop = in_loop_;
  return o;
}

}  // namespace flyball::identify
