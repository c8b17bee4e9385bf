#include "evaluate/narx_predictor.h"

#include <memory>

namespace flyball::evaluate {

Predict predict_with(const model::PolynomialNarx& model) {
  auto simulator = std::make_shared<model::NarxSimulator>(model);
  return [simulator](const model::Record& record, Index t, Index steps, Eigen::Ref<Matrix> out) {
    simulator->start(record, t, t);
    simulator->rollout(record, t, t, steps, model::Future::measured, out);
  };
}

}  // namespace flyball::evaluate
