#include "app/study_fan.h"

#include <algorithm>

namespace flyball::app {

void draw_fans(const dataset::Dataset& data, const evaluate::Predict& predict,
               evaluate::WindowShape shape, const uq::Uq& uq, report::StudyPictures& pictures) {
  const auto blocks = data.part(dataset::Part::test);
  const auto longest = std::ranges::max_element(blocks, {}, &dataset::Block::steps);
  if (longest == blocks.end() || uq.step_bands.empty()) return;
  const evaluate::Layout columns = evaluate::layout(data);
  const dataset::Series& series = data.run((*longest)->run_id);
  const auto starts = evaluate::window_starts(series, **longest, columns, shape);
  if (starts.empty()) return;
  const Index t = starts[starts.size() / 2];
  model::Record window;
  Matrix ahead(shape.horizon, static_cast<Index>(columns.outputs.size()));
  evaluate::copy_window(series, columns, t, shape.history, shape.horizon,
                        evaluate::Disturbances::held, window);
  predict(window, shape.history, shape.horizon, ahead);
  const Index shown = std::min(shape.history, shape.horizon);
  for (std::size_t j = 0; j < uq.step_bands.size(); ++j) {
    const uq::StepBand& band = uq.step_bands[j];
    const auto& v = data.spec.variables[static_cast<std::size_t>(columns.outputs[j])];
    report::UncertaintyFan fan;
    fan.cv = band.cv;
    fan.unit = v.unit;
    fan.run = (*longest)->run_id;
    for (Index k = -shown; k < shape.horizon; ++k) {
      fan.step.push_back(static_cast<double>(k + 1));
      fan.actual.push_back(series.values(t + k, columns.outputs[j]));
    }
    for (Index k = 0; k < shape.horizon; ++k) {
      const double at = ahead(k, static_cast<Index>(j));
      const double half = band.half_width[static_cast<std::size_t>(k)];
      fan.ahead.push_back(static_cast<double>(k + 1));
      fan.predicted.push_back(at);
      fan.low.push_back(at - half);
      fan.high.push_back(at + half);
    }
    pictures.fans.push_back(std::move(fan));
  }
}

}  // namespace flyball::app
