#pragma once
// A polynomial NARX as what is judged.
#include "evaluate/predictor.h"
#include "model/polynomial_narx.h"

namespace flyball::evaluate {

/// Through model::NarxSimulator, the code that serves predictions. Keeps what it needs. Throws
/// SHAPE_MISMATCH or NOT_FINITE.
Predict predict_with(const model::PolynomialNarx& model);

}  // namespace flyball::evaluate
