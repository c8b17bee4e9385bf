#pragma once
// What is judged: anything that predicts from a record. Baselines, models of any kind and the
// predictors of tests go through the same path.
#include <functional>

#include "dataset/dataset.h"
#include "evaluate/windows.h"
#include "model/simulate.h"
#include "model/static_response.h"

namespace flyball::evaluate {

/// Writes ŷ(t), …, ŷ(t+steps−1) into `out` (steps × ny). Rows [0, t) of the record are the
/// history. Later rows hold the inputs that the prediction may know and no y: they are NaN, so a
/// predictor that looks at the future finds none. The record is a copy made for this call.
using Predict =
    std::function<void(const model::Record& record, Index t, Index steps, Eigen::Ref<Matrix> out)>;

/// A linear model through model::Simulator, the code that serves predictions. Keeps what it needs.
/// Throws SHAPE_MISMATCH, NOT_FINITE or MODEL_PREDICTOR.
Predict predict_with(const model::LinearStateSpace& model);

/// Steady surfaces: row by row from the inputs alone, NaN where they do not hold.
Predict predict_with(const model::StaticResponse& model);

/// ŷ(k) = last observed y, for every k.
Predict persistence();

/// What the inputs of a window do after its history: MVs are known; DVs are measured (one step,
/// free run) or keep their last value (rollout).
enum class Disturbances { measured, held };

/// Copies rows [t − H, t + steps) of a series into `out` with every y from row H on NaN. `out` is
/// resized when needed. Precondition: the rows exist.
void copy_window(const dataset::Series& series, const Layout& columns, Index t, Index history,
                 Index steps, Disturbances disturbances, model::Record& out);

}  // namespace flyball::evaluate
