#include "identify/narx_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include "core/checks.h"
#include "core/error.h"
#include "identify/narx_loss.h"
#include "math/parallel.h"

namespace flyball::identify {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kHeldMax = 0.01;  ///< share of predictions that the bounds may hold
constexpr int kGrowIterations = 8;
constexpr int kFinalIterations = 60;
constexpr Index kWindows = 400;    ///< of a fold, about
constexpr Index kPathRows = 2000;  ///< of a path; the last fit takes kFinalRows
constexpr Index kFinalRows = 20000;
constexpr Index kPatience = 5;   ///< terms that a path grows without a better score
constexpr double kClose = 1.06;  ///< of the least loss
constexpr Index kRowsPerTerm = 8;
constexpr Index kPool = 300, kEvenPool = 650;  ///< candidate products of one path at most
constexpr double kRidge = 1e-2;                ///< of every path; the best are tried with others
constexpr std::array kOtherRidges{1e-4, 1e-8};
constexpr int kFinalTries = 5;

struct Path {
  NarxLags lags;
  Index restart = 0;
  double ridge = kRidge;
};

Path path_of(const NarxCandidate& c) {
  return {c.lags, c.restart, c.ridge};
}

/// Lags and degrees that are tried, small ones first.
std::vector<Path> paths_of(const NarxOptions& o) {
  std::vector<Path> out;
  struct Shape {
    Index na, nb, degree;
    bool even;
  };
  for (const Index restart : {Index{0}, o.horizon}) {
    for (const Shape& s : {Shape{1, 2, 3, false}, Shape{2, 2, 2, false}, Shape{2, 2, 3, false},
                           Shape{3, 3, 2, false}, Shape{3, 3, 3, false}, Shape{2, 6, 3, false},
                           Shape{2, 20, 3, true}}) {
      const NarxLags lags{s.na, s.nb, s.degree, s.even, s.even ? o.early : o.inputs};
      if (lags.max_lag() <= o.history && !lags.inputs.empty()) out.push_back({lags, restart});
    }
  }
  return out;
}

std::vector<NarxProduct> pool_of(const NarxLags& lags, Index nu) {
  return narx_pool(lags, nu, lags.even ? kEvenPool : kPool);
}

/// Runs of measured targets of a fold.
std::vector<Interval> measured_runs(const Regression& r, const std::vector<Interval>& fold,
                                    Index max_lag) {
  std::vector<Interval> out;
  for (const Interval& interval : fold) {
    for_each_run(r, interval, max_lag, [&](Index t0, Index t1) {
      for (Index t = t0; t < t1;) {
        while (t < t1 && r.target[static_cast<std::size_t>(t)] == 0) ++t;
        const Index first = t;
        while (t < t1 && r.target[static_cast<std::size_t>(t)] != 0) ++t;
        if (t > first) out.push_back({first, t});
      }
    });
  }
  return out;
}

Index rows_of(const std::vector<Interval>& pieces) {
  Index rows = 0;
  for (const Interval& i : pieces) rows += i.end - i.first;
  return rows;
}

/// At most `rows` rows: every piece is shortened alike.
void shorten(std::vector<Interval>& pieces, Index rows) {
  const Index have = rows_of(pieces);
  if (have <= rows) return;
  const double share = static_cast<double>(rows) / static_cast<double>(have);
  for (Interval& i : pieces) {
    const auto keep = static_cast<Index>(share * static_cast<double>(i.end - i.first));
    i.end = i.first + std::max<Index>(keep, 1);
  }
}

class Search {
 public:
  Search(const Regression& r, const NarxOptions& options, std::vector<std::vector<Interval>> folds,
         Index fold_lag, std::stop_token stop)
      : r_(r), options_(options), folds_(std::move(folds)), stop_(std::move(stop)) {
    for (const auto& fold : folds_) {
      runs_.push_back(measured_runs(r, fold, fold_lag));
      longest_ = std::max(longest_, rows_of(runs_.back()));
    }
  }

