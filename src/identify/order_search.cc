#include "identify/order_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/checks.h"
#include "core/error.h"
#include "identify/hot_loops.h"
#include "math/linear_algebra.h"
#include "math/parallel.h"

namespace flyball::identify {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::array kRidges{1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1};
constexpr double kExact = 1e-6;  ///< scores below it are rounding
constexpr Index kMaxFolds = 5;
constexpr Index kFoldRows = 4000;  ///< longer folds say nothing more about an order
constexpr Interval kEverything{0, std::numeric_limits<Index>::max() / 2};

/// Fits of one nb and one λ for na = 1..max_na at once: they share one Cholesky factor.
class NestedFits {
 public:
  NestedFits(const Normal& normal, const Structure& largest, Index y_signal)
      : normal_(normal),
        terms_(largest.terms(y_signal)),
        y_(y_signal),
        n_inputs_(static_cast<Index>(terms_.size()) - largest.na) {
    const auto p = static_cast<Index>(terms_.size());
    const Index y = normal.index(y_signal, 0);
    scale_.resize(p);
    c_.resize(p, p);
    r_.resize(p);
    const auto at = [&](Index i) {
      const Term& t = terms_[static_cast<std::size_t>(i)];
      return normal_.index(t.signal, t.lag);
    };
    for (Index i = 0; i < p; ++i) {
      const double power = normal.c(at(i), at(i));
      scale_(i) = power > 0 ? 1 / std::sqrt(power) : 0;
    }
    for (Index j = 0; j < p; ++j) {
      for (Index i = 0; i < p; ++i) c_(i, j) = normal.c(at(i), at(j)) * scale_(i) * scale_(j);
      if (scale_(j) == 0) c_(j, j) = 1;
      r_(j) = normal.c(at(j), y) * scale_(j);
    }
  }

  /// False when the ridge does not make the matrix positive definite.
  bool factor(double lambda) {
    Matrix ridged = c_;
    ridged.diagonal().array() += lambda;
    factor_ = math::Cholesky::of(ridged);
    if (!factor_) return false;
    z_ = r_;
    factor_->lower().triangularView<Eigen::Lower>().solveInPlace(z_);
    return true;
  }

  [[nodiscard]] Vector theta(Index na) const {
    const Index p = n_inputs_ + na;
    Vector x = z_.head(p);
    factor_->lower().topLeftCorner(p, p).triangularView<Eigen::Lower>().adjoint().solveInPlace(x);
    return x.cwiseProduct(scale_.head(p));
  }

  [[nodiscard]] double constant(const Eigen::Ref<const Vector>& theta) const {
    double c = normal_.mean(normal_.index(y_, 0));
    for (Index i = 0; i < theta.size(); ++i) {
      const Term& t = terms_[static_cast<std::size_t>(i)];
      c -= theta(i) * normal_.mean(normal_.index(t.signal, t.lag));
    }
    return c;
  }

