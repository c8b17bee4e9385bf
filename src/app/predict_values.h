#pragma once
// History and plan of a prediction as they come in JSON.
#include "app/requests.h"
#include "evaluate/load_model.h"
#include "model/simulate.h"

namespace flyball::app {

/// What a model is given: rows of history, then rows of the plan whose CVs are NaN.
struct PredictInput {
  model::Record record;   ///< U rows×nu, Y rows×ny
  Index history_end = 0;  ///< first row of the plan
};

/// Every tag of the model has a history, all of one length; a plan names MVs, all or none, all of
/// one length. Throws PREDICT_VALUES with each problem at its place.
PredictInput read_values(const PredictRequest& request, const evaluate::LoadedModel& model);

}  // namespace flyball::app
