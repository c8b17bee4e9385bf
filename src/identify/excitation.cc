#include "identify/excitation.h"

#include <fmt/format.h>

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
constexpr double kCollinear = 0.95;
constexpr double kDeterministic = 1e-10;

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

}  // namespace

Excitation excitation_of(const TrainingData& data, Index input, Index parameters) {
  Excitation e;
  e.input = data.name(input);
  e.mv = input < data.n_mv;
  e.constant = data.constant[static_cast<std::size_t>(input)];
  if (e.constant) return e;
  const double step = kMoveShare * (data.high(input) - data.low(input)) / data.std(input);
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

/// "0.98·u2 + 0.31·u3", weights of a tenth of the largest or more, model units.
void describe_combination(const TrainingData& data, Index m, const std::vector<Term>& others,
                          const Vector& weights, Collinear& c) {
  constexpr double kShown = 0.1;
  for (std::size_t i = 0; i < others.size(); ++i) {
    const double w = weights(static_cast<Index>(i));
    if (std::abs(w) < kShown * weights.cwiseAbs().maxCoeff()) continue;
    c.others.push_back(data.name(others[i].signal));
    c.weights.push_back(w * data.std(m) / data.std(others[i].signal));
    c.combination += c.combination.empty() ? (c.weights.back() < 0 ? "−" : "")
                                           : (c.weights.back() < 0 ? " − " : " + ");
    c.combination += fmt::format("{:.3g}·{}", std::abs(c.weights.back()), c.others.back());
  }
}

std::vector<Collinear> collinear_of(const TrainingData& data, const std::vector<bool>& used) {
  const Normal normal = joint_normal(data, used, 0);
  std::vector<Collinear> out;
  if (normal.rows < 2) return out;
  for (Index m = 0; m < data.n_mv; ++m) {
    if (!used[static_cast<std::size_t>(m)]) continue;
    std::vector<Term> others;
    Index closest = -1;
    double largest = 0;
    const double power = normal.c(m, m);
    for (Index i = 0; i < data.nu(); ++i) {
      if (i == m || !used[static_cast<std::size_t>(i)]) continue;
      others.push_back({i, 0});
      const double share = normal.c(i, m) * normal.c(i, m) / (power * normal.c(i, i));
      if (share > largest) {
        largest = share;
        closest = i;
      }
    }
    if (closest < 0) continue;
    const Solution solution = solve(normal, others, {m, 0}, {.lambda = 1e-12});
    const double left = std::max(solution.rss / power, kDeterministic);
    if (1 - left < kCollinear) continue;
    Collinear c;
    c.mv = data.name(m);
    c.with = data.name(closest);
    c.explained = 1 - solution.rss / power;
    c.vif = 1 / left;
    describe_combination(data, m, others, solution.theta, c);
    out.push_back(std::move(c));
  }
  return out;
}

}  // namespace flyball::identify
