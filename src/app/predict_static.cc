#include "app/predict_static.h"

#include <algorithm>
#include <cmath>

namespace flyball::app {

void predict_static(const evaluate::LoadedModel& model, const Matrix& inputs, PredictResponse& out,
                    Matrix& forecast) {
  const model::StaticResponse& m = *model.surfaces;
  if (inputs.rows() == 0) throw Error("PREDICT_NO_ROWS");
  forecast.resize(inputs.rows(), m.outputs());
  double worst = 0;
  for (Index t = 0; t < inputs.rows(); ++t) {
    const Vector u = inputs.row(t).transpose();
    for (Index i = 0; i < u.size(); ++i) {
      if (std::isfinite(u(i))) continue;
      throw Error("PREDICT_INPUT_MISSING",
                  {{"variable", model.variables[static_cast<std::size_t>(i)].id},
                   {"row", static_cast<std::int64_t>(t + 1)}});
    }
    if (const auto why = model::outside(m, u)) {
      if (why->input >= 0)
        throw Error("PREDICT_OUTSIDE_BOX",
                    {{"row", static_cast<std::int64_t>(t + 1)},
                     {"variable", model.variables[static_cast<std::size_t>(why->input)].id},
                     {"value", why->value},
                     {"low", why->low},
                     {"high", why->high}});
      throw Error("PREDICT_OUTSIDE_POINTS",
                  {{"row", static_cast<std::int64_t>(t + 1)},
                   {"cv", model.ids("cv")[static_cast<std::size_t>(why->output)]},
                   {"value", why->value},
                   {"high", why->high}});
    }
    worst = std::max(worst, model::normalised(m, u).cwiseAbs().maxCoeff());
    forecast.row(t) = model::surface_values(m, u).transpose();
  }
  out.steps = forecast.rows();
  out.input_distance = worst;
}

}  // namespace flyball::app
