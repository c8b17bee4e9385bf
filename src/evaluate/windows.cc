#include "evaluate/windows.h"

#include "dataset/split.h"

namespace flyball::evaluate {

Layout layout(const dataset::Dataset& data) {
  Layout out;
  out.inputs = data.columns(dataset::Role::mv);
  out.n_mv = static_cast<Index>(out.inputs.size());
  for (const Index c : data.columns(dataset::Role::dv)) out.inputs.push_back(c);
  out.outputs = data.columns(dataset::Role::cv);
  return out;
}

std::vector<Index> window_starts(const dataset::Series& series, const dataset::Block& block,
                                 const Layout& columns, WindowShape shape) {
  return dataset::judged_windows(series, columns.inputs, columns.outputs, block.first_step,
                                 block.steps, {shape.history, shape.horizon});
}

std::vector<Stretch> stretches(const std::vector<Index>& starts) {
  std::vector<Stretch> out;
  for (const Index t : starts) {
    if (!out.empty() && out.back().first + out.back().count == t) {
      ++out.back().count;
    } else {
      out.push_back({t, 1});
    }
  }
  return out;
}

}  // namespace flyball::evaluate
