#include "identify/input_choice.h"

#include <algorithm>

#include "identify/excitation.h"

namespace flyball::identify {

InputChoice choose_inputs(const TrainingData& data, const std::vector<SetPoint>& set_points,
                          Index max_order, std::vector<Message>& warnings) {
  InputChoice out;
  out.max_nb = max_order;
  for (Index m = 0; m < data.nu(); ++m) {
    Excitation e = excitation_of(data, m, max_order);
    const auto of = std::ranges::find(set_points, e.input, &SetPoint::tag);
    const bool set_point = of != set_points.end();
    e.left_out = set_point || e.constant || (e.mv && !e.excited);
    if (set_point) {
      e.reason = "set-point of " + of->mv;
    } else if (e.constant) {
      e.reason = "constant";
      warnings.push_back({"INPUT_CONSTANT", {{"input", e.input}}});
    } else if (e.left_out) {
      e.reason = "not excited";
      warnings.push_back(
          {"MV_NOT_EXCITED", {{"mv", e.input}, {"moves", e.moves}, {"needed", kMovesNeeded}}});
    } else if (e.persistence_order > 0 && e.persistence_order < out.max_nb) {
      out.max_nb = e.persistence_order;
      warnings.push_back({"PERSISTENCE_LOW", {{"input", e.input}, {"order", e.persistence_order}}});
    }
    out.used.push_back(!e.left_out);
    if (!e.left_out) out.columns.push_back(m);
    out.excitation.push_back(std::move(e));
  }
  return out;
}

}  // namespace flyball::identify
