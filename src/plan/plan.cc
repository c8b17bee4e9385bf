#include "plan/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "identify/refine_lags.h"
#include "math/linear_algebra.h"
#include "math/random.h"
#include "plan/level.h"
#include "plan/limits.h"

namespace flyball::plan {
namespace {

constexpr Index kMostSteps = 50'000;
constexpr double kCounted = 1e9;   ///< more steps than these are not counted
constexpr double kSettlings = 10;  ///< settling times of the shortest test
constexpr int kSeeds = 40;         ///< of which the least correlated is taken
constexpr int kLengths = 6;        ///< corrections of the length

/// ±1 with switches at random, mean distance `hold`, never at rest.
Vector binary_noise(Index steps, Index hold, math::Random& random) {
  Vector out(steps);
  double level = random.uniform() < 0.5 ? -1 : 1;
  for (Index t = 0; t < steps; ++t) {
    if (t > 0 && random.uniform() * static_cast<double>(hold) < 1) level = -level;
    out(t) = level;
  }
  return out;
}

bool moves_a_level(const Request& r, const Mv& mv) {
  return std::ranges::any_of(r.pairs,
                             [&](const Pair& p) { return p.mv == mv.name && p.integrating; });
}

Matrix noise(const Request& r, Index steps, Index hold, std::uint32_t seed) {
  math::Random random(seed);
  Matrix out(steps, static_cast<Index>(r.mvs.size()));
  for (std::size_t m = 0; m < r.mvs.size(); ++m) {
    out.col(static_cast<Index>(m)) = moves_a_level(r, r.mvs[m])
                                         ? returning_noise(steps, hold, random)
                                         : binary_noise(steps, hold, random);
  }
  return out;
}

double cross_correlation(const Matrix& u, Index lags, Index step) {
  double most = 0;
  for (Index a = 0; a < u.cols(); ++a) {
    for (Index b = 0; b < u.cols(); ++b) {
      if (a == b) continue;
      for (Index k = 0; k <= lags && k < u.rows(); k += step) {
        const Index n = u.rows() - k;
        const double mean_a = u.col(a).mean(), mean_b = u.col(b).mean();
        const double sum = (u.col(a).head(n).array() - mean_a)
                               .cwiseProduct(u.col(b).tail(n).array() - mean_b)
                               .sum();
        const double scale = std::sqrt((u.col(a).array() - mean_a).square().sum() *
                                       (u.col(b).array() - mean_b).square().sum());
        if (scale > 0) most = std::max(most, std::abs(sum) / scale);
      }
    }
  }
  return most;
}

/// Signals of a length: the seed whose MVs follow each other least.
Matrix signals(const Request& r, Index steps, Index hold, Index settling, double& correlation) {
  const auto mvs = static_cast<Index>(r.mvs.size());
  Matrix best;
  correlation = 2;
  for (std::uint32_t i = 0; i < (mvs > 1 ? kSeeds : 1); ++i) {
    Matrix u = noise(r, steps, hold, r.seed * 1000 + i);
    const double at = cross_correlation(u, settling, std::max<Index>(hold / 2, 1));
    if (at >= correlation) continue;
    correlation = at;
    best = std::move(u);
  }
  if (mvs == 1) correlation = 0;
  return best;
}

/// The step before the test stands at rest, so that every answer begins at the first move.
Vector with_rest(const Eigen::Ref<const Vector>& u) {
  Vector out = Vector::Zero(u.size() + 1);
  out.tail(u.size()) = u;
  return out;
}

/// The answer at unit gain and its derivatives by the time constant and the dead time (in steps);
/// a level has the first and the last.
Matrix response(const Request& r, const Pair& p, const Eigen::Ref<const Vector>& deviation) {
  if (p.integrating) return level_response(deviation, p.dead_time / r.beat) * r.beat;
  const identify::LagPair lag{0, 1, p.time_constant / r.beat, 0, p.dead_time / r.beat};
  const Matrix all = identify::lag_response(with_rest(deviation), lag).bottomRows(deviation.size());
  Matrix out(all.rows(), 3);
  out << all.col(0), all.col(1), all.col(3);
  return out;
}

void simulate(const Request& r, Plan& out) {
  const Index steps = out.moves.rows();
  out.predicted.resize(steps, static_cast<Index>(r.cvs.size()));
  out.excursions.clear();
  out.precisions.clear();
  const std::vector<double> farthest = bounds(r, out);
  for (std::size_t j = 0; j < r.cvs.size(); ++j) {
    const Cv& cv = r.cvs[j];
    Vector y = Vector::Constant(steps, cv.now);
    std::vector<const Pair*> pairs;
    for (const Pair& p : r.pairs) {
      if (p.cv == cv.name) pairs.push_back(&p);
    }
    Matrix slope(steps, 3 * std::ssize(pairs) + 2);  // what the fit would not know, a column each
    std::vector<Index> gain_at;
    Index columns = 0;
    slope.col(columns++).setOnes();
    if (std::ranges::any_of(pairs, &Pair::integrating))  // the MVs that hold a level are not known
      slope.col(columns++).setLinSpaced(0, 1);
    for (const Pair* p : pairs) {
      const std::size_t m = index_of(r.mvs, p->mv);
      const Vector deviation = out.moves.col(static_cast<Index>(m)).array() - r.mvs[m].now;
      const Matrix g = response(r, *p, deviation);
      y += p->gain * g.col(0);
      gain_at.push_back(columns);
      slope.middleCols(columns, g.cols()) = g * p->gain;
      slope.col(columns) = g.col(0);
      columns += g.cols();
    }
    slope.conservativeResize(Eigen::NoChange, columns);
    out.predicted.col(static_cast<Index>(j)) = y;
    out.excursions.push_back({cv.name, y.minCoeff(), y.maxCoeff(), farthest[j]});
    const Vector scale = slope.colwise().norm().cwiseMax(1e-300).cwiseInverse();
    const Matrix scaled = slope * scale.asDiagonal();
    const auto factor = math::Cholesky::of(scaled.transpose() * scaled);
    const Matrix inverse = factor ? factor->inverse() : Matrix();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const Pair& p = *pairs[i];
      const Index at = gain_at[i];
      const double error = factor ? cv.noise * std::sqrt(inverse(at, at)) * scale(at) : INFINITY;
      out.precisions.push_back({p.mv, p.cv, p.gain, error});
    }
  }
}

double worst(const Plan& p) {
  double most = 0;
  for (const Precision& of : p.precisions) most = std::max(most, of.std_error / std::abs(of.gain));
  return most;
}

Plan of_length(const Request& r, Index steps, const Plan& shared) {
  Plan out = shared;
  out.moves = signals(r, steps, out.switch_steps, out.settling_steps, out.correlation);
  for (std::size_t m = 0; m < r.mvs.size(); ++m) {
    auto column = out.moves.col(static_cast<Index>(m));
    column = (column.array() * out.amplitudes[m] + r.mvs[m].now).matrix().eval();
  }
  simulate(r, out);
  out.reached = worst(out) <= r.precision;
  return out;
}

}  // namespace

