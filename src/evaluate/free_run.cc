#include "evaluate/free_run.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "evaluate/metrics.h"

namespace flyball::evaluate {
namespace {

bool present(const dataset::Series& series, const std::vector<Index>& columns, Index row) {
  return std::ranges::all_of(columns, [&](Index c) {
    return series.mask(row, c) != 0 && !std::isnan(series.values(row, c));
  });
}

FreeRunPiece simulate(const dataset::Series& series, const Layout& columns, Index start,
                      Index history, Index end, const Predict& predict) {
  const Index rows = end - start - history;
  const auto ny = static_cast<Index>(columns.outputs.size());
  model::Record record;
  copy_window(series, columns, start + history, history, rows, Disturbances::measured, record);
  FreeRunPiece piece{series.run_id, start + history, Matrix(rows, ny), Matrix(rows, ny)};
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  piece.predicted.setConstant(kNaN);
  predict(record, history, rows, piece.predicted);
  for (Index j = 0; j < ny; ++j) {
    const Index c = columns.outputs[static_cast<std::size_t>(j)];
    for (Index i = 0; i < rows; ++i) {
      const Index row = piece.first_step + i;
      piece.actual(i, j) = series.mask(row, c) == 1 ? series.values(row, c) : kNaN;
    }
  }
  return piece;
}

constexpr Index kRatioLags = 100;
constexpr double kMovesLeast = 1e-9;  ///< of the CV's spread: nothing is predicted to move

/// Of each piece, its mean removed, 0 where y is missing.
struct Movement {
  std::vector<Vector> actual, predicted;
  Index rows = 0;
};

Movement movement_of(const FreeRun& run, Index cv) {
  Movement out;
  for (const FreeRunPiece& piece : run.pieces) {
    Vector y = piece.actual.col(cv), p = piece.predicted.col(cv);
    const auto known = y.array().isFinite();
    const Index rows = known.count();
    if (rows == 0 || !p.allFinite()) continue;
    const auto mean = [&](const Vector& v) {
      return known.select(v, 0.0).sum() / static_cast<double>(rows);
    };
    const double y_mean = mean(y), p_mean = mean(p);
    p = known.select(p.array() - p_mean, 0.0);
    y = known.select(y.array() - y_mean, 0.0);
    out.rows += rows;
    out.actual.push_back(std::move(y));
    out.predicted.push_back(std::move(p));
  }
  return out;
}

double lagged(const std::vector<Vector>& v, Index lag) {
  double sum = 0;
  for (const Vector& x : v) {
    const Index n = x.size() - lag;
    if (n > 0) sum += x.tail(n).dot(x.head(n));
  }
  return sum;
}

void measure_ratio(const FreeRun& run, Index cv, double spread, FreeRunFit& entry) {
  Movement m = movement_of(run, cv);
  double products = 0;
  for (std::size_t i = 0; i < m.actual.size(); ++i) products += m.predicted[i].dot(m.actual[i]);
  const double power = lagged(m.predicted, 0);
  const auto n = static_cast<double>(m.rows);
  if (!(power > n * kMovesLeast * kMovesLeast * spread * spread)) return;
  const double ratio = products / power;
  for (std::size_t i = 0; i < m.actual.size(); ++i) m.actual[i] -= ratio * m.predicted[i];
  const double left = lagged(m.actual, 0);
  double inflation = 1;
  for (Index k = 1; left > 0 && k <= std::min(kRatioLags, m.rows / 4); ++k)
    inflation += 2 * lagged(m.actual, k) / left * lagged(m.predicted, k) / power;
  entry.ratio = finite_or_none(ratio);
  entry.ratio_std_error = finite_or_none(std::sqrt(left / n * std::max(inflation, 0.1) / power));
}

}  // namespace

FreeRun free_run(const dataset::Dataset& data, dataset::Part part, const Predict& predict,
                 Index history) {
  const Layout columns = layout(data);
  FreeRun out;
  out.part = part;
  for (const dataset::Block* block : data.part(part)) {
    const dataset::Series& series = data.run(block->run_id);
    const Index end = block->first_step + block->steps;
    Index row = block->first_step;
    while (row < end) {
      if (!present(series, columns.inputs, row)) {
        ++row;
        continue;
      }
      Index stop = row;
      while (stop < end && present(series, columns.inputs, stop)) ++stop;
      if (stop - row > history) {
        out.pieces.push_back(simulate(series, columns, row, history, stop, predict));
      }
      row = stop;
    }
  }
  return out;
}

std::vector<FreeRunFit> fit(const dataset::Dataset& data, const FreeRun& run) {
  const Layout columns = layout(data);
  std::int64_t total = 0;
  for (const dataset::Block* block : data.part(run.part)) total += block->steps;
  std::vector<FreeRunFit> out;
  if (total == 0) return out;
  for (std::size_t j = 0; j < columns.outputs.size(); ++j) {
    std::vector<double> y, predicted;
    for (const FreeRunPiece& piece : run.pieces) {
      const auto actual_j = piece.actual.col(static_cast<Index>(j));
      const auto predicted_j = piece.predicted.col(static_cast<Index>(j));
      for (Index i = 0; i < actual_j.size(); ++i) {
        if (std::isnan(actual_j(i))) continue;
        y.push_back(actual_j(i));
        predicted.push_back(predicted_j(i));
      }
    }
    FreeRunFit entry;
    entry.cv = data.spec.variables[static_cast<std::size_t>(columns.outputs[j])].id;
    entry.block = run.part;
    entry.percent = fit_percent(y, predicted);
    entry.rows = static_cast<std::int64_t>(y.size());
    entry.rows_left_out = total - entry.rows;
    entry.pieces = static_cast<std::int64_t>(run.pieces.size());
    const auto column = static_cast<std::size_t>(columns.outputs[j]);
    if (column < data.norm.std.size())
      measure_ratio(run, static_cast<Index>(j), data.norm.std[column], entry);
    out.push_back(std::move(entry));
  }
  return out;
}

std::vector<std::optional<double>> excursion(const dataset::Dataset& data, const FreeRun& run,
                                             const std::vector<Index>& limit) {
  const Layout columns = layout(data);
  std::vector<std::optional<double>> out(columns.outputs.size());
  const auto longest = std::ranges::max_element(
      run.pieces, {}, [](const FreeRunPiece& p) { return p.predicted.rows(); });
  if (longest == run.pieces.end()) return out;
  for (std::size_t j = 0; j < columns.outputs.size(); ++j) {
    const auto c = static_cast<std::size_t>(columns.outputs[j]);
    const Index all = longest->predicted.rows();
    const Index rows = limit[j] > 0 ? std::min(limit[j], all) : all;
    const double range = data.norm.max[c] - data.norm.min[c];
    const auto y = longest->predicted.col(static_cast<Index>(j)).head(rows);
    // maxCoeff may skip a NaN; a sum may not.
    if (!std::isfinite(y.cwiseAbs().sum())) continue;
    out[j] = finite_or_none((y.array() - data.norm.mean[c]).abs().maxCoeff() / range);
  }
  return out;
}

}  // namespace flyball::evaluate
