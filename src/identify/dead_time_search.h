#pragma once
// Which dead times are looked at: the range of lags, what is declared and stated, and when the
// range has to be wider.
#include <stop_token>
#include <vector>

#include "identify/dead_time.h"
#include "identify/hole_window.h"
#include "identify/identify.h"
#include "identify/training_data.h"

namespace flyball::identify {

/// An answer that came later than the last lag of a model.
struct LateAnswer {
  Index input = 0, cv = 0, lag = 0;
};

class DeadTimeSearch {
 public:
  /// Everything before a lag is tested. `declared`: first lag of each input; `integrating`: per CV.
  /// Throws PRIOR_BEYOND_RECORD. `data` and `options` must outlive the search.
  DeadTimeSearch(const TrainingData& data, const ArxOptions& options, double beat_ms,
                 std::vector<Index> declared, std::vector<bool> integrating,
                 const std::stop_token& stop);

  using Pairs = std::vector<std::vector<DeadTimeEstimate>>;  ///< per CV

  [[nodiscard]] Index max_order() const { return max_order_; }
  /// Lags behind a row: first lag, range and order.
  [[nodiscard]] Index max_lag() const { return latest_first_lag() + range_ + max_order_; }
  [[nodiscard]] bool integrates(Index cv) const {
    return integrating_[static_cast<std::size_t>(cv)];
  }
  [[nodiscard]] Index searched() const { return searched_; }
  /// Lags that a row would have without the holes, when fewer were taken.
  [[nodiscard]] std::optional<Index> cut_by_holes() const;
  /// Of the CV with the fewest: train rows with so many complete rows before them.
  [[nodiscard]] Index complete_rows(Index lags) const;

  /// The widest range looked at, whether or not it settled anything.
  [[nodiscard]] Index looked_at() const { return std::max(looked_at_, searched_); }

  /// The window that the holes of these inputs and of the CVs leave (hole_window.h), unless the
  /// range is stated.
  void take_inputs(const std::vector<bool>& used);
  /// MVs in loops, and pairs whose lag 0 is the controller's.
  void take_loops(const std::vector<Feedback>& feedback);

  /// Over the range as it stands.
  [[nodiscard]] Pairs in_range() const;

  /// Doubles the range while a pair stands at its edge or a CV answers no input, up to rows/20, and
  /// while short runs keep half of their rows: tests on the few rows that remain find nothing. A
  /// range that settles one of them is doubled once more, since answers beyond the range show up as
  /// wrong early ones; without any the first range stands. The same when
  /// the CV answers an input later than the range (late_answers). The range then shrinks to what
  /// was found. Pairs that answer beyond rows/20 are `edge`.
  Pairs find();

  [[nodiscard]] DeadTimeOptions options_of(Index cv, bool free_of_priors = false) const;
  /// What the data say of the pairs whose dead time or absence is stated, without that.
  [[nodiscard]] std::vector<PriorCheck> judge_priors() const;

 private:
  [[nodiscard]] Index latest_first_lag() const;
  [[nodiscard]] std::vector<Stretch> stretches_of(Index cv) const;
  [[nodiscard]] LagWindow within_holes(LagWindow asked) const;
  [[nodiscard]] std::vector<DeadTimeEstimate> of_cv(Index cv, bool free_of_priors = false) const;
  [[nodiscard]] std::vector<LateAnswer> late(const Pairs& pairs) const;
  [[nodiscard]] PriorCheck judge(const Prior& p, Index cv,
                                 const std::vector<DeadTimeEstimate>& pairs) const;
  [[nodiscard]] std::optional<double> rough_gain(Index cv,
                                                 const std::vector<DeadTimeEstimate>& pairs,
                                                 Index input) const;
  bool widen();
  void take_window(LagWindow window);
  [[nodiscard]] Index unanswered(const Pairs& pairs) const;
  /// While no CV answers an input of a record whose holes matter: the first narrower window in
  /// which more inputs are answered.
  void narrow(Pairs& pairs);
  void keep_to_priors(Index cv, DeadTimeOptions& o) const;
  void follow_late_answers(Pairs& pairs);

  const TrainingData& data_;
  const ArxOptions& options_;
  double beat_ms_;
  std::stop_token stop_;
  std::vector<Index> declared_;
  std::vector<std::vector<Index>> first_lags_;  ///< per CV: declared, 1 or more in a loop
  std::vector<bool> integrating_, used_;
  std::vector<Index> columns_, in_loop_;
  LagWindow asked_, taken_;
  Index max_order_ = 10, range_ = 20, range_limit_ = 20, searched_ = 20, looked_at_ = 0;
};

}  // namespace flyball::identify
