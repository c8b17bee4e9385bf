#pragma once
// Static models are judged at operating points that they never saw: one error a point, no windows.
#include <optional>
#include <string>
#include <vector>

#include "dataset/steady.h"
#include "evaluate/predictor.h"
#include "evaluate/scores.h"

namespace flyball::evaluate {

/// How many operating points stand behind the errors.
struct PointEvidence {
  dataset::Points points = dataset::Points::segments;
  std::int64_t train = 0, val = 0, test = 0, val_outside = 0, test_outside = 0;
  std::int64_t parameters = 0;
  static constexpr auto fields() {
    using S = PointEvidence;
    return FieldList{
        field("points", &S::points, "what a point is the mean of"),
        field("train", &S::train, "points of train"),
        field("val", &S::val, "points of val"),
        field("test", &S::test, "points of test"),
        field("valOutside", &S::val_outside, "of them where the model does not hold: not scored"),
        field("testOutside", &S::test_outside, "of them where the model does not hold: not scored"),
        field("parameters", &S::parameters, "of the largest surface")};
  }
  [[nodiscard]] std::int64_t count() const { return train + val + test; }
};

/// An operating point beside its prediction, model units; predicted is NaN where the model refuses.
struct PointResult {
  const dataset::OperatingPoint* point = nullptr;
  Vector u, y, predicted;
  [[nodiscard]] bool inside() const { return predicted.allFinite(); }
};

/// All points in their order. `predict` is asked for one step without history at each.
std::vector<PointResult> predict_points(const dataset::Dataset& data,
                                        const dataset::OperatingPoints& points,
                                        const Predict& predict);

/// Sample standard deviation of each CV over the train points.
std::vector<double> train_spread(const std::vector<PointResult>& points, Index outputs);

/// Errors of the points of one part where the model holds; with `held`, of the CVs of the point
/// before in the same run instead.
Score score_points(const dataset::Dataset& data, const std::vector<PointResult>& points,
                   dataset::Part part, const std::vector<double>& train_std, bool held);

}  // namespace flyball::evaluate
