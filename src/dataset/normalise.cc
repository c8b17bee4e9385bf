#include "dataset/normalise.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace flyball::dataset {
namespace {

/// f(column, value) for the values of train blocks; inside a column in the order of the blocks.
template <class F>
void for_each_value(const Spec& spec, const std::vector<Block>& blocks, const RunSource& runs,
                    const F& f) {
  for (const Block& block : blocks) {
    if (block.split != Part::train) continue;
    const Series& run = runs.of(block.run_id);
    for (std::size_t c = 0; c < spec.variables.size(); ++c) {
      const bool observed_only = spec.variables[c].role == Role::cv;
      const double* const x = run.values.col(static_cast<Index>(c)).data();
      const std::uint8_t* const mask = run.mask.col(static_cast<Index>(c)).data();
      for (Index i = block.first_step; i < block.first_step + block.steps; ++i) {
        if (mask[i] == 1 || (mask[i] == 2 && !observed_only)) f(c, x[i]);
      }
    }
  }
}

}  // namespace

Norm normalise(const Spec& spec, const std::vector<Block>& blocks, const RunSource& runs) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const std::size_t n = spec.variables.size();
  std::vector<double> count(n, 0), sum(n, 0), squares(n, 0);
  Norm norm{std::vector(n, 0.0), std::vector(n, kNone), std::vector(n, kNone),
            std::vector(n, kNone)};
  for_each_value(spec, blocks, runs, [&](std::size_t c, double x) {
    ++count[c];
    sum[c] += x;
    if (!(norm.min[c] <= x)) norm.min[c] = x;
    if (!(norm.max[c] >= x)) norm.max[c] = x;
  });
  for (std::size_t c = 0; c < n; ++c) norm.mean[c] = sum[c] / count[c];
  for_each_value(spec, blocks, runs, [&](std::size_t c, double x) {
    squares[c] += (x - norm.mean[c]) * (x - norm.mean[c]);
  });
  for (std::size_t c = 0; c < n; ++c) {
    if (count[c] > 1) norm.std[c] = std::sqrt(squares[c] / (count[c] - 1));
  }
  return norm;
}

}  // namespace flyball::dataset
