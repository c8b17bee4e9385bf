#include "evaluate/replay.h"

#include <algorithm>
#include <cmath>

#include "evaluate/metrics.h"

namespace flyball::evaluate {
namespace {

/// Where predictions start: every F steps, wherever a window fits.
std::vector<Index> origins(const std::vector<Index>& starts, Index horizon) {
  std::vector<Index> out;
  for (const Index t : starts) {
    if (out.empty() || t >= out.back() + horizon) out.push_back(t);
  }
  return out;
}

std::string regime_of(const model::Record& window, const LoadedModel& model, Index n_mv) {
  std::string out;
  for (Index i = 0; i < n_mv; ++i) {
    const model::ArtifactVariable& v = model.variables[static_cast<std::size_t>(i)];
    out += third(window.u.col(i).mean(), v.min, v.max);
  }
  return out;
}

/// The row's inputs from the train means, in train deviations; an input that never moved in train
/// and is elsewhere now is infinitely far.
double distance_of(const model::Record& window, const LoadedModel& model, Index row) {
  double out = 0;
  for (Index i = 0; i < window.u.cols(); ++i) {
    const model::ArtifactVariable& v = model.variables[static_cast<std::size_t>(i)];
    const double off = std::abs(window.u(row, i) - v.mean);
    if (off > 1e-9 * std::abs(v.mean)) out = std::max(out, off / v.std);
  }
  return out;
}

}  // namespace

char third(double value, double min, double max) {
  const double share = max > min ? (value - min) / (max - min) : 0.5;
  return share < 1.0 / 3 ? 'l' : share > 2.0 / 3 ? 'h' : 'm';
}

std::vector<ReplayedPrediction> replay(const dataset::Dataset& data, const LoadedModel& model,
                                       const std::vector<double>& half_width) {
  const Layout columns = layout(data);
  const auto ny = static_cast<Index>(columns.outputs.size());
  const std::size_t first_cv = model.variables.size() - static_cast<std::size_t>(ny);
  const WindowShape shape{std::max<Index>(model.history, 1), model.horizon};
  std::vector<ReplayedPrediction> out;
  model::Record window;
  Matrix forecast(shape.horizon, ny);
  for (const dataset::Block& block : data.blocks) {
    const dataset::Series& series = data.run(block.run_id);
    for (const Index t : origins(window_starts(series, block, columns, shape), shape.horizon)) {
      copy_window(series, columns, t, shape.history, shape.horizon, Disturbances::held, window);
      model.predict(window, shape.history, shape.horizon, forecast);
      ReplayedPrediction& p = out.emplace_back();
      p.run_id = series.run_id;
      p.at = series.t[static_cast<std::size_t>(t)];
      p.regime = regime_of(window, model, columns.n_mv);
      p.distance = distance_of(window, model, shape.history);
      for (Index j = 0; j < ny; ++j) {
        const auto cv = static_cast<std::size_t>(j);
        const model::ArtifactVariable& train = model.variables[first_cv + cv];
        ErrorSums errors;
        double level = 0;
        for (Index k = 0; k < shape.horizon; ++k) {
          if (!was_observed(series, t + k, columns.outputs[cv])) continue;
          const double actual = series.values(t + k, columns.outputs[cv]);
          const double error = forecast(k, j) - actual;
          errors.add(error);
          level += actual;
          if (!half_width.empty() && std::abs(error) <= half_width[cv]) ++p.inside;
        }
        p.level.push_back((level / static_cast<double>(errors.count) - train.mean) / train.std);
        p.rmse.push_back(errors.rmse() / train.std);
        if (!half_width.empty()) p.total += errors.count;
      }
    }
  }
  return out;
}

}  // namespace flyball::evaluate
