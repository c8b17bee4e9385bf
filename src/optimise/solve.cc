#include "optimise/solve.h"

#include <chrono>
#include <cmath>

#include "core/checks.h"
#include "optimise/plans.h"

namespace flyball::optimise {
namespace {

using Rows = std::vector<std::vector<double>>;

Rows rows_of(const Matrix& m) {
  Rows out;
  for (Index r = 0; r < m.rows(); ++r) {
    const Vector row = m.row(r).transpose();
    out.emplace_back(row.data(), row.data() + row.size());
  }
  return out;
}

/// One solve: what its parts share.
class Run {
 public:
  Run(const ProblemIr& p, const model::LinearStateSpace& m, Setup& setup,
      const std::stop_token& stop)
      : p_(p), m_(m), setup_(setup), engine_(setup.engine), stop_(stop), plans_(p, setup, free_) {}

  SolveResult go() {
    const Estimate at =
        p_.x0 ? setup_.estimator.given(*p_.x0, p_.disturbance) : setup_.estimator.run(p_.history);
    describe(at);
    if (!at.inputs_known) {
      out_.status = SolveStatus::error;
      out_.reasons.push_back(words({"MPC_INPUT_MISSING", {}}));
      return out_;
    }
    free_ = free_response(m_, p_, at);
    put_start();
    engine_.set_iteration_limit(p_.solver.max_iterations);
    Ranked ranked(p_, setup_.tiers, engine_);
    const RankedAnswer answer = ranked.solve();
    out_.diagnostics.iterations = answer.iterations;
    if (answer.answer == Answer::infeasible) return refuse();
    optimum(answer.answer == Answer::limit);
    others(ranked);
    settle(answer);
    return out_;
  }

 private:
  void describe(const Estimate& at) {
    Diagnostics& d = out_.diagnostics;
    d.state.assign(at.x.data(), at.x.data() + at.x.size());
    d.disturbance.assign(at.d.data(), at.d.data() + at.d.size());
    for (const Index j : at.missing) d.missing.push_back(p_.cv[static_cast<std::size_t>(j)].var_id);
    double far = 0;
    const auto see = [&](const TrainRange& train, double x) {
      far = std::max(far, std::abs(x - train.mean) / train.std);
    };
    for (std::size_t m = 0; m < p_.mv.size(); ++m) see(p_.mv[m].train, p_.u_prev[m]);
    if (!p_.history.empty())
      for (std::size_t j = 0; j < p_.cv.size(); ++j)
        if (p_.history.back().y[j]) see(p_.cv[j].train, *p_.history.back().y[j]);
    d.input_distance = far;
  }

  /// [z | y] of the optimum without limits.
  void put_start() {
    const Shape& s = setup_.condensed->shape();
    Doubles e(s.rows);
    std::vector<double> gap;
    for (std::size_t m = 0; m < p_.mv.size(); ++m)
      gap.push_back(p_.mv[m].target ? p_.u_prev[m] - *p_.mv[m].target : 0.0);
    for (Index j = 0; j < s.cvs; ++j) {
      const CvTerm& cv = p_.cv[static_cast<std::size_t>(j)];
      for (Index k = 0; k < s.horizon; ++k) {
        const double ref =
            cv.refs.empty() ? cv.ref.value_or(0.0) : cv.refs[static_cast<std::size_t>(k)];
        e[j * s.p4 + k] = free_(k, j) - ref;
      }
    }
    double* start = engine_.start();
    setup_.condensed->optimum(e.data(), gap.data(), start, start + s.y_at());
    for (Index j = 0; j < s.cvs; ++j)
      for (Index k = 0; k < s.horizon; ++k) start[s.y_at() + j * s.p4 + k] += free_(k, j);
  }

  SolveResult refuse() {
    check_stop(stop_);
    out_.status = SolveStatus::infeasible;
    out_.infeasible = infeasible_limits(p_, setup_, engine_.start(), out_.reasons);
    return out_;
  }

  void add(const std::string& label, const Trajectory& t) {
    const Judged j = judge(p_, t, setup_.first_step);
    Candidate c;
    c.seq = static_cast<std::int64_t>(out_.candidates.size());
    c.label = label;
    c.controls = rows_of(t.controls);
    c.predicted = rows_of(t.predicted);
    c.cost = j.cost;
    c.constraints = j.constraints;
    c.feasible = j.feasible;
    out_.candidates.push_back(std::move(c));
  }

  void optimum(bool clipped) {
    best_ = plans_.answer();
    out_.relaxed = relaxed_limits(p_, best_);
    out_.diagnostics.trajectory_distance = largest_distance(p_, best_);
    add("optimum", best_);
    if (clipped) return;
    out_.diagnostics.prices = shadow_prices(p_, setup_.tiers, engine_);
    residuals();
  }

