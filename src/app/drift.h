#pragma once
// Whether a model still fits what was stored since it was trained.
#include "core/record.h"
#include "core/time.h"
#include "evaluate/drift.h"

namespace flyball::app {

struct DriftReport : evaluate::Drift {
  using Extends = evaluate::Drift;
  std::string model_id;
  std::optional<TimeUs> since;
  std::int64_t shadow_predictions = 0;
  std::vector<double> shadow_rmse;
  static constexpr auto fields() {
    using D = DriftReport;
    return join(
        evaluate::Drift::fields(),
        FieldList{
            field("modelId", &D::model_id, "mdl-..."),
            field("since", &D::since, "stored after what it was trained on").unit("us"),
            field("shadowPredictions", &D::shadow_predictions, "in the log of the model in shadow"),
            field("shadowRmse", &D::shadow_rmse,
                  "per CV, pooled over that log, in train deviations")});
  }
};

}  // namespace flyball::app