 private:
  const Normal& normal_;
  std::vector<Term> terms_;
  Index y_, n_inputs_;
  Vector scale_, r_, z_;
  Matrix c_;
  std::optional<math::Cholesky> factor_;
};

struct FormData {
  const Regression* r;
  Normal all;
  std::vector<Normal> rest;                 ///< per fold: what it leaves
  std::vector<std::vector<Interval>> runs;  ///< per fold: targets without a gap
};

FormData prepare(const Regression& r, Index max_lag, Index separation,
                 const std::vector<std::vector<Interval>>& folds) {
  FormData d{&r, {}, {}, {}};
  const math::LagGram all = gram_of(r, max_lag, {kEverything});
  d.all = normal_of(r, all);
  for (const auto& fold : folds) {
    math::LagGram rest = all;
    rest.subtract(gram_of(r, max_lag, widened(fold, separation)));
    d.rest.push_back(normal_of(r, rest));
    std::vector<Interval> runs;
    for (const Interval& interval : fold) {
      for_each_run(r, interval, max_lag, [&](Index t0, Index t1) {
        Index t = t0;
        while (t < t1) {
          while (t < t1 && r.target[static_cast<std::size_t>(t)] == 0) ++t;
          const Index first = t;
          while (t < t1 && r.target[static_cast<std::size_t>(t)] != 0) ++t;
          if (t > first) runs.push_back({first, t});
        }
      });
    }
    d.runs.push_back(std::move(runs));
  }
  return d;
}

struct Sums {
  double rollout = 0, one_step = 0, windows = 0;
};

void score_fold(const FormData& d, std::size_t fold, const Structure& s, const Vector& theta,
                double constant, Index horizon, std::vector<double>& buffer, Sums& sums) {
  const Vector h = disturbance_response(theta.tail(s.na), d.r->unit_roots(), horizon);
  for (const Interval& run : d.runs[fold]) {
    const Index n = run.end - run.first;
    if (n < horizon) continue;
    buffer.resize(static_cast<std::size_t>(n));
    residuals(*d.r, s, theta, constant, run.first, run.end, buffer.data());
    sums.rollout += rollout_error_sum(buffer.data(), n, h, &sums.one_step);
    sums.windows += static_cast<double>(n - horizon + 1);
  }
}

class Search {
 public:
  Search(const std::vector<Regression>& forms, const SearchOptions& options,
         const std::vector<std::vector<Interval>>& folds)
      : options_(options), n_folds_(folds.size()) {
    Structure largest{options.max_order, options.max_nb, options.inputs};
    for (const Regression& r : forms) {
      data_.push_back(prepare(r, largest.max_lag(), options.separation, folds));
    }
  }

  /// Every (form, nb) on a thread of its own.
  void run(const std::stop_token& stop) {
    const Index per_form = options_.inputs.empty() ? 1 : options_.max_nb;
    const Index tasks = static_cast<Index>(data_.size()) * per_form;
    std::vector<std::vector<Candidate>> found(static_cast<std::size_t>(tasks));
    const auto task = [&](Index i) {
      check_stop(stop);
      const auto form = static_cast<std::size_t>(i / per_form);
      found[static_cast<std::size_t>(i)] = try_orders(data_[form], i % per_form + 1);
    };
    math::parallel_for(tasks, task, options_.threads);
    for (const auto& of_task : found)
      candidates_.insert(candidates_.end(), of_task.begin(), of_task.end());
  }

  /// Smallest within the tolerance of the best; without folds the smallest. One that is not
  /// acceptable only when none of them is.
  [[nodiscard]] std::size_t choose() {
    double best = std::numeric_limits<double>::infinity();
    for (const Candidate& c : candidates_) {
      if (c.reason.empty()) best = std::min(best, n_folds_ == 0 ? 0.0 : c.score);
    }
    std::size_t chosen = candidates_.size(), unfit = candidates_.size();
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      Candidate& c = candidates_[i];
      if (!c.reason.empty()) continue;
      if (n_folds_ > 0 && !(c.score <= std::max(best * (1 + options_.tolerance), kExact))) {
        c.reason = "worse";
        continue;
      }
      if (options_.acceptable && !options_.acceptable(fit(c))) {
        c.reason = "violates prior";
        if (unfit == candidates_.size() || smaller(c, candidates_[unfit])) unfit = i;
        continue;
      }
      c.reason = "within 1 % but larger";
      if (chosen == candidates_.size() || smaller(c, candidates_[chosen])) chosen = i;
    }
    if (chosen == candidates_.size()) chosen = unfit;
    if (chosen < candidates_.size()) candidates_[chosen].reason = "chosen";
    return chosen;
  }

  [[nodiscard]] Arx fit(const Candidate& c) const {
    const FormData& d = data_[c.differenced ? data_.size() - 1 : 0];
    Arx arx;
    arx.structure = {c.na, c.nb, options_.inputs};
    const auto terms = arx.structure.terms(d.r->nu);
    arx.theta = solve(d.all, terms, {d.r->nu, 0}, {.lambda = c.lambda}).theta;
    arx.constant = constant_of(d.all, terms, d.r->nu, arx.theta);
    arx.integrating = d.r->integrating;
    arx.differenced = d.r->differenced;
    return arx;
  }

