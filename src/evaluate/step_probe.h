#pragma once
// What a model says when an MV jumps by its whole train range: a model may not run away.
#include <optional>
#include <string>
#include <vector>

#include "core/record.h"
#include "evaluate/predictor.h"

namespace flyball::evaluate {

struct StepAnswer {
  std::string mv, cv;
  std::int64_t steps = 0;
  std::optional<double> excursion;  ///< max |ŷ − train mean| / train range of the CV
  static constexpr auto fields() {
    using S = StepAnswer;
    return FieldList{
        field("mv", &S::mv, "manipulated variable"), field("cv", &S::cv, "controlled variable"),
        field("steps", &S::steps, "length of the answer judged").unit("steps"),
        field("excursion", &S::excursion,
              "largest distance from the train mean in train ranges; null: not finite")
            .nullable()};
  }
};

/// From H rows at the train means, each MV in turn steps by (train max − train min), up and kept.
/// `steps` is finite on purpose: a slow CV that saw short moves may settle far outside its range.
/// limit[j] > 0 judges only the first limit[j] steps of CV j (integrating CVs), 0 all `steps`.
std::vector<StepAnswer> step_answers(const dataset::Dataset& data, const Predict& predict,
                                     Index history, Index steps, const std::vector<Index>& limit);

}  // namespace flyball::evaluate