Plan plan(const Request& r) {
  check(r);
  Plan shared;
  const auto too_long = [&](double steps) {
    if (steps <= kMostSteps) return;
    throw Error("PLAN_TOO_LONG", {{"steps", std::fmin(steps, kCounted)}, {"limit", kMostSteps}});
  };
  const double settling = std::ceil(settling_seconds(r) / r.beat);
  if (!r.steps) too_long(kSettlings * settling);
  too_long(settling);
  shared.settling_steps = static_cast<Index>(settling);
  shared.switch_steps = std::max<Index>(shared.settling_steps / 4, 1);
  choose_amplitudes(r, shared);
  const auto shortest = std::max(
      static_cast<Index>(kSettlings) * std::max<Index>(shared.settling_steps, 2), r.least_steps);
  Index steps = r.steps.value_or(shortest);
  too_long(static_cast<double>(steps));
  Plan out = of_length(r, steps, shared);
  out.shortest = out.reached && !r.steps;
  for (int i = 0; i < kLengths && !out.reached && !r.steps; ++i) {
    // The variance falls with the length; a little more, since each length has its own signal.
    const double longer = static_cast<double>(steps) * std::pow(worst(out) / r.precision, 2) * 1.05;
    too_long(longer);
    steps = std::max(steps + 1, static_cast<Index>(std::ceil(longer)));
    out = of_length(r, steps, shared);
  }
  return out;
}

std::string to_csv(const Request& r, const Plan& p) {
  std::string out = "time";
  for (const Mv& mv : r.mvs) out += "," + mv.name;
  out += '\n';
  for (Index t = 0; t < p.moves.rows(); ++t) {
    out += fmt::format("{:.10g}", static_cast<double>(t) * r.beat);
    for (Index m = 0; m < p.moves.cols(); ++m) out += fmt::format(",{:.10g}", p.moves(t, m));
    out += '\n';
  }
  return out;
}

}  // namespace flyball::plan
