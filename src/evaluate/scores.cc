#include "evaluate/scores.h"

#include <cmath>
#include <limits>

#include "core/checks.h"
#include "evaluate/metrics.h"

namespace flyball::evaluate {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Error sums per run, CV and horizon step; runs in the order of their first window.
class Tally {
 public:
  Tally(Index outputs, Index horizon)
      : ny_(static_cast<std::size_t>(outputs)), horizon_(static_cast<std::size_t>(horizon)) {}

  void begin_run(const std::string& run) {
    for (current_ = 0; current_ < runs_.size(); ++current_) {
      if (runs_[current_].name == run) return;
    }
    runs_.push_back({run, 0, std::vector<ErrorSums>(ny_ * horizon_)});
  }
  void add_window() { ++runs_[current_].windows; }
  void add(Index cv, Index k, double error) {
    runs_[current_].sums[static_cast<std::size_t>(cv) * horizon_ + static_cast<std::size_t>(k)].add(
        error);
  }

  [[nodiscard]] Score score(const dataset::Dataset& data, const Layout& columns) const {
    Score out;
    out.horizon = static_cast<std::int64_t>(horizon_);
    std::vector<double> means;
    for (std::size_t j = 0; j < ny_; ++j) {
      const auto column = static_cast<std::size_t>(columns.outputs[j]);
      const double std = data.norm.std[column];
      CvScore cv;
      cv.cv = data.spec.variables[column].id;
      ErrorSums pooled;
      for (std::size_t k = 0; k < horizon_; ++k) {
        ErrorSums at_k;
        for (const Run& run : runs_) at_k.add(run.sums[j * horizon_ + k]);
        if (at_k.count > 0) cv.rmse_by_step.push_back(at_k.rmse());
        pooled.add(at_k);
      }
      if (cv.rmse_by_step.size() < horizon_) cv.rmse_by_step.clear();
      cv.rmse = finite_or_none(pooled.rmse());
      cv.mae = finite_or_none(pooled.mae());
      cv.bias = finite_or_none(pooled.bias());
      const double value = nrmse(pooled.rmse(), std);
      cv.nrmse = finite_or_none(value);
      means.push_back(value);
      out.per_target.push_back(std::move(cv));
    }
    out.nrmse = finite_or_none(mean_or_nan(means));
    for (const Run& run : runs_) {
      out.windows += run.windows;
      if (run.windows > 0) out.per_run.push_back(run_score(run, data, columns));
    }
    return out;
  }

 private:
  struct Run {
    std::string name;
    std::int64_t windows;
    std::vector<ErrorSums> sums;  ///< [cv][k]
  };

  [[nodiscard]] RunScore run_score(const Run& run, const dataset::Dataset& data,
                                   const Layout& columns) const {
    RunScore out{run.name, run.windows, std::nullopt, {}};
    for (std::size_t j = 0; j < ny_; ++j) {
      ErrorSums pooled;
      for (std::size_t k = 0; k < horizon_; ++k) pooled.add(run.sums[j * horizon_ + k]);
      out.nrmse_per_cv.push_back(
          nrmse(pooled.rmse(), data.norm.std[static_cast<std::size_t>(columns.outputs[j])]));
    }
    out.nrmse = finite_or_none(mean_or_nan(out.nrmse_per_cv));
    return out;
  }

  std::size_t ny_, horizon_;
  std::vector<Run> runs_;
  std::size_t current_ = 0;
};

/// Actual and predicted F-step changes per CV.
struct Changes {
  std::vector<double> actual, predicted;
};

}  // namespace

PartScores score_part(const dataset::Dataset& data, dataset::Part part, const Predict& predict,
                      WindowShape shape, const std::stop_token& stop) {
  const Layout columns = layout(data);
  const auto ny = static_cast<Index>(columns.outputs.size());
  const bool has_dv = static_cast<Index>(columns.inputs.size()) > columns.n_mv;
  const Index H = shape.history, F = shape.horizon;

  Tally one_step(ny, 1), rollout(ny, F), held(ny, F), held_one(ny, 1);
  std::vector<Changes> changes(columns.outputs.size());
  PartScores out;
  model::Record window;
  Matrix first(1, ny), ahead(F, ny);
  for (const dataset::Block* block : data.part(part)) {
    const dataset::Series& series = data.run(block->run_id);
    for (Tally* tally : {&one_step, &rollout, &held, &held_one}) tally->begin_run(block->run_id);
    BlockResiduals residuals{block->run_id, block->first_step,
                             Matrix::Constant(block->steps, ny, kNaN)};
    for (const Index t : window_starts(series, *block, columns, shape)) {
      check_stop(stop);
      copy_window(series, columns, t, H, F, Disturbances::held, window);
      ahead.setConstant(kNaN);
      predict(window, H, F, ahead);
      first = ahead.row(0);
      if (has_dv) {
        copy_window(series, columns, t, H, 1, Disturbances::measured, window);
        first.setConstant(kNaN);
        predict(window, H, 1, first);
      }
      for (Tally* tally : {&one_step, &rollout, &held, &held_one}) tally->add_window();
      for (Index j = 0; j < ny; ++j) {
        const Index column = columns.outputs[static_cast<std::size_t>(j)];
        const auto y = series.values.col(column);
        const double last = y(t - 1);
        for (Index k = 0; k < F; ++k) {
          if (!was_observed(series, t + k, column)) continue;
          rollout.add(j, k, ahead(k, j) - y(t + k));
          held.add(j, k, last - y(t + k));
        }
        if (was_observed(series, t, column)) {
          one_step.add(j, 0, first(0, j) - y(t));
          held_one.add(j, 0, last - y(t));
          residuals.errors(t - block->first_step, j) = first(0, j) - y(t);
        }
        if (!was_observed(series, t + F - 1, column)) continue;
        Changes& change = changes[static_cast<std::size_t>(j)];
        change.actual.push_back(y(t + F - 1) - last);
        change.predicted.push_back(ahead(F - 1, j) - last);
      }
    }
    out.residuals.push_back(std::move(residuals));
  }
  out.one_step = one_step.score(data, columns);
  out.rollout = rollout.score(data, columns);
  out.persistence = held.score(data, columns);
  out.persistence_one_step = held_one.score(data, columns);
  for (const Changes& c : changes) out.change_fit.push_back(fit_percent(c.actual, c.predicted));
  return out;
}

}  // namespace flyball::evaluate
