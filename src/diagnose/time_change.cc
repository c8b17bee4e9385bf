#include "diagnose/time_change.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "identify/closed_loop.h"
#include "math/distributions.h"

namespace flyball::diagnose {
namespace {

using identify::Interval;
using identify::Normal;
using identify::TrainingData;

constexpr std::array kBorders{0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8};
constexpr Index kRange = 20, kOutputLags = 10, kRowsPerParameter = 10;
constexpr double kLevel = 0.01, kErrors = 4, kChange = 0.25;
constexpr double kExact = 1e-10;  ///< share of the variance left: rounding
constexpr Index kEnd = std::numeric_limits<Index>::max() / 2;

/// One CV's regression and its fits on any rows.
class OneCv {
 public:
  OneCv(const TrainingData& data, const identify::Findings& f, Index cv) : data_(data), cv_(cv) {
    std::vector<bool> used;
    o_.range = std::min<Index>(kRange, std::max<Index>(f.dead_time_max, 1));
    o_.y_lags = kOutputLags;
    for (Index m = 0; m < data.nu(); ++m) {
      const auto i = static_cast<std::size_t>(m);
      used.push_back(!f.excitation[i].constant);
      const auto& d =
          f.dead_times[i * static_cast<std::size_t>(data.ny()) + static_cast<std::size_t>(cv)];
      o_.first_lag.push_back(d.active ? std::max<Index>(d.steps - 1, 1) : 1);
      const bool in_loop = i < f.feedback.size() && f.feedback[i].in_loop;
      if (f.excitation[i].constant) continue;
      o_.inputs.push_back(m);
      if (!in_loop) judged_.push_back(m);
    }
    const auto& found = f.cvs[static_cast<std::size_t>(cv)];
    r_ = identify::make_regression(data, cv, used, found.integrating, found.differenced);
    max_lag_ = kOutputLags;
    for (const Index m : o_.inputs)
      max_lag_ = std::max(max_lag_, o_.first_lag[static_cast<std::size_t>(m)] + o_.range);
    all_ = normal(0, kEnd);
  }

  /// The border with the largest F; its pairs whose gains differ.
  void judge(double tests, std::vector<TimeChange>& out) const {
    const auto p = static_cast<double>(dead_time_terms(r_.nu, o_).size()) + 1;
    if (judged_.empty() || static_cast<double>(all_.rows) < kRowsPerParameter * p) return;
    const double rss = rss_of(all_), power = all_.c(all_.index(r_.nu, 0), all_.index(r_.nu, 0));
    if (rss <= kExact * power) return;
    double best = 0, share = 0;
    for (const double at : kBorders) {
      const Normal before = normal(0, border(at)), after = normal(border(at), kEnd);
      const double least = 2 * p;
      if (static_cast<double>(std::min(before.rows, after.rows)) < least) continue;
      const double apart = rss_of(before) + rss_of(after);
      const double free_rows = static_cast<double>(before.rows + after.rows) - 2 * p;
      const double f = std::max(0.0, rss - apart) / p / (apart / free_rows);
      if (!(f > best)) continue;
      best = f;
      share = at;
    }
    if (best == 0) return;
    const double p_value =
        std::min(1.0, tests * math::f_survival(best, p, static_cast<double>(all_.rows) - 2 * p));
    if (!(p_value < kLevel)) return;
    const Normal before = normal(0, border(share)), after = normal(border(share), kEnd);
    for (const Index m : judged_) {
      const auto a = lag_sum(before, r_.nu, o_, m), b = lag_sum(after, r_.nu, o_, m);
      // An input that stood still on one side has no gain there.
      if (!(a.gain_std_error > 0 && b.gain_std_error > 0)) continue;
      const double change = std::abs(b.gain - a.gain);
      if (!(change > kErrors * std::hypot(a.gain_std_error, b.gain_std_error)) ||
          !(change > kChange * std::max(std::abs(a.gain), std::abs(b.gain))))
        continue;
      const double unit = data_.std(data_.nu() + cv_) / data_.std(m);
      out.push_back({data_.name(m), data_.name(data_.nu() + cv_), share, p_value, a.gain * unit,
                     a.gain_std_error * unit, b.gain * unit, b.gain_std_error * unit});
    }
  }

 private:
  [[nodiscard]] Index border(double share) const {
    return static_cast<Index>(share * static_cast<double>(r_.x.rows()));
  }

  [[nodiscard]] Normal normal(Index first, Index end) const {
    return normal_of(r_, gram_of(r_, max_lag_, {Interval{first, end}}));
  }

  [[nodiscard]] double rss_of(const Normal& n) const {
    return solve(n, dead_time_terms(r_.nu, o_), {r_.nu, 0}, {.lambda = 1e-9, .exact_steps = 1}).rss;
  }

  const TrainingData& data_;
  Index cv_, max_lag_ = 0;
  identify::DeadTimeOptions o_;
  std::vector<Index> judged_;
  identify::Regression r_;
  Normal all_;
};

}  // namespace

std::vector<TimeChange> time_changes_of(const dataset::Dataset& dataset,
                                        const identify::Findings& findings) {
  const TrainingData data = identify::training_data(dataset);
  std::vector<TimeChange> out;
  for (Index j = 0; j < data.ny(); ++j)
    OneCv(data, findings, j).judge(static_cast<double>(data.ny() * std::ssize(kBorders)), out);
  return out;
}

}  // namespace flyball::diagnose
