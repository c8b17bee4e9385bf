// steady_response@1: the same cost and limits with y = f(u), f a static surface.
//
// Sequential quadratic programs: at u the surfaces and their leverages are linear, the cost has its
// Hessian (what is not convex in it left out), limits may give way by slacks that weigh more than
// any multiplier met so far; a step is halved until the merit J + weight · violations falls. One
// start is enough where the problem is convex: surfaces that are tracked are linear, those to be
// low and those with upper limits bend upwards, the others downwards. Else 16 seeded starts over
// the box and the present point; the spread of what they end at is told.
#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/checks.h"
#include "math/random.h"
#include "optimise/distance.h"
#include "optimise/in_units.h"
#include "optimise/solve.h"
#include "optimise/static_problem.h"

namespace flyball::optimise {
namespace {

constexpr int kStarts = 16;

void add(SolveResult& out, const StaticProblem& problem, const std::string& label,
         const Vector& u) {
  const Trajectory t = problem.at(u);
  const Judged j = problem.judged(u);
  const Vector y = t.predicted.row(0).transpose();
  out.candidates.push_back({static_cast<std::int64_t>(out.candidates.size()),
                            label,
                            {{u.data(), u.data() + u.size()}},
                            {{y.data(), y.data() + y.size()}},
                            j.cost,
                            j.constraints,
                            j.feasible});
}

/// The MV whose move is the smallest part of its minMove; −1: none is too small.
Index smallest(const ProblemIr& p, const Vector& u) {
  double part = 1 - 1e-9;
  Index out = -1;
  for (std::size_t m = 0; m < p.mv.size(); ++m) {
    const auto least = least_move(p, m);
    const auto at = static_cast<Index>(m);
    const double move = std::abs(u(at) - p.u_prev[m]);
    if (!least || move <= kStays * range_of(p.mv[m].train) || move >= part * *least) continue;
    part = move / *least;
    out = at;
  }
  return out;
}

}  // namespace

SolveResult solve(const ProblemIr& p, const model::StaticResponse& m, const std::stop_token& stop) {
  check(p);
  model::check(m);
  check_shape("inputs of the model", m.inputs(), 1, static_cast<long>(p.mv.size() + p.dv.size()),
              1);
  check_shape("CVs of the model", m.outputs(), 1, static_cast<long>(p.cv.size()), 1);
  const auto from = std::chrono::steady_clock::now();
  const auto elapsed = [&] {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - from)
        .count();
  };
  StaticProblem problem(p, m);
  const auto nu = static_cast<Index>(p.mv.size());
  const Vector here = Eigen::Map<const Vector>(p.u_prev.data(), nu);
  std::vector<Vector> ends{
      problem.descend(here.cwiseMax(problem.low).cwiseMin(problem.high), stop)};
  const bool convex = problem.convex() && !problem.at_border(ends[0]);
  math::Random random(static_cast<std::uint32_t>(p.seed));
  bool late = false;
  for (int i = 0; i < kStarts && !convex && !late; ++i) {
    Vector u(nu);
    for (Index k = 0; k < nu; ++k) u(k) = random.uniform(problem.low(k), problem.high(k));
    ends.push_back(problem.descend(u, stop));
    late = elapsed() > p.solver.time_limit_ms;
  }
  const auto merit = [&](const Vector& u) { return problem.merit(u); };
  Vector best = *std::min_element(ends.begin(), ends.end(), [&](const Vector& a, const Vector& b) {
    return merit(a) < merit(b);
  });
  double worst = merit(best);
  for (const Vector& u : ends) worst = std::max(worst, merit(u));
  SolveResult out;
  for (Index i = smallest(p, best); i >= 0; i = smallest(p, best)) {  // minMove: see least_move.h
    const MvTerm& mv = p.mv[static_cast<std::size_t>(i)];
    out.reasons.push_back(words({"MPC_MIN_MOVE",
                                 {{"mv", mv.var_id},
                                  difference_in_units("move", best(i) - here(i), mv),
                                  difference_in_units("limit", *mv.min_move, mv)}}));
    problem.low(i) = problem.high(i) = here(i);
    best(i) = here(i);
    best = problem.descend(best, stop);
  }
  out.diagnostics.gap = worst - merit(best);
  out.diagnostics.iterations = static_cast<std::int64_t>(ends.size());
  add(out, problem, "optimum", best);
  add(out, problem, "hold", here);
  add(out, problem, "halfMove", 0.5 * (best + here));
  out.diagnostics.cost_hold = out.candidates[1].cost;
  const Distances now = distances_now(p), along = distances_along(p, problem.at(best));
  out.diagnostics.input_distance = now.box;
  out.diagnostics.mahalanobis = now.mahalanobis;
  out.diagnostics.trajectory_distance = along.box;
  out.diagnostics.trajectory_mahalanobis = along.mahalanobis;
  const bool holds = !model::outside(m, problem.full(best)).has_value();
  if (!holds || !out.candidates[0].feasible) {
    out.status = SolveStatus::infeasible;
    out.reasons.push_back(
        holds ? words({"REST_NONE", {{"starts", static_cast<std::int64_t>(ends.size())}}})
              : words({"REST_OUTSIDE", {}}));
    out.candidates.clear();
  } else {
    const double saved = out.candidates[1].cost - out.candidates[0].cost;
    const bool change =
        !out.candidates[1].feasible || model::outside(m, problem.full(here)).has_value() ||
        saved > p.solver.min_improvement * std::max(1e-12, std::abs(out.candidates[1].cost));
    out.status = !change  ? SolveStatus::noChange
                 : convex ? SolveStatus::optimal
                          : SolveStatus::feasible;
    if (!convex)
      out.reasons.push_back(words(
          {"REST_STARTS",
           {{"starts", static_cast<std::int64_t>(ends.size())}, {"gap", out.diagnostics.gap}}}));
    if (late)
      out.reasons.push_back(
          words({"REST_LATE", {{"limit", p.solver.time_limit_ms, "ms"}, {"all", kStarts + 1}}}));
  }
  out.diagnostics.elapsed_ms = elapsed();
  return out;
}

}  // namespace flyball::optimise