  /// One-step error of the largest direct structure; of the chosen one where that is less, since a
  /// short record overfits the largest.
  [[nodiscard]] double noise_floor(std::size_t chosen) const {
    double floor = kNan;
    Index largest = 0;
    for (const Candidate& c : candidates_) {
      if (c.differenced || !std::isfinite(c.one_step) || c.parameters < largest) continue;
      largest = c.parameters;
      floor = c.one_step;
    }
    return std::fmin(floor, candidates_[chosen].one_step);
  }

  [[nodiscard]] Index rows() const { return data_.front().all.rows; }
  /// Targets in a row, over the folds, behind enough rows for every lag.
  [[nodiscard]] Index longest_run() const {
    Index longest = 0;
    for (const auto& fold : data_.front().runs)
      for (const Interval& run : fold) longest = std::max(longest, run.end - run.first);
    return longest;
  }
  std::vector<Candidate> candidates_;

 private:
  static bool smaller(const Candidate& a, const Candidate& b) {
    if (a.parameters != b.parameters) return a.parameters < b.parameters;
    if (a.differenced != b.differenced) return b.differenced;
    return a.score < b.score;
  }

  [[nodiscard]] std::vector<Candidate> try_orders(const FormData& d, Index nb) const {
    const Index y = d.r->nu;
    const Structure largest{options_.max_order, nb, options_.inputs};
    std::vector<Candidate> candidates;
    for (Index na = 1; na <= options_.max_order; ++na) {
      Candidate c;
      c.na = na;
      c.nb = options_.inputs.empty() ? 0 : nb;
      c.differenced = d.r->differenced;
      c.parameters = Structure{na, nb, options_.inputs}.parameters();
      c.score = c.one_step = kNan;
      c.reason = rows_left(d) > c.parameters + 1 ? "unstable" : "too few rows";
      candidates.push_back(c);
    }
    NestedFits all(d.all, largest, y);
    std::vector<NestedFits> rest;
    for (const Normal& normal : d.rest) rest.emplace_back(normal, largest, y);
    std::vector<double> buffer;
    for (const double lambda : kRidges) {
      bool definite = all.factor(lambda);
      for (NestedFits& fits : rest) definite = definite && fits.factor(lambda);
      if (!definite) continue;
      for (Index na = 1; na <= options_.max_order; ++na) {
        Candidate& c = candidates[static_cast<std::size_t>(na - 1)];
        if (c.reason == "too few rows") continue;
        if (!roots_inside(all.theta(na).tail(na), options_.radius)) continue;
        const Structure s{na, nb, options_.inputs};
        Sums sums;
        for (std::size_t f = 0; f < rest.size(); ++f) {
          const Vector theta = rest[f].theta(na);
          score_fold(d, f, s, theta, rest[f].constant(theta), options_.horizon, buffer, sums);
        }
        const auto steps = static_cast<double>(options_.horizon);
        const double score = std::sqrt(sums.rollout / (sums.windows * steps));
        const bool better = n_folds_ == 0 ? c.lambda == 0 : !(c.score <= score);
        if (n_folds_ > 0 && !std::isfinite(score)) continue;
        if (!better) continue;
        c.lambda = lambda;
        c.score = n_folds_ == 0 ? kNan : score;
        c.one_step = n_folds_ == 0 ? kNan : std::sqrt(sums.one_step / sums.windows);
        c.reason.clear();
      }
    }
    return candidates;
  }

  static Index rows_left(const FormData& d) {
    Index rows = d.all.rows;
    for (const Normal& n : d.rest) rows = std::min(rows, n.rows);
    return rows;
  }

  const SearchOptions& options_;
  std::size_t n_folds_;
  std::vector<FormData> data_;
};

}  // namespace

