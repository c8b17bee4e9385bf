#include "evaluate/predictor.h"

#include <limits>
#include <memory>

namespace flyball::evaluate {

Predict predict_with(const model::LinearStateSpace& model) {
  auto simulator = std::make_shared<model::Simulator>(model);
  return [simulator](const model::Record& record, Index t, Index steps, Eigen::Ref<Matrix> out) {
    simulator->prepare(t);
    simulator->start(record, t, t);
    simulator->rollout(record, t, t, steps, model::Future::measured, out);
  };
}

Predict predict_with(const model::StaticResponse& model) {
  return [model](const model::Record& record, Index t, Index steps, Eigen::Ref<Matrix> out) {
    for (Index k = 0; k < steps; ++k)
      out.row(k) = model::predict(model, record.u.row(t + k).transpose()).transpose();
  };
}

Predict persistence() {
  return [](const model::Record& record, Index t, Index steps, Eigen::Ref<Matrix> out) {
    for (Index k = 0; k < steps; ++k) out.row(k) = record.y.row(t - 1);
  };
}

void copy_window(const dataset::Series& series, const Layout& columns, Index t, Index history,
                 Index steps, Disturbances disturbances, model::Record& out) {
  const Index rows = history + steps;
  const Index nu = static_cast<Index>(columns.inputs.size());
  const Index ny = static_cast<Index>(columns.outputs.size());
  out.u.resize(rows, nu);
  out.y.resize(rows, ny);
  for (Index i = 0; i < nu; ++i) {
    const Index c = columns.inputs[static_cast<std::size_t>(i)];
    out.u.col(i) = series.values.col(c).segment(t - history, rows);
    if (disturbances == Disturbances::held && i >= columns.n_mv) {
      out.u.col(i).tail(steps).setConstant(series.values(t - 1, c));
    }
  }
  for (Index j = 0; j < ny; ++j) {
    const Index c = columns.outputs[static_cast<std::size_t>(j)];
    out.y.col(j).head(history) = series.values.col(c).segment(t - history, history);
    out.y.col(j).tail(steps).setConstant(std::numeric_limits<double>::quiet_NaN());
  }
}

}  // namespace flyball::evaluate
