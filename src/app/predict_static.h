#pragma once
// Predictions of static_response@1: each row of a table is a setting, answered by itself.
#include "app/app.h"
#include "evaluate/load_model.h"

namespace flyball::app {

/// Steady CVs of each row. Throws PREDICT_OUTSIDE_BOX or PREDICT_OUTSIDE_POINTS naming the row when
/// the model does not hold there, PREDICT_INPUT_MISSING, PREDICT_NO_ROWS.
void predict_static(const evaluate::LoadedModel& model, const Matrix& inputs, PredictResponse& out,
                    Matrix& forecast);

}  // namespace flyball::app