  /// H(z − z0) + Aᵀλ and λ·slack from the problem's data.
  void residuals() {
    const Shape& s = setup_.condensed->shape();
    const Vector z = Eigen::Map<const Vector>(engine_.z(), s.n);
    const Vector z0 = Eigen::Map<const Vector>(engine_.start(), s.n);
    const Matrix& h = setup_.condensed->hessian();
    Vector left = h * (z - z0);
    Doubles e(s.rows), g(s.n4);
    double complementarity = 0;
    const WorkingSet& set = engine_.set();
    for (Index i = 0; i < set.size(); ++i) {
      const Constraint& c = set.at(i);
      if (c.row < 0) continue;
      const double push = c.side * set.multiplier(i);
      double value = 0;
      if (c.tier >= 0) {
        e[c.row - s.y_at()] += push;
        value = engine_.y()[c.row - s.y_at()];
      } else if (c.row < s.n) {
        left(c.row) += push;
        value = z(c.row);
      } else {
        for (Index l = (c.row - s.u_at()) % s.mvs; l <= c.row - s.u_at(); l += s.mvs)
          left(l) += push;
        value = engine_.u()[c.row - s.u_at()];
      }
      const double slack = c.slack < 0 ? 0.0 : engine_.slack(c.slack);
      complementarity =
          std::max(complementarity, std::abs(push * (c.side * (value - c.bound) - slack)));
    }
    setup_.condensed->transposed(e.data(), g.data());
    left += Eigen::Map<const Vector>(g.data(), s.n);
    Residuals& r = out_.diagnostics.residuals;
    r.stationarity = left.cwiseAbs().maxCoeff() / (1 + (h * z0).cwiseAbs().maxCoeff());
    r.complementarity = complementarity / (1 + std::abs(out_.candidates.front().cost));
    for (const ConstraintItem& c : out_.candidates.front().constraints)
      if (c.kind == ConstraintKind::hard) r.primal = std::max(r.primal, -c.margin / scale_of(c.id));
  }

  [[nodiscard]] double scale_of(const std::string& id) const {
    const std::string var = id.substr(0, id.rfind('.'));
    for (const MvTerm& m : p_.mv)
      if (m.var_id == var) return range_of(m.train);
    for (const CvTerm& c : p_.cv)
      if (c.var_id == var) return range_of(c.train);
    return 1;
  }

  void others(Ranked& ranked) {
    const Vector z = plans_.moves(best_.controls);
    add("hold", plans_.of(Vector::Zero(z.size())));
    out_.diagnostics.cost_hold = out_.candidates.back().cost;
    add("halfMove", plans_.of(0.5 * z));
    for (std::size_t m = 0; m < p_.mv.size() && p_.mv.size() > 1; ++m) {
      check_stop(stop_);
      if (!p_.mv[m].available) continue;
      ranked.hold_others(static_cast<Index>(m));
      if (ranked.solve().answer != Answer::solved) continue;
      add("only:" + p_.mv[m].var_id, plans_.answer(static_cast<Index>(m)));
    }
  }

  /// True when holding keeps what the optimum keeps.
  [[nodiscard]] bool hold_is_as_safe() const {
    const Candidate& best = out_.candidates[0];
    const Candidate& hold = out_.candidates[1];
    if (!hold.feasible) return false;
    for (std::size_t i = 0; i < hold.constraints.size(); ++i) {
      const double tolerance = 1e-6 * scale_of(hold.constraints[i].id);
      if (hold.constraints[i].margin < std::min(0.0, best.constraints[i].margin) - tolerance)
        return false;
    }
    return true;
  }

  [[nodiscard]] bool moves_too_small() const {
    bool any = false;
    for (std::size_t m = 0; m < p_.mv.size(); ++m) {
      const double move = std::abs(best_.controls(0, static_cast<Index>(m)) - p_.u_prev[m]);
      if (move > (p_.mv[m].min_move.value_or(0.0))) return false;
      any = any || p_.mv[m].min_move;
    }
    return any;
  }

  void settle(const RankedAnswer& answer) {
    const double best = out_.candidates[0].cost;
    const double hold = out_.candidates[1].cost;
    const Residuals& r = out_.diagnostics.residuals;
    if (answer.answer == Answer::limit) {
      out_.status = SolveStatus::feasible;
      out_.reasons.push_back(words({"MPC_ITERATIONS", {{"limit", p_.solver.max_iterations}}}));
    } else if (std::max({r.primal, r.stationarity, r.complementarity}) > p_.solver.eps) {
      out_.status = SolveStatus::feasible;
      out_.reasons.push_back(
          words({"MPC_INACCURATE",
                 {{"residual", std::max({r.primal, r.stationarity, r.complementarity})},
                  {"limit", p_.solver.eps}}}));
    } else {
      out_.status = SolveStatus::optimal;
    }
    const bool saves = hold - best > p_.solver.min_improvement * std::max(std::abs(hold), 1e-12);
    if (hold_is_as_safe() && (!saves || moves_too_small())) {
      out_.status = SolveStatus::noChange;
      out_.reasons.push_back(words({"MPC_NO_CHANGE", {{"saving", hold - best}, {"hold", hold}}}));
    }
  }

  const ProblemIr& p_;
  const model::LinearStateSpace& m_;
  Setup& setup_;
  MpcEngine& engine_;
  const std::stop_token& stop_;
  Matrix free_;
  Plans plans_;
  Trajectory best_;
  SolveResult out_;
};

}  // namespace

SolveResult Solver::solve(const ProblemIr& problem, const model::LinearStateSpace& model,
                          const std::stop_token& stop) {
  check(problem);
  check_stop(stop);
  bool built = false;
  Setup& setup = cache_.find(problem, model, built);
  setup.engine.restart();
  const auto from = std::chrono::steady_clock::now();
  SolveResult out = Run(problem, model, setup, stop).go();
  out.diagnostics.elapsed_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - from).count();
  out.diagnostics.setup_ms = built ? setup.setup_ms : 0.0;
  if (out.diagnostics.elapsed_ms > problem.solver.time_limit_ms) {
    out.status = SolveStatus::timeout;
    out.reasons.push_back(words({"MPC_TIMEOUT",
                                 {{"elapsed", out.diagnostics.elapsed_ms, "ms"},
                                  {"limit", problem.solver.time_limit_ms, "ms"}}}));
  }
  return out;
}

SolveResult solve(const ProblemIr& problem, const model::LinearStateSpace& model,
                  const std::stop_token& stop) {
  return Solver().solve(problem, model, stop);
}

}  // namespace flyball::optimise
