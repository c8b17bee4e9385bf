#include "plan/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "identify/refine_lags.h"
#include "math/linear_algebra.h"
#include "math/random.h"

namespace flyball::plan {
namespace {

constexpr Index kMostSteps = 50'000;
constexpr double kSettlings = 10;  ///< settling times of the shortest test
constexpr int kSeeds = 40;         ///< of which the least correlated is taken
constexpr double kNoiseRoom = 3;   ///< standard deviations that stay free below a limit
constexpr int kLengths = 6;        ///< corrections of the length

template <class T>
std::size_t index_of(const std::vector<T>& list, const std::string& name) {
  const auto it = std::ranges::find(list, name, &T::name);
  if (it == list.end()) throw Error("PLAN_NAME_UNKNOWN", {{"name", name}});
  return static_cast<std::size_t>(it - list.begin());
}

void check_positive(double value, const char* field) {
  if (value > 0 && std::isfinite(value)) return;
  throw Error("PLAN_NOT_POSITIVE", {{"field", field}, {"value", value}});
}

template <class T>
void check_once(const std::vector<T>& list) {
  for (auto i = list.begin(); i != list.end(); ++i) {
    if (std::ranges::count(i, list.end(), i->name, &T::name) > 1)
      throw Error("PLAN_NAME_TWICE", {{"name", i->name}});
  }
}

void check(const Request& r) {
  check_once(r.mvs);
  check_once(r.cvs);
  for (const Mv& m : r.mvs) {
    if (m.max_move) check_positive(*m.max_move, "largest move");
  }
  check_positive(r.beat, "beat");
  check_positive(r.precision, "precision");
  std::vector<bool> mv(r.mvs.size(), false), cv(r.cvs.size(), false);
  for (const Pair& p : r.pairs) {
    const auto same = [&](const Pair& o) { return o.mv == p.mv && o.cv == p.cv; };
    if (std::ranges::count_if(r.pairs, same) > 1)
      throw Error("PLAN_NAME_TWICE", {{"name", p.mv + ":" + p.cv}});
    mv[index_of(r.mvs, p.mv)] = cv[index_of(r.cvs, p.cv)] = true;
    check_positive(p.time_constant, "time constant");
    check_positive(std::abs(p.gain), "size of the gain");
    if (!(p.dead_time >= 0)) check_positive(p.dead_time, "dead time");
  }
  for (std::size_t i = 0; i < mv.size(); ++i) {
    if (!mv[i]) throw Error("PLAN_NO_PAIR", {{"name", r.mvs[i].name}});
  }
  for (std::size_t j = 0; j < cv.size(); ++j) {
    if (!cv[j]) throw Error("PLAN_NO_PAIR", {{"name", r.cvs[j].name}});
    check_positive(r.cvs[j].noise, "noise");
  }
}

double settling_seconds(const Request& r) {
  double most = 0;
  for (const Pair& p : r.pairs) most = std::max(most, p.dead_time + 4 * p.time_constant);
  return most;
}

/// Σ |K| a over the MVs of each CV.
std::vector<double> bounds(const Request& r, const std::vector<double>& amplitudes) {
  std::vector<double> out(r.cvs.size(), 0);
  for (const Pair& p : r.pairs) {
    out[index_of(r.cvs, p.cv)] += std::abs(p.gain) * amplitudes[index_of(r.mvs, p.mv)];
  }
  return out;
}

double room_of(double now, double low, double high, double free, const std::string& name) {
  const double room = std::min(high - now, now - low) - free;
  if (!(room > 0)) {
    throw Error("PLAN_NO_ROOM",
                {{"name", name}, {"value", now}, {"low", low}, {"high", high}, {"free", free}});
  }
  return room;
}

/// The three leading digits: set values that a person can type, never a larger move.
double rounded_down(double amplitude) {
  const double unit = std::pow(10.0, std::floor(std::log10(amplitude)) - 2);
  return std::floor(amplitude / unit * (1 + 1e-12)) * unit;
}

std::vector<double> choose_amplitudes(const Request& r) {
  std::vector<double> out;
  for (const Mv& mv : r.mvs) {
    const double room = room_of(mv.now, mv.low, mv.high, 0, mv.name);
    out.push_back(mv.max_move ? std::min(room, *mv.max_move / 2) : room);
  }
  // Each CV scales its MVs down; what another CV has taken already only helps.
  for (std::size_t j = 0; j < r.cvs.size(); ++j) {
    const Cv& cv = r.cvs[j];
    const double room = room_of(cv.now, cv.low, cv.high, kNoiseRoom * cv.noise, cv.name);
    const double reach = bounds(r, out)[j];
    if (reach <= room) continue;
    for (std::size_t m = 0; m < r.mvs.size(); ++m) {
      const bool moves = std::ranges::any_of(
          r.pairs, [&](const Pair& p) { return p.cv == cv.name && p.mv == r.mvs[m].name; });
      if (moves) out[m] *= room / reach;
    }
  }
  for (double& amplitude : out) amplitude = rounded_down(amplitude);
  return out;
}

/// ±1 per MV, at rest (+1) never: switches at random with mean distance `hold`.
Matrix binary_noise(Index steps, Index mvs, Index hold, std::uint32_t seed) {
  math::Random random(seed);
  Matrix out(steps, mvs);
  for (Index m = 0; m < mvs; ++m) {
    double level = random.uniform() < 0.5 ? -1 : 1;
    for (Index t = 0; t < steps; ++t) {
      if (t > 0 && random.uniform() * static_cast<double>(hold) < 1) level = -level;
      out(t, m) = level;
    }
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
    Matrix u = binary_noise(steps, mvs, hold, r.seed * 1000 + i);
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

Matrix response(const Request& r, const Pair& p, const Eigen::Ref<const Vector>& deviation) {
  const identify::LagPair lag{0, 1, p.time_constant / r.beat, 0, p.dead_time / r.beat};
  return identify::lag_response(with_rest(deviation), lag).bottomRows(deviation.size());
}

void simulate(const Request& r, Plan& out) {
  const Index steps = out.moves.rows();
  out.predicted.resize(steps, static_cast<Index>(r.cvs.size()));
  out.excursions.clear();
  out.precisions.clear();
  const std::vector<double> reach = bounds(r, out.amplitudes);
  for (std::size_t j = 0; j < r.cvs.size(); ++j) {
    const Cv& cv = r.cvs[j];
    Vector y = Vector::Constant(steps, cv.now);
    std::vector<const Pair*> pairs;
    for (const Pair& p : r.pairs) {
      if (p.cv == cv.name) pairs.push_back(&p);
    }
    const auto n = static_cast<Index>(pairs.size());
    Matrix slope(steps, 3 * n + 1);  // K, τ, θ of each, and the constant
    slope.rightCols(1).setOnes();
    for (Index i = 0; i < n; ++i) {
      const Pair& p = *pairs[static_cast<std::size_t>(i)];
      const std::size_t m = index_of(r.mvs, p.mv);
      const Vector deviation = out.moves.col(static_cast<Index>(m)).array() - r.mvs[m].now;
      const Matrix g = response(r, p, deviation);
      y += p.gain * g.col(0);
      slope.col(3 * i) = g.col(0);
      slope.col(3 * i + 1) = p.gain * g.col(1);
      slope.col(3 * i + 2) = p.gain * g.col(3);
    }
    out.predicted.col(static_cast<Index>(j)) = y;
    out.excursions.push_back({cv.name, y.minCoeff(), y.maxCoeff(), reach[j]});
    const Vector scale = slope.colwise().norm().cwiseMax(1e-300).cwiseInverse();
    const Matrix scaled = slope * scale.asDiagonal();
    const auto factor = math::Cholesky::of(scaled.transpose() * scaled);
    const Matrix inverse = factor ? factor->inverse() : Matrix();
    for (Index i = 0; i < n; ++i) {
      const Pair& p = *pairs[static_cast<std::size_t>(i)];
      const double error =
          factor ? cv.noise * std::sqrt(inverse(3 * i, 3 * i)) * scale(3 * i) : INFINITY;
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
  shared.settling_steps = static_cast<Index>(std::ceil(settling_seconds(r) / r.beat));
  shared.switch_steps = std::max<Index>(shared.settling_steps / 4, 1);
  shared.amplitudes = choose_amplitudes(r);
  const auto shortest = static_cast<Index>(kSettlings) * std::max<Index>(shared.settling_steps, 2);
  const auto too_long = [&](double steps) {
    if (steps <= kMostSteps) return;
    throw Error("PLAN_TOO_LONG", {{"steps", steps}, {"limit", kMostSteps}});
  };
  Index steps = r.steps.value_or(shortest);
  too_long(static_cast<double>(steps));
  Plan out = of_length(r, steps, shared);
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
