#include "optimise/solve.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/checks.h"
#include "optimise/broken_now.h"
#include "optimise/distance.h"
#include "optimise/in_units.h"
#include "optimise/least_move.h"
#include "optimise/optimality.h"
#include "optimise/plans.h"
#include "optimise/steady_state.h"

namespace flyball::optimise {
namespace {

using Rows = std::vector<std::vector<double>>;
constexpr double kBeyond = 1e-6;  ///< of σ times steps

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
  Run(const ProblemIr& p, const model::LinearStateSpace& m, const Estimate& at, Setup& setup,
      const std::stop_token& stop)
      : p_(p),
        m_(m),
        at_(at),
        setup_(setup),
        engine_(setup.engine),
        stop_(stop),
        plans_(p, setup, free_) {}

  SolveResult go() {
    describe(at_);
    if (!at_.inputs_known) {
      out_.status = SolveStatus::error;
      out_.reasons.push_back(words({"MPC_INPUT_MISSING", {}}));
      return out_;
    }
    free_ = free_response(m_, p_, at_);
    put_start();
    engine_.set_iteration_limit(p_.solver.max_iterations);
    Ranked ranked(p_, setup_.tiers, engine_);
    LeastMoves made = solve_with_least_moves(p_, ranked, engine_);
    const RankedAnswer answer = made.answer;
    out_.diagnostics.iterations = answer.iterations;
    if (answer.answer == Answer::infeasible) return refuse(made.blocks);
    out_.reasons = std::move(made.held);
    const bool late = engine_.late();
    optimum(answer.answer == Answer::limit);
    if (late) above_bound();
    others(ranked);
    late ? settle_late() : settle(answer);
    return out_;
  }

 private:
  void describe(const Estimate& at) {
    Diagnostics& d = out_.diagnostics;
    d.state.assign(at.x.data(), at.x.data() + at.x.size());
    d.disturbance.assign(at.d.data(), at.d.data() + at.d.size());
    for (const Index j : at.missing) d.missing.push_back(p_.cv[static_cast<std::size_t>(j)].var_id);
    const Distances now = distances_now(p_);
    d.input_distance = now.box;
    d.mahalanobis = now.mahalanobis;
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

  SolveResult refuse(std::optional<Index> blocks) {
    check_stop(stop_);
    out_.status = SolveStatus::infeasible;
    if (blocks) {
      const MvTerm& mv = p_.mv[static_cast<std::size_t>(*blocks)];
      out_.reasons.push_back(
          words({"MPC_MIN_MOVE_BLOCKS",
                 {{"mv", mv.var_id}, difference_in_units("limit", mv.min_move.value_or(0), mv)}}));
      return out_;
    }
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
    const Distances along = distances_along(p_, best_);
    out_.diagnostics.trajectory_distance = along.box;
    out_.diagnostics.trajectory_mahalanobis = along.mahalanobis;
    add("optimum", best_);
    if (clipped) return;
    out_.diagnostics.prices = shadow_prices(p_, setup_.tiers, engine_);
    out_.diagnostics.residuals = residuals_of(p_, setup_, out_.candidates.front());
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
      if (solve_with_least_moves(p_, ranked, engine_).answer.answer != Answer::solved) continue;
      add("only:" + p_.mv[m].var_id, plans_.answer(static_cast<Index>(m)));
    }
  }

  /// J above what no plan can fall below: the best one without limits on CVs, or where nothing is
  /// soft the last iterate, which is the best one within a part of the limits.
  void above_bound() {
    const Shape& s = setup_.condensed->shape();
    ProblemIr free = p_;
    bool soft = false;
    for (CvTerm& cv : free.cv) {
      soft = soft || cv.soft_min || cv.soft_max || !cv.soft_min_steps.empty() ||
             !cv.soft_max_steps.empty() || !cv.margin.empty();
      cv.soft_min = cv.soft_max = std::nullopt;
      cv.soft_min_steps.clear();
      cv.soft_max_steps.clear();
    }
    const double* z = soft ? engine_.start() : engine_.unclipped();
    const Trajectory best = plans_.of(Eigen::Map<const Vector>(z, s.n));
    out_.diagnostics.gap = out_.candidates.front().cost - judge(free, best, setup_.first_step).cost;
  }

