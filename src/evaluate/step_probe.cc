#include "evaluate/step_probe.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "evaluate/metrics.h"

namespace flyball::evaluate {

std::vector<StepAnswer> step_answers(const dataset::Dataset& data, const Predict& predict,
                                     Index history, Index steps, const std::vector<Index>& limit) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  const Layout columns = layout(data);
  const auto& norm = data.norm;
  const auto nu = static_cast<Index>(columns.inputs.size());
  const auto ny = static_cast<Index>(columns.outputs.size());
  model::Record record{Matrix(history + steps, nu), Matrix(history + steps, ny)};
  for (Index j = 0; j < ny; ++j) {
    const auto c = static_cast<std::size_t>(columns.outputs[static_cast<std::size_t>(j)]);
    record.y.col(j).head(history).setConstant(norm.mean[c]);
    record.y.col(j).tail(steps).setConstant(kNaN);
  }
  std::vector<StepAnswer> out;
  Matrix answer(steps, ny);
  for (Index m = 0; m < columns.n_mv; ++m) {
    for (Index i = 0; i < nu; ++i) {
      const auto c = static_cast<std::size_t>(columns.inputs[static_cast<std::size_t>(i)]);
      record.u.col(i).setConstant(norm.mean[c]);
      if (i == m) record.u.col(i).tail(steps).array() += norm.max[c] - norm.min[c];
    }
    answer.setConstant(kNaN);
    predict(record, history, steps, answer);
    const auto mv = static_cast<std::size_t>(columns.inputs[static_cast<std::size_t>(m)]);
    for (Index j = 0; j < ny; ++j) {
      const auto c = static_cast<std::size_t>(columns.outputs[static_cast<std::size_t>(j)]);
      const Index judged = limit[static_cast<std::size_t>(j)];
      const Index rows = judged > 0 ? std::min(judged, steps) : steps;
      const auto y = answer.col(j).head(rows);
      StepAnswer entry{data.spec.variables[mv].id, data.spec.variables[c].id, rows, std::nullopt};
      if (std::isfinite(y.cwiseAbs().sum())) {
        entry.excursion = finite_or_none((y.array() - norm.mean[c]).abs().maxCoeff() /
                                         (norm.max[c] - norm.min[c]));
      }
      out.push_back(std::move(entry));
    }
  }
  return out;
}

}  // namespace flyball::evaluate
