#include "identify/excitation.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "identify/regression.h"
#include "math/linear_algebra.h"

namespace flyball::identify {
namespace {

constexpr double kMoveShare = 0.1;
constexpr double kRankTolerance = 1e-9;
constexpr double kStrongTolerance = 1e-2;

/// Number of leading lags whose scaled Gram matrix keeps pivots above the tolerance.
Index leading_rank(const Matrix& c, double tolerance) {
  const Index n = c.rows();
  Matrix l = Matrix::Zero(n, n);
  for (Index j = 0; j < n; ++j) {
    const double scale = c(0, 0);
    const double pivot = c(j, j) / scale - l.row(j).head(j).squaredNorm();
    if (!(pivot > tolerance)) return j;
    l(j, j) = std::sqrt(pivot);
    for (Index i = j + 1; i < n; ++i) {
      l(i, j) = (c(i, j) / scale - l.row(i).head(j).dot(l.row(j).head(j))) / l(j, j);
    }
  }
  return n;
}

/// Largest range within a run, normalised.
double range_in_runs(const TrainingData& data, Index input) {
  std::vector<double> low(static_cast<std::size_t>(data.runs), HUGE_VAL);
  std::vector<double> high(low.size(), -HUGE_VAL);
  for (const Stretch& block : data.blocks) {
    const auto run = static_cast<std::size_t>(block.run);
    for (Index t = block.first; t < block.end; ++t) {
      const double v = data.x(t, input);
      if (!std::isfinite(v)) continue;
      low[run] = std::min(low[run], v);
      high[run] = std::max(high[run], v);
    }
  }
  double largest = 0;
  for (std::size_t run = 0; run < low.size(); ++run)
    largest = std::max(largest, high[run] - low[run]);
  return largest;
}

}  // namespace

Excitation excitation_of(const TrainingData& data, Index input, Index parameters) {
  Excitation e;
  e.input = data.name(input);
  e.mv = input < data.n_mv;
  e.constant = data.constant[static_cast<std::size_t>(input)];
  if (e.constant) return e;
  const double step = kMoveShare * range_in_runs(data, input);
  const double low = (data.low(input) - data.mean(input)) / data.std(input);
  std::set<Index> levels;
  const auto stretches = usable(data.x, {input}, data.blocks);
  for (const Stretch& s : stretches) {
    double level = data.x(s.first, input);
    for (Index t = s.first; t < s.end; ++t) {
      const double v = data.x(t, input);
      levels.insert(static_cast<Index>(std::floor((v - low) / step + 0.5)));
      if (std::abs(v - level) > step) {
        ++e.moves;
        level = v;
      }
    }
  }
  e.levels = static_cast<std::int64_t>(levels.size());
  const Matrix column = data.x.col(input);
  math::LagGram gram(1, kPersistenceMax - 1);
  for (const Stretch& s : stretches) gram.add(column, s.first + kPersistenceMax - 1, s.end);
  Index strong = 0;
  if (gram.rows() > kPersistenceMax) {
    const Matrix c = gram.centred();
    e.persistence_order = leading_rank(c, kRankTolerance);
    strong = leading_rank(c, kStrongTolerance);
  }
  e.excited = e.moves >= kMovesNeeded || strong >= parameters;
  return e;
}

}  // namespace flyball::identify
