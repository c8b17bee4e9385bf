#include "identify/training_data.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "identify/run_levels.h"
#include "math/statistics.h"

namespace flyball::identify {
namespace {

void append_ids(const dataset::Dataset& data, dataset::Role role, std::vector<Index>& columns,
                std::vector<std::string>& ids) {
  for (const Index c : data.columns(role)) {
    columns.push_back(c);
    ids.push_back(data.spec.variables[static_cast<std::size_t>(c)].id);
  }
}

/// Fills mean, std, range of a column and normalises it in place.
void normalise(TrainingData& d, Index column) {
  std::vector<double> values;
  for (Index t = 0; t < d.x.rows(); ++t) {
    if (std::isfinite(d.x(t, column))) values.push_back(d.x(t, column));
  }
  const auto [low, high] = std::ranges::minmax_element(values);
  d.low(column) = values.empty() ? 0 : *low;
  d.high(column) = values.empty() ? 0 : *high;
  d.mean(column) = values.empty() ? 0 : math::mean(values);
  const double largest = std::max(std::abs(d.low(column)), std::abs(d.high(column)));
  const bool constant = !(d.high(column) - d.low(column) > 1e-9 * largest);
  d.constant[static_cast<std::size_t>(column)] = constant;
  d.std(column) = constant ? 1 : math::sample_std(values);
  for (Index t = 0; t < d.x.rows(); ++t) {
    double& v = d.x(t, column);
    if (std::isfinite(v)) v = constant ? 0 : (v - d.mean(column)) / d.std(column);
  }
}

}  // namespace

TrainingData training_data(const dataset::Dataset& data) {
  TrainingData d;
  std::vector<Index> columns;
  append_ids(data, dataset::Role::mv, columns, d.inputs);
  d.n_mv = static_cast<Index>(columns.size());
  append_ids(data, dataset::Role::dv, columns, d.inputs);
  append_ids(data, dataset::Role::cv, columns, d.outputs);

  const auto blocks = data.part(dataset::Part::train);
  Index rows = 0;
  std::vector<std::string> runs;
  for (const dataset::Block* block : blocks) {
    auto run = std::ranges::find(runs, block->run_id);
    if (run == runs.end()) run = runs.insert(runs.end(), block->run_id);
    d.blocks.push_back({rows, rows + block->steps, run - runs.begin()});
    rows += block->steps;
  }
  d.runs = static_cast<Index>(runs.size());
  if (rows == 0) throw Error("TRAIN_PART_EMPTY");

  const auto all = static_cast<Index>(columns.size());
  d.x.resize(rows, all);
  d.observed.resize(rows, d.ny());
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const dataset::Series& series = data.run(blocks[b]->run_id);
    const Index from = blocks[b]->first_step;
    for (Index c = 0; c < all; ++c) {
      const Index source = columns[static_cast<std::size_t>(c)];
      for (Index t = 0; t < blocks[b]->steps; ++t) {
        const bool present = series.mask(from + t, source) != 0;
        const Index row = d.blocks[b].first + t;
        d.x(row, c) = present ? series.values(from + t, source) : std::nan("");
        if (c >= d.nu()) d.observed(row, c - d.nu()) = series.mask(from + t, source) == 1 ? 1 : 0;
      }
    }
  }
  d.mean.resize(all);
  d.std.resize(all);
  d.low.resize(all);
  d.high.resize(all);
  d.constant.resize(static_cast<std::size_t>(all));
  for (Index c = 0; c < all; ++c) normalise(d, c);
  std::vector<bool> integrating;
  for (const Index c : data.columns(dataset::Role::cv))
    integrating.push_back(data.spec.variables[static_cast<std::size_t>(c)].integrating);
  judge_run_levels(d, integrating);
  return d;
}

std::vector<Stretch> usable(const Matrix& x, const std::vector<Index>& columns,
                            const std::vector<Stretch>& blocks) {
  std::vector<Stretch> out;
  const auto complete = [&](Index t) {
    return std::ranges::all_of(columns, [&](Index c) { return std::isfinite(x(t, c)); });
  };
  for (const Stretch& block : blocks) {
    Index t = block.first;
    while (t < block.end) {
      while (t < block.end && !complete(t)) ++t;
      const Index first = t;
      while (t < block.end && complete(t)) ++t;
      if (t > first) out.push_back({first, t, block.run});
    }
  }
  return out;
}

}  // namespace flyball::identify
