#include "evaluate/windows.h"

#include <cmath>

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
  const Index first = block.first_step;
  const Index steps = block.steps;
  std::vector<Index> starts;
  if (steps < shape.history + shape.horizon) return starts;

  // Rows so far with a missing value, and with a CV that was not observed.
  std::vector<Index> missing(static_cast<std::size_t>(steps) + 1, 0);
  std::vector<Index> unobserved(static_cast<std::size_t>(steps) + 1, 0);
  const auto absent = [&](Index row, Index c) {
    return std::isnan(series.values(row, c)) || series.mask(row, c) == 0;
  };
  for (Index i = 0; i < steps; ++i) {
    const Index row = first + i;
    bool is_missing = false, is_unobserved = false;
    for (const Index c : columns.inputs) is_missing = is_missing || absent(row, c);
    for (const Index c : columns.outputs) {
      is_missing = is_missing || absent(row, c);
      is_unobserved = is_unobserved || series.mask(row, c) != 1;
    }
    const auto at = static_cast<std::size_t>(i);
    missing[at + 1] = missing[at] + (is_missing ? 1 : 0);
    unobserved[at + 1] = unobserved[at] + (is_unobserved ? 1 : 0);
  }
  const auto count = [](const std::vector<Index>& sums, Index from, Index to) {
    return sums[static_cast<std::size_t>(to)] - sums[static_cast<std::size_t>(from)];
  };
  for (Index t = shape.history; t + shape.horizon <= steps; ++t) {
    if (count(missing, t - shape.history, t + shape.horizon) == 0 &&
        count(unobserved, t, t + shape.horizon) == 0) {
      starts.push_back(first + t);
    }
  }
  return starts;
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
