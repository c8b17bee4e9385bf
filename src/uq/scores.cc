#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "core/checks.h"
#include "uq/uq.h"

namespace flyball::uq {
namespace {

constexpr Index kScaleWindows = 2000;
constexpr double kLeastScale = 1e-9;  ///< of the train deviation

/// Largest absolute error per CV over the windows that start in [first, first + count), then the
/// same over the scale when there is one. Infinite where a prediction is not a number.
Eigen::RowVectorXd score(const dataset::Series& series, const evaluate::Layout& columns,
                         Index first, Index count, evaluate::WindowShape shape,
                         const evaluate::Predict& predict, const Matrix& scale,
                         const std::stop_token& stop) {
  const auto ny = static_cast<Index>(columns.outputs.size());
  Eigen::RowVectorXd largest = Eigen::RowVectorXd::Zero(scale.size() > 0 ? 2 * ny : ny);
  model::Record window;
  Matrix ahead(shape.horizon, ny);
  for (Index t = first; t < first + count; ++t) {
    check_stop(stop);
    evaluate::copy_window(series, columns, t, shape.history, shape.horizon,
                          evaluate::Disturbances::held, window);
    ahead.setConstant(std::numeric_limits<double>::quiet_NaN());
    predict(window, shape.history, shape.horizon, ahead);
    for (Index j = 0; j < ny; ++j) {
      const Index column = columns.outputs[static_cast<std::size_t>(j)];
      const auto y = series.values.col(column);
      for (Index k = 0; k < shape.horizon; ++k) {
        if (!evaluate::was_observed(series, t + k, column)) continue;
        const double e = std::abs(ahead(k, j) - y(t + k));
        const double size = std::isfinite(e) ? e : std::numeric_limits<double>::infinity();
        largest(j) = std::max(largest(j), size);
        if (scale.size() > 0) largest(ny + j) = std::max(largest(ny + j), size / scale(k, j));
      }
    }
  }
  return largest;
}

/// A stretch of start steps with the run that it counts as.
struct Piece {
  Index first, count;
  std::string run;
};

/// The stretch itself, or its calendar pieces of at least `rows` rows each.
std::vector<Piece> pieces_of(const evaluate::Stretch& stretch, const std::string& run,
                             evaluate::WindowShape shape, Index rows) {
  if (rows == 0) return {{stretch.first, stretch.count, run}};
  const Index apart = shape.history + shape.horizon, tail = shape.horizon - 1;
  const Index all = stretch.count + tail, n = (all + apart) / (rows + apart);
  std::vector<Piece> out;
  for (Index i = 0; i < n; ++i) {
    const Index free = all - (n - 1) * apart, from = i * free / n, to = (i + 1) * free / n;
    out.push_back({stretch.first + from + i * apart, to - from - tail,
                   run + "@" + std::to_string(stretch.first + from + i * apart)});
  }
  return out;
}

}  // namespace

std::int64_t BlockScores::run_count() const {
  return static_cast<std::int64_t>(std::set<std::string>(runs.begin(), runs.end()).size());
}

Index block_start_steps(Index horizon) {
  return 3 * horizon;
}

Matrix step_scale(const dataset::Dataset& data, const evaluate::Predict& predict,
                  evaluate::WindowShape shape, const std::stop_token& stop) {
  const evaluate::Layout columns = evaluate::layout(data);
  const auto ny = static_cast<Index>(columns.outputs.size());
  struct Start {
    const dataset::Series* series;
    Index t;
  };
  std::vector<Start> starts;
  for (const dataset::Block* block : data.part(dataset::Part::train)) {
    const dataset::Series& series = data.run(block->run_id);
    for (const Index t : evaluate::window_starts(series, *block, columns, shape)) {
      starts.push_back({&series, t});
    }
  }
  const auto count = static_cast<Index>(starts.size());
  if (count == 0) return {};
  const Index every = (count + kScaleWindows - 1) / kScaleWindows;
  Matrix sum = Matrix::Zero(shape.horizon, ny), ahead(shape.horizon, ny), seen = sum;
  model::Record window;
  for (Index i = 0; i < count; i += every) {
    check_stop(stop);
    const Start& at = starts[static_cast<std::size_t>(i)];
    evaluate::copy_window(*at.series, columns, at.t, shape.history, shape.horizon,
                          evaluate::Disturbances::held, window);
    predict(window, shape.history, shape.horizon, ahead);
    for (Index j = 0; j < ny; ++j) {
      const Index column = columns.outputs[static_cast<std::size_t>(j)];
      for (Index k = 0; k < shape.horizon; ++k) {
        if (!evaluate::was_observed(*at.series, at.t + k, column)) continue;
        const double e = ahead(k, j) - at.series->values(at.t + k, column);
        sum(k, j) += e * e;
        seen(k, j) += 1;
      }
    }
  }
  if (!sum.allFinite() || seen.minCoeff() < 1) return {};
  Matrix scale = sum.cwiseQuotient(seen).cwiseSqrt();
  for (Index j = 0; j < ny; ++j) {
    const double std =
        data.norm.std[static_cast<std::size_t>(columns.outputs[static_cast<std::size_t>(j)])];
    scale.col(j) = scale.col(j).cwiseMax(kLeastScale * std);
  }
  return scale;
}

BlockScores block_scores(const dataset::Dataset& data, dataset::Part part,
                         const evaluate::Predict& predict, evaluate::WindowShape shape,
                         const std::stop_token& stop, const Matrix& scale, Index piece) {
  const evaluate::Layout columns = evaluate::layout(data);
  const Index starts = block_start_steps(shape.horizon);
  const Index predicted = starts + shape.horizon - 1;
  BlockScores out;
  std::vector<Eigen::RowVectorXd> rows;
  std::set<std::string> part_runs;
  for (const dataset::Block* block : data.part(part)) {
    const dataset::Series& series = data.run(block->run_id);
    if (piece == 0) part_runs.insert(block->run_id);
    Index free_from = block->first_step;  // first start step that keeps H steps from the last block
    for (const auto& stretch :
         evaluate::stretches(evaluate::window_starts(series, *block, columns, shape))) {
      const auto pieces = pieces_of(stretch, block->run_id, shape, piece);
      if (pieces.empty()) ++out.too_short;
      for (const Piece& of : pieces) {
        part_runs.insert(of.run);
        const Index end = of.first + of.count;
        Index first = std::max(of.first, free_from);
        if (end - first < starts) ++out.too_short;
        for (; end - first >= starts; first = free_from) {
          rows.push_back(score(series, columns, first, starts, shape, predict, scale, stop));
          out.runs.push_back(of.run);
          out.unique_steps += predicted;
          free_from = first + predicted + shape.history;
        }
      }
    }
  }
  out.part_runs = static_cast<std::int64_t>(part_runs.size());
  const auto ny = static_cast<Index>(columns.outputs.size());
  out.scores.resize(static_cast<Index>(rows.size()), ny);
  if (scale.size() > 0) out.scaled.resize(out.scores.rows(), ny);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out.scores.row(static_cast<Index>(i)) = rows[i].head(ny);
    if (scale.size() > 0) out.scaled.row(static_cast<Index>(i)) = rows[i].tail(ny);
  }
  return out;
}

}  // namespace flyball::uq