  /// The lengths of one path, scored on the folds: entry i has na + 2 + i terms.
  std::vector<NarxCandidate> along(const Path& path) const {
    std::vector<NarxCandidate> out;
    const auto pool = pool_of(path.lags, r_.nu);
    const Index stride = std::max<Index>(1, longest_ / kWindows);
    struct Branch {
      NarxFitter fitter;
      NarxFit fit;
      bool ended = false;
    };
    std::vector<Branch> branches;
    for (const auto& fold : folds_) {
      NarxData data = data_of(path, widened(fold, options_.history));
      shorten(data.pieces, kPathRows);
      NarxFitter fitter(data, pool, path.lags.na);
      NarxFit fit = fitter.begin();
      branches.push_back({std::move(fitter), std::move(fit)});
    }
    double best = std::numeric_limits<double>::infinity();
    Index since_best = 0;
    for (Index terms = path.lags.na + 2; terms <= most_terms(path); ++terms) {
      NarxCandidate c;
      c.lags = path.lags;
      c.restart = path.restart;
      c.ridge = path.ridge;
      c.terms = terms;
      bool grew = false;
      Index held = 0;
      for (std::size_t f = 0; f < branches.size(); ++f) {
        check_stop(stop_);
        Branch& b = branches[f];
        b.ended = b.ended || !b.fitter.grow(b.fit, kGrowIterations);
        grew = grew || !b.ended;
        const std::vector<Interval> runs = b.fitter.with_history(runs_[f]);
        FoldErrors errors = b.fitter.score(b.fit, runs, options_.horizon, stride, held);
        for (const Interval& run : runs) {
          const Index rows = run.end - run.first;
          errors.free += b.fitter.score(b.fit, {run}, rows, rows, held).rollout;
          errors.free_rows += static_cast<double>(rows);
        }
        c.folds.push_back(errors);
      }
      if (!grew) break;
      c.score = rollout_score(c.folds, options_.horizon);
      c.free_run = free_run_score(c.folds);
      c.one_step = one_step_score(c.folds);
      double windows = 0;
      for (const FoldErrors& e : c.folds) windows += e.windows;
      c.held = static_cast<double>(held) / (windows * static_cast<double>(options_.horizon));
      if (!(c.held <= kHeldMax)) c.reason = Message{"NARX_HELD", {}}.text();
      const bool better = c.reason.empty() && c.score * c.free_run < best;
      since_best = better ? 0 : since_best + 1;
      if (better) best = c.score * c.free_run;
      out.push_back(std::move(c));
      if (since_best >= kPatience) break;
    }
    return out;
  }

  /// On every row; false when its simulation of train is held by the bounds or explains nothing.
  bool finish(const NarxCandidate& c, NarxSearch& out) const {
    out.pool = pool_of(c.lags, r_.nu);
    NarxData data = data_of(path_of(c), {});
    NarxData shorter = data;
    shorten(shorter.pieces, kPathRows);
    shorten(data.pieces, kFinalRows);
    const NarxFitter path(shorter, out.pool, c.lags.na);
    out.fit = path.begin();
    while (static_cast<Index>(out.fit.terms.size()) < c.terms) {
      check_stop(stop_);
      if (!path.grow(out.fit, kGrowIterations)) break;
    }
    const NarxFitter fitter(data, out.pool, c.lags.na);
    fitter.refine(out.fit, kFinalIterations);
    fitter.prune(out.fit, kFinalIterations);
    out.covariance = fitter.covariance(out.fit);
    const NarxFitter whole(data_of({c.lags, 0, c.ridge}, {}), out.pool, c.lags.na);
    const NarxFitter::Simulation all = whole.simulate(out.fit);
    out.r_squared = all.r_squared;
    out.held = static_cast<double>(all.held) / static_cast<double>(all.rows);
    return out.held <= kHeldMax && out.r_squared > 0;
  }

  [[nodiscard]] Index most_terms(const Path& path) const {
    return std::min(options_.max_terms, rows_left(path) / kRowsPerTerm);
  }

 private:
  [[nodiscard]] Index rows_left(const Path& path) const {
    Index rows = std::numeric_limits<Index>::max();
    for (const auto& fold : folds_)
      rows = std::min(rows, rows_of(data_of(path, widened(fold, options_.history)).pieces));
    return folds_.empty() ? rows_of(data_of(path, {}).pieces) : rows;
  }

