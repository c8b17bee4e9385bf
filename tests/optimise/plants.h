#pragma once
// Small linear plants of first-order lags with dead time, a problem for each, and a plain closed
// loop.
#include <cmath>
#include <functional>

#include "optimise/problem.h"
#include "optimise/solve.h"

namespace flyball::optimise {

/// One path: gain, pole, first lag that answers; pole 1: an integrator with slope `gain`.
struct Path {
  double gain = 0, pole = 0.8;
  std::int64_t lag = 1;
};

/// paths[cv][input], MVs first. Around u0 and y0.
inline model::LinearStateSpace lags(const std::vector<std::vector<Path>>& paths, Index mvs,
                                    const std::vector<double>& u0, const std::vector<double>& y0) {
  const auto ny = static_cast<Index>(paths.size());
  const auto nu = static_cast<Index>(paths[0].size());
  const Index n = ny * nu;
  model::LinearStateSpace m;
  m.A = Matrix::Zero(n, n);
  m.B = Matrix::Zero(n, n);
  m.C = Matrix::Zero(ny, n);
  m.D = Matrix::Zero(ny, n);
  m.K = Matrix::Zero(n, ny);
  m.f = Vector::Zero(n);
  m.g = Eigen::Map<const Vector>(y0.data(), ny);
  m.u0 = Eigen::Map<const Vector>(u0.data(), nu);
  m.S = Matrix::Identity(ny, ny) * 1e-4;
  m.n_mv = mvs;
  // declared integrators stand last
  std::vector<std::pair<Index, Index>> order;
  for (const bool level : {false, true})
    for (Index j = 0; j < ny; ++j)
      for (Index i = 0; i < nu; ++i)
        if ((paths[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)].pole == 1) == level)
          order.emplace_back(j, i);
  for (Index s = 0; s < n; ++s) {
    const auto [j, i] = order[static_cast<std::size_t>(s)];
    const Path& p = paths[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)];
    m.channels.push_back({i, p.lag - 1});
    m.A(s, s) = p.pole;
    m.B(s, s) = p.gain * (p.pole == 1 ? 1.0 : 1 - p.pole);
    m.C(j, s) = 1;
    if (p.pole != 1) continue;
    ++m.integrators;
    m.K(s, j) = 0.3;
  }
  return m;
}

inline ProblemIr problem_for(const model::LinearStateSpace& m, std::int64_t horizon,
                             std::int64_t moves) {
  ProblemIr p;
  p.model_id = "mdl-test";
  p.model_artifact_hash = std::string(64, '0');
  p.beat_ms = 1000;
  p.horizon = horizon;
  p.control_horizon = moves;
  for (Index i = 0; i < m.n_mv; ++i) {
    MvTerm mv;
    mv.var_id = "MV" + std::to_string(i + 1);
    mv.min = m.u0(i) - 5;
    mv.max = m.u0(i) + 5;
    mv.max_move = 2;
    mv.move_weight = 0.1;
    mv.train = {m.u0(i), 1, m.u0(i) - 5, m.u0(i) + 5};
    p.mv.push_back(mv);
    p.u_prev.push_back(m.u0(i));
  }
  for (Index i = m.n_mv; i < m.inputs(); ++i) {
    DvTerm dv;
    dv.var_id = "DV" + std::to_string(i - m.n_mv + 1);
    dv.train = {m.u0(i), 1, m.u0(i) - 5, m.u0(i) + 5};
    p.dv.push_back(dv);
  }
  for (Index j = 0; j < m.outputs(); ++j) {
    CvTerm cv;
    cv.var_id = "CV" + std::to_string(j + 1);
    cv.ref = m.g(j);
    cv.train = {m.g(j), 1, m.g(j) - 20, m.g(j) + 20};
    p.cv.push_back(cv);
  }
  HistoryRow row;
  for (Index i = 0; i < m.inputs(); ++i) row.u.emplace_back(m.u0(i));
  for (Index j = 0; j < m.outputs(); ++j) row.y.emplace_back(m.g(j));
  p.history.assign(static_cast<std::size_t>(m.max_delay()) + 80, row);
  return p;
}

/// A plant of the same kind that runs by itself.
class PlantRun {
 public:
  explicit PlantRun(model::LinearStateSpace m) : m_(std::move(m)), x_(Vector::Zero(m_.states())) {
    past_.assign(static_cast<std::size_t>(m_.max_delay()) + 1, m_.u0);
  }
  /// y at this step (before u acts), plus what disturbs the output.
  [[nodiscard]] Vector measure() const { return m_.C * x_ + m_.g + shift; }
  /// u: MVs and DVs; `load` adds to the inputs.
  void advance(const Vector& u) {
    past_.push_back(u + (load.size() > 0 ? load : Vector(Vector::Zero(u.size()))));
    Vector in(static_cast<Index>(m_.channels.size()));
    for (std::size_t c = 0; c < m_.channels.size(); ++c) {
      const auto& channel = m_.channels[c];
      in(static_cast<Index>(c)) =
          past_[past_.size() - 1 - static_cast<std::size_t>(channel.delay)](channel.input) -
          m_.u0(channel.input);
    }
    x_ = m_.A * x_ + m_.B * in + m_.f;
  }
  Vector shift = Vector::Zero(1), load;

 private:
  model::LinearStateSpace m_;
  Vector x_;
  std::vector<Vector> past_;
};

struct LoopResult {
  Matrix u, y;  ///< steps × MVs, steps × CVs
  std::vector<SolveStatus> status;
};

/// Solves at every step and applies the first move; `before` may change problem and plant.
inline LoopResult closed_loop(
    ProblemIr p, const model::LinearStateSpace& m, PlantRun plant, Index steps,
    const std::function<void(Index, ProblemIr&, PlantRun&)>& before = {}) {
  LoopResult out{Matrix(steps, m.n_mv), Matrix(steps, m.outputs()), {}};
  Solver solver;
  if (plant.shift.size() != m.outputs()) plant.shift = Vector::Zero(m.outputs());
  for (Index t = 0; t < steps; ++t) {
    if (before) before(t, p, plant);
    const SolveResult r = solver.solve(p, m);
    out.status.push_back(r.status);
    Vector u(m.inputs());
    for (Index i = 0; i < m.n_mv; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const bool moves = !r.candidates.empty() && r.status != SolveStatus::noChange;
      if (moves && p.mv[at].available) p.u_prev[at] = r.candidates[0].controls[0][at];
      u(i) = p.u_prev[at];
    }
    for (Index i = m.n_mv; i < m.inputs(); ++i)
      u(i) = p.history.back().u[static_cast<std::size_t>(i)].value_or(m.u0(i));
    const Vector y = plant.measure();
    HistoryRow row;
    for (Index i = 0; i < u.size(); ++i) row.u.emplace_back(u(i));
    for (Index j = 0; j < y.size(); ++j) row.y.emplace_back(y(j));
    p.history.erase(p.history.begin());
    p.history.push_back(row);
    plant.advance(u);
    out.u.row(t) = u.head(m.n_mv).transpose();
    out.y.row(t) = y.transpose();
  }
  return out;
}

}  // namespace flyball::optimise