  /// The time is over: the cheapest of the plans that keep every hard limit comes first.
  void settle_late() {
    out_.reasons.push_back(words({"MPC_TIMEOUT", {{"limit", p_.solver.time_limit_ms, "ms"}}}));
    const double bound = out_.candidates.front().cost - out_.diagnostics.gap;
    const auto worse = [&](const Candidate& a, const Candidate& b) {
      if (a.feasible != b.feasible) return a.feasible;
      const double beyond = beyond_of(a), other = beyond_of(b);
      return std::abs(beyond - other) > kBeyond ? beyond < other : a.cost < b.cost;
    };
    const auto best = std::ranges::min_element(out_.candidates, worse);
    if (!best->feasible) {
      out_.status = SolveStatus::timeout;
      out_.candidates.clear();
      out_.diagnostics.gap = 0;
      return;
    }
    std::rotate(out_.candidates.begin(), best, best + 1);
    for (std::size_t i = 0; i < out_.candidates.size(); ++i)
      out_.candidates[i].seq = static_cast<std::int64_t>(i);
    out_.status = SolveStatus::feasible;
    out_.diagnostics.gap = out_.candidates.front().cost - bound;
    out_.reasons.push_back(words({"MPC_GAP", {{"gap", out_.diagnostics.gap}}}));
  }

  /// True when holding keeps what the optimum keeps.
  [[nodiscard]] bool hold_is_as_safe() const {
    const Candidate& best = out_.candidates[0];
    const Candidate& hold = out_.candidates[1];
    if (!hold.feasible || beyond_of(hold) > beyond_of(best) + kBeyond) return false;
    for (std::size_t i = 0; i < hold.constraints.size(); ++i) {
      const double tolerance = 1e-6 * limit_range(p_, hold.constraints[i].id);
      if (hold.constraints[i].margin < std::min(0.0, best.constraints[i].margin) - tolerance)
        return false;
    }
    return true;
  }

  /// Beyond the limits that are broken now, over σ, summed over the steps.
  [[nodiscard]] double beyond_of(const Candidate& c) const {
    return beyond_broken(p_, c.predicted, setup_.first_step);
  }

  /// Some first move is too small to be made, and nothing else moves now.
  [[nodiscard]] bool moves_too_small(bool held) const {
    for (std::size_t m = 0; m < p_.mv.size(); ++m) {
      const double move = std::abs(best_.controls(0, static_cast<Index>(m)) - p_.u_prev[m]);
      if (move > kStays * range_of(p_.mv[m].train)) return false;
    }
    return held;
  }

  void settle(const RankedAnswer& answer) {
    const double best = out_.candidates[0].cost;
    const double hold = out_.candidates[1].cost;
    const Residuals& r = out_.diagnostics.residuals;
    const bool held = !out_.reasons.empty();  // by minMove, so far
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
    if (hold_is_as_safe() && (!saves || moves_too_small(held))) {
      out_.status = SolveStatus::noChange;
      out_.reasons.push_back(words({"MPC_NO_CHANGE", {{"saving", hold - best}, {"hold", hold}}}));
    }
  }

  const ProblemIr& p_;
  const model::LinearStateSpace& m_;
  const Estimate& at_;
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
  ProblemIr asked = with_pull(problem);
  for (MvTerm& m : asked.mv)  // as they will be: which MVs have targets decides on the set-up
    if (m.target_weight > 0 && !m.target && asks_for_rest(problem)) m.target = 0.0;
  Setup* setup = &cache_.find(asked, model, built);
  double setup_ms = built ? setup->setup_ms : 0.0;
  const auto from = std::chrono::steady_clock::now();
  const Estimate at = problem.x0 ? setup->estimator.given(*problem.x0, problem.disturbance)
                                 : setup->estimator.run(problem.history);
  std::optional<SteadyState> rest = resting_point(problem, model, at);
  asked = rest ? with_targets(problem, *rest) : problem;
  if (at.inputs_known) asked = with_broken_limits(asked, model, at);
  setup = &cache_.find(asked, model, built);
  setup_ms += built ? setup->setup_ms : 0.0;
  setup->engine.restart();
  setup->engine.set_deadline(
      from + std::chrono::duration_cast<MpcEngine::Clock::duration>(
                 std::chrono::duration<double, std::milli>(problem.solver.time_limit_ms)));
  SolveResult out = Run(asked, model, at, *setup, stop).go();
  out.rest = std::move(rest);
  out.diagnostics.elapsed_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - from).count();
  out.diagnostics.setup_ms = setup_ms;
  return out;
}

SolveResult solve(const ProblemIr& problem, const model::LinearStateSpace& model,
                  const std::stop_token& stop) {
  return Solver().solve(problem, model, stop);
}

}  // namespace flyball::optimise
