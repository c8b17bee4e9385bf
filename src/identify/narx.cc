#include "identify/narx.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/checks.h"
#include "identify/narx_describe.h"
#include "identify/narx_loss.h"
#include "identify/narx_search.h"

namespace flyball::identify {
namespace {

constexpr Index kInputsMax = 4;      ///< more: only those that a linear model answers to
constexpr Index kHorizonLeast = 10;  ///< of the folds
constexpr double kFloorShare = 1.1;
constexpr double kLeastBetter = 0.95 * 0.95;  ///< of the loss: 5 % of error
constexpr double kExplained =
    1e-3;  ///< linear F-step error over the train deviation: nothing is left
constexpr Index kRowsMin = 150, kRowsMax = 200'000;

/// First lag at which an input may answer by its declared delay; a direct answer is not tried.
std::vector<Index> declared_lags(const dataset::Dataset& dataset) {
  std::vector<Index> out;
  for (const dataset::Role role : {dataset::Role::mv, dataset::Role::dv}) {
    for (const Index c : dataset.columns(role)) {
      const double delay = dataset.spec.variables[static_cast<std::size_t>(c)].delay_ms;
      out.push_back(static_cast<Index>(std::floor(delay / dataset.spec.beat_ms)) + 1);
    }
  }
  return out;
}

class Narx {
 public:
  Narx(const dataset::Dataset& dataset, const IdentifyResult& linear, const ProgressFn& progress,
       std::stop_token stop)
      : data_(training_data(dataset)),
        linear_(linear),
        declared_(declared_lags(dataset)),
        progress_(progress),
        stop_(std::move(stop)) {
    data_.levels_differ.clear();  // what is not linear holds where the values themselves are
  }

  NarxResult run() {
    NarxResult out;
    out.history = linear_.history;
    out.horizon = linear_.horizon;
    out.model.centre = data_.mean;
    out.model.scale = data_.std;
    out.model.n_mv = data_.n_mv;
    std::vector<NarxSearch> searches;
    for (Index j = 0; j < data_.ny(); ++j) {
      searches.push_back(search(j));
      out.model.outputs.push_back(narx_output(data_, j, searches.back(), kNarxBoundShare));
      out.folds.push_back(searches.back().candidates[searches.back().chosen].folds);
      if (progress_) {
        const double done = static_cast<double>(j + 1) / static_cast<double>(data_.ny());
        progress_({"identify", done, data_.outputs[static_cast<std::size_t>(j)]});
      }
    }
    model::check(out.model);
    describe_narx(data_, linear_, searches, out);
    return out;
  }

 private:
  NarxSearch search(Index cv) {
    std::vector<bool> used;
    NarxOptions o;
    Index excited = 0;
    for (const Excitation& e : linear_.findings.excitation) {
      used.push_back(!e.constant && !(e.mv && !e.excited));
      excited += used.back() ? 1 : 0;
    }
    for (Index m = 0; m < data_.nu(); ++m) {
      const auto at = static_cast<std::size_t>(m);
      if (!used[at]) continue;
      const DeadTime& d =
          linear_.findings.dead_times[static_cast<std::size_t>(m * data_.ny() + cv)];
      o.early.push_back({m, declared_[at]});
      if (d.active) {
        o.inputs.push_back({m, std::max<Index>(d.low, declared_[at])});
      } else if (excited <= kInputsMax) {
        o.inputs.push_back({m, declared_[at]});
      }
    }
    if (excited > kInputsMax) o.early = o.inputs;
    const Regression r = make_regression(data_, cv, used, false, false);
    o.history = linear_.history;
    o.horizon = linear_.horizon;
    const Index column = data_.nu() + cv;
    const double margin = kNarxBoundShare * (data_.high(column) - data_.low(column));
    o.low = (data_.low(column) - margin - data_.mean(column)) / data_.std(column);
    o.high = (data_.high(column) + margin - data_.mean(column)) / data_.std(column);
    const CvContext context = context_of(data_, cv, linear_);
    auto folds = context.folds;
    const Index rows = data_.x.rows();
    if (folds.size() < 2) {  // shorter windows: half the rows to either fold
      const Index horizon = (rows - context.fold_lag) / 4 - o.history / 2;
      if (horizon >= kHorizonLeast) {
        o.horizon = horizon;
        folds = make_folds(r, context.fold_lag, o.history, horizon);
      }
    }
    if (folds.size() < 2) {
      throw Error("DATA_TOO_SHORT",
                  {{"cv", data_.outputs[static_cast<std::size_t>(cv)]},
                   {"rows", rows},
                   {"parameters", (2 * o.history + 4 * kHorizonLeast + context.fold_lag)}});
    }
    return search_narx(r, o, folds, context.fold_lag, data_.outputs[static_cast<std::size_t>(cv)],
                       stop_);
  }