  [[nodiscard]] NarxData data_of(const Path& path, const std::vector<Interval>& left_out) const {
    return {&r_, narx_pieces(r_, path.lags.max_lag(), left_out, path.restart), options_.low,
            options_.high, path.ridge};
  }

  const Regression& r_;
  const NarxOptions& options_;
  std::vector<std::vector<Interval>> folds_;
  std::stop_token stop_;
  std::vector<std::vector<Interval>> runs_;
  Index longest_ = 0;
};

/// The least loss, or fewer terms when the difference is within its own standard error. Candidates
/// that the bounds held stay out.
std::size_t choose(std::vector<NarxCandidate>& all, Index horizon) {
  const std::string held = Message{"NARX_HELD", {}}.text();
  std::vector<std::vector<FoldErrors>> models;
  for (const NarxCandidate& c : all) {
    if (c.reason != held) models.push_back(c.folds);
  }
  const LossUnits units = least_of(models, horizon);
  std::size_t best = all.size();
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].loss = combined_loss(all[i].folds, {.horizon = horizon});
    all[i].pooled = pooled_loss(all[i].folds, units, horizon);
    if (all[i].reason == held || !std::isfinite(all[i].pooled)) continue;
    if (best == all.size() || all[i].pooled < all[best].pooled) best = i;
  }
  if (best == all.size()) return best;
  std::size_t chosen = best;
  for (std::size_t i = 0; i < all.size(); ++i) {
    NarxCandidate& c = all[i];
    if (c.reason == held) continue;
    const bool close =
        i == best || (c.pooled <= kClose * all[best].pooled &&
                      pooled_difference(all[best].folds, c.folds, units, horizon) <= 1);
    c.reason = Message{close ? "NARX_CLOSE" : "NARX_WORSE", {}}.text();
    if (close && c.terms < all[chosen].terms) chosen = i;
  }
  all[chosen].reason = "chosen";
  return chosen;
}

}  // namespace

std::vector<Interval> narx_pieces(const Regression& r, Index max_lag,
                                  const std::vector<Interval>& left_out, Index length) {
  std::vector<Interval> out;
  const auto add = [&](Index first, Index end) {
    for (first += max_lag; first < end;) {
      const Index to = length > 0 ? std::min(end, first + length) : end;
      out.push_back({first, to});
      first = to;
    }
  };
  for (const Stretch& s : r.stretches) {
    Index first = s.first;
    for (const Interval& hole : left_out) {
      if (hole.end <= first || hole.first >= s.end) continue;
      if (hole.first > first) add(first, hole.first);
      first = std::max(first, hole.end);
    }
    if (first < s.end) add(first, s.end);
  }
  return out;
}

NarxSearch search_narx(const Regression& r, const NarxOptions& options,
                       const std::vector<std::vector<Interval>>& folds, Index fold_lag,
                       const std::string& cv_name, const std::stop_token& stop) {
  const Search search(r, options, folds, fold_lag, stop);
  NarxSearch out;
  const auto add = [&](const std::vector<Path>& paths) {
    std::vector<std::vector<NarxCandidate>> found(paths.size());
    const auto task = [&](Index i) {
      const auto at = static_cast<std::size_t>(i);
      found[at] = search.along(paths[at]);
    };
    math::parallel_for(static_cast<Index>(paths.size()), task, options.threads);
    for (auto& of_path : found) std::ranges::move(of_path, std::back_inserter(out.candidates));
  };
  add(paths_of(options));
  const std::size_t first = choose(out.candidates, options.horizon);
  if (first < out.candidates.size()) {
    std::vector<Path> others(kOtherRidges.size(), path_of(out.candidates[first]));
    for (std::size_t i = 0; i < others.size(); ++i) others[i].ridge = kOtherRidges[i];
    add(others);
  }
  for (int tries = 0; tries < kFinalTries; ++tries) {
    out.chosen = choose(out.candidates, options.horizon);
    if (out.chosen == out.candidates.size()) break;
    if (search.finish(out.candidates[out.chosen], out)) return out;
    out.candidates[out.chosen].reason = Message{"NARX_HELD", {}}.text();
  }
  throw Error("MODEL_UNSTABLE", {{"cv", cv_name}, {"candidates", out.candidates.size()}});
}

}  // namespace flyball::identify