std::vector<Interval> widened(const std::vector<Interval>& fold, Index separation) {
  std::vector<Interval> out;
  for (const Interval& i : fold) {
    const Interval wide{i.first - separation, i.end + separation};
    if (!out.empty() && wide.first < out.back().end) {
      out.back().end = std::max(out.back().end, wide.end);
    } else {
      out.push_back(wide);
    }
  }
  return out;
}

std::vector<Interval> outside(const std::vector<Interval>& fold, Index separation) {
  std::vector<Interval> out;
  Index from = 0;
  for (const Interval& left_out : widened(fold, separation)) {
    if (left_out.first > from) out.push_back({from, left_out.first});
    from = left_out.end;
  }
  out.push_back({from, kEverything.end});
  return out;
}

std::vector<std::vector<Interval>> make_folds(const Regression& r, Index max_lag, Index separation,
                                              Index horizon) {
  std::vector<Interval> runs;  // targets of a stretch
  std::vector<Index> run_of;
  Index rows = 0;
  Index n_runs = 0;
  for (const Stretch& s : r.stretches) {
    if (s.end - s.first <= max_lag) continue;
    runs.push_back({s.first + max_lag, s.end});
    run_of.push_back(s.run);
    rows += s.end - s.first - max_lag;
    n_runs = std::max(n_runs, s.run + 1);
  }
  Index count = std::min(kMaxFolds, rows / (separation + 2 * horizon));
  const bool by_run = n_runs >= 3;
  if (by_run) count = std::min(count, n_runs);
  if (count < 2) return {};
  std::vector<std::vector<Interval>> folds(static_cast<std::size_t>(count));
  std::vector<Index> filled(static_cast<std::size_t>(count), 0);
  const auto put = [&](Index fold, Interval interval) {
    Index& have = filled[static_cast<std::size_t>(fold)];
    interval.end = std::min(interval.end, interval.first + kFoldRows - have);
    if (interval.end <= interval.first) return;
    have += interval.end - interval.first;
    folds[static_cast<std::size_t>(fold)].push_back(interval);
  };
  Index before = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Index n = runs[i].end - runs[i].first;
    if (by_run) {
      put(run_of[i] % count, runs[i]);
      continue;
    }
    for (Index f = 0; f < count; ++f) {
      const Index from = std::clamp(rows * f / count - before, Index{0}, n);
      const Index to = std::clamp(rows * (f + 1) / count - before, Index{0}, n);
      put(f, {runs[i].first + from, runs[i].first + to});
    }
    before += n;
  }
  return folds;
}

SearchResult search_orders(const std::vector<Regression>& forms, const SearchOptions& options,
                           const std::vector<std::vector<Interval>>& folds,
                           const std::string& cv_name, const std::stop_token& stop) {
  Search search(forms, options, folds);
  search.run(stop);
  const std::size_t chosen = search.choose();
  if (chosen == search.candidates_.size()) {
    const bool short_of_rows = std::ranges::all_of(
        search.candidates_, [](const Candidate& c) { return c.reason == "too few rows"; });
    if (short_of_rows) {
      const Structure smallest{1, 1, options.inputs};
      throw Error(
          "DATA_TOO_SHORT",
          {{"cv", cv_name}, {"rows", search.rows()}, {"parameters", smallest.parameters() + 1}});
    }
    if (const Index longest = search.longest_run(); !folds.empty() && longest < options.horizon) {
      throw Error(
          "HOLES_TOO_CLOSE",
          {{"cv", cv_name}, {"longest", longest, "steps"}, {"needed", options.horizon, "steps"}});
    }
    throw Error("MODEL_UNSTABLE", {{"cv", cv_name}, {"candidates", search.candidates_.size()}});
  }
  SearchResult result;
  result.best = search.fit(search.candidates_[chosen]);
  result.noise_floor = search.noise_floor(chosen);
  result.candidates = std::move(search.candidates_);
  result.chosen = chosen;
  return result;
}

}  // namespace flyball::identify