  TrainingData data_;
  const IdentifyResult& linear_;
  std::vector<Index> declared_;
  const ProgressFn& progress_;
  std::stop_token stop_;
};

/// Errors of all CVs together: a fold of one CV counts as much as one of another.
std::vector<FoldErrors> pooled(const std::vector<std::vector<FoldErrors>>& of_cvs) {
  std::vector<FoldErrors> out(of_cvs.front().size());
  for (const auto& folds : of_cvs) {
    for (std::size_t i = 0; i < std::min(out.size(), folds.size()); ++i) {
      if (!(folds[i].windows > 0) || !(folds[i].free_rows > 0)) continue;
      out[i].rollout += folds[i].rollout / folds[i].windows;
      out[i].windows += 1;
      out[i].free += folds[i].free / folds[i].free_rows;
      out[i].free_rows += 1;
    }
  }
  return out;
}

/// Why the nonlinear family is not tried; empty: it is.
std::optional<Message> skipped(const IdentifyResult& linear,
                               const std::vector<std::vector<FoldErrors>>& folds) {
  const Findings& f = linear.findings;
  if (std::ranges::any_of(f.cvs, &CvFinding::integrating)) return Message{"NARX_INTEGRATES", {}};
  if (std::ranges::any_of(f.feedback, &Feedback::computed_from_cvs))
    return Message{"NARX_FEEDBACK", {}};
  if (f.train_rows < kRowsMin || f.train_rows > kRowsMax)
    return Message{"NARX_ROWS", {{"rows", f.train_rows}, {"min", kRowsMin}, {"max", kRowsMax}}};
  const bool at_floor = std::ranges::all_of(f.cvs, [](const CvFinding& cv) {
    return cv.score && cv.noise_floor && *cv.score <= kFloorShare * *cv.noise_floor;
  });
  if (at_floor) return Message{"NARX_FLOOR", {}};
  const auto none = [](const std::vector<FoldErrors>& e) { return e.size() < 2; };
  if (folds.size() != f.cvs.size() || std::ranges::any_of(folds, none))
    return Message{"NARX_FOLDS", {}};
  if (rollout_score(pooled(folds), linear.horizon) < kExplained) return Message{"NARX_FLOOR", {}};
  return std::nullopt;
}

}  // namespace

NarxResult identify_narx(const dataset::Dataset& data, const IdentifyResult& linear,
                         const ProgressFn& progress, std::stop_token stop) {
  return Narx(data, linear, progress, std::move(stop)).run();
}

NarxResult identify_narx(const dataset::Dataset& data, const ArxOptions& options,
                         const ProgressFn& progress, std::stop_token stop) {
  const IdentifyResult arx = identify_arx(data, options, {}, stop);
  return identify_narx(data, arx, progress, std::move(stop));
}

NarxTrial try_narx(const dataset::Dataset& data, const IdentifyResult& linear,
                   const std::vector<std::vector<FoldErrors>>& folds, const ProgressFn& progress,
                   std::stop_token stop) {
  NarxTrial out;
  const auto all_say = [&](const Message& why) {
    for (const CvFinding& cv : linear.findings.cvs) {
      LeaderboardRow row;
      row.cv = cv.cv;
      row.trainer = "polynomial_narx";
      row.reason = why.text();
      out.rows.push_back(std::move(row));
    }
  };
  if (const auto why = skipped(linear, folds)) {
    all_say(*why);
    return out;
  }
  try {
    NarxResult narx = identify_narx(data, linear, progress, stop);
    const auto ours = pooled(narx.folds), theirs = pooled(folds);
    const LossUnits units = least_of({ours, theirs}, narx.horizon);
    const double loss = pooled_loss(ours, units, narx.horizon),
                 linear_loss = pooled_loss(theirs, units, narx.horizon);
    const double by = pooled_difference(ours, theirs, units, narx.horizon);
    out.rows = narx.leaderboard;
    if (loss < kLeastBetter * linear_loss && by > 1) {
      out.better = std::move(narx);
      return out;
    }
    const Message why{"NARX_NOT_BETTER",
                      {{"score", rollout_score(ours, narx.horizon)},
                       {"linear", rollout_score(theirs, narx.horizon)},
                       {"errors", by}}};
    for (LeaderboardRow& row : out.rows) {
      if (row.reason == "chosen") row.reason = why.text();
    }
  } catch (const Error& e) {
    if (e.code() != "MODEL_UNSTABLE" && e.code() != "DATA_TOO_SHORT") throw;
    all_say(Message{"NARX_FAILED", {{"detail", e.what()}}});
  }
  return out;
}

std::vector<LeaderboardRow> joined(const std::vector<LeaderboardRow>& linear,
                                   const std::vector<LeaderboardRow>& narx) {
  std::vector<LeaderboardRow> out;
  std::vector<std::string> cvs;
  for (const LeaderboardRow& row : linear) {
    if (std::ranges::find(cvs, row.cv) == cvs.end()) cvs.push_back(row.cv);
  }
  for (const std::string& cv : cvs) {
    std::vector<LeaderboardRow> rows;
    for (const auto* board : {&linear, &narx}) {
      for (const LeaderboardRow& row : *board) {
        if (row.cv == cv) rows.push_back(row);
      }
    }
    std::ranges::stable_sort(rows, [](const LeaderboardRow& a, const LeaderboardRow& b) {
      return a.loss.value_or(HUGE_VAL) < b.loss.value_or(HUGE_VAL);
    });
    for (LeaderboardRow& row : rows) out.push_back(std::move(row));
  }
  return out;
}

}  // namespace flyball::identify
