#include "uq/pieces.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/checks.h"
#include "uq/uq.h"

namespace flyball::uq {
namespace {

constexpr Index kSettlings = 10;
constexpr Index kPerGroup = 16;
constexpr Index kFewestPairs = 10;
constexpr double kOneSided = 1.6448536269514722;

struct Group {
  Vector sum;
  double count = 0;
};

using Groups = std::map<Index, Group>;  ///< of one run, by row over the rows of a group

/// Mean error at the last step of the horizon per group of one run.
void add_errors(const dataset::Dataset& data, const dataset::Block& block,
                const evaluate::Predict& predict, evaluate::WindowShape shape, Index rows,
                Groups& groups, const std::stop_token& stop) {
  const evaluate::Layout columns = evaluate::layout(data);
  const auto ny = static_cast<Index>(columns.outputs.size());
  const dataset::Series& series = data.run(block.run_id);
  const Index every = std::max<Index>(rows / kPerGroup, 1);
  model::Record window;
  Matrix ahead(shape.horizon, ny);
  for (const Index t : evaluate::window_starts(series, block, columns, shape)) {
    const auto seen = [&](Index c) {
      return evaluate::was_observed(series, t + shape.horizon - 1, c);
    };
    if (t % every != 0 || !std::ranges::all_of(columns.outputs, seen)) continue;
    check_stop(stop);
    evaluate::copy_window(series, columns, t, shape.history, shape.horizon,
                          evaluate::Disturbances::held, window);
    predict(window, shape.history, shape.horizon, ahead);
    Group& group = groups[t / rows];
    if (group.count == 0) group.sum = Vector::Zero(ny);
    for (Index j = 0; j < ny; ++j) {
      const Index column = columns.outputs[static_cast<std::size_t>(j)];
      group.sum(j) += series.values(t + shape.horizon - 1, column) - ahead(shape.horizon - 1, j);
    }
    group.count += 1;
  }
}

}  // namespace

Index piece_steps(Index settling, Index horizon) {
  return std::max(kSettlings * settling, block_start_steps(horizon) + horizon - 1);
}

PieceTest test_pieces(const dataset::Dataset& data, const evaluate::Predict& predict,
                      evaluate::WindowShape shape, Index piece, Index settling,
                      const std::stop_token& stop) {
  const Index lag = std::max<Index>(piece / (settling + shape.horizon), 1);
  const Index rows = (piece + lag - 1) / lag;
  std::map<std::string, Groups> runs;
  for (const dataset::Part part : {dataset::Part::train, dataset::Part::val, dataset::Part::test}) {
    for (const dataset::Block* block : data.part(part))
      add_errors(data, *block, predict, shape, rows, runs[block->run_id], stop);
  }
  const evaluate::Layout columns = evaluate::layout(data);
  PieceTest out;
  double worst = -std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < columns.outputs.size(); ++j) {
    const auto at = static_cast<Index>(j);
    const auto value = [&](const Group& g) { return g.sum(at) / g.count; };
    double mean = 0, groups = 0, square = 0, product = 0, pairs = 0;
    for (const auto& [run, of] : runs) {
      for (const auto& [row, g] : of) {
        mean += value(g);
        groups += 1;
      }
    }
    mean /= groups;
    for (const auto& [run, of] : runs) {
      for (const auto& [row, g] : of) {
        square += std::pow(value(g) - mean, 2);
        const auto later = of.find(row + lag);
        if (later == of.end()) continue;
        product += (value(g) - mean) * (value(later->second) - mean);
        pairs += 1;
      }
    }
    const bool told = pairs >= kFewestPairs && square > 0;
    const double correlation =
        told ? product / pairs / (square / groups) : std::numeric_limits<double>::quiet_NaN();
    const double limit = kOneSided / std::sqrt(std::max(pairs, 1.0));
    const double excess = told ? correlation / limit : std::numeric_limits<double>::infinity();
    if (excess <= worst) continue;
    worst = excess;
    out = {data.spec.variables[static_cast<std::size_t>(columns.outputs[j])].id, correlation,
           limit};
  }
  return out;
}

}  // namespace flyball::uq
