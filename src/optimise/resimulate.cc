#include "optimise/resimulate.h"

#include <algorithm>
#include <cmath>

#include "core/checks.h"
#include "optimise/estimator.h"
#include "optimise/recount.h"

namespace flyball::optimise {
namespace {

using Rows = std::vector<std::vector<double>>;

/// Input i at step t + at, the plan for MVs from t on.
double input(const ProblemIr& p, const Rows& plan, std::size_t i, std::int64_t at) {
  const auto rows = static_cast<std::int64_t>(p.history.size());
  const bool mv = i < p.mv.size();
  if (at >= 0 && mv) return plan[std::min(static_cast<std::size_t>(at), plan.size() - 1)][i];
  if (at >= 0) {
    const auto& forecast = p.dv[i - p.mv.size()].forecast;
    if (!forecast.empty())
      return forecast[std::min(static_cast<std::size_t>(at), forecast.size() - 1)];
    at = -1;
  }
  if (rows == 0) return mv ? p.u_prev[i] : p.dv[i - p.mv.size()].train.mean;
  return p.history[static_cast<std::size_t>(std::max<std::int64_t>(0, rows + at))].u[i].value_or(
      std::nan(""));
}

Rows simulate(const ProblemIr& p, const model::LinearStateSpace& m, const Estimate& start,
              const Rows& plan) {
  const Index n = m.A.rows();
  std::vector<double> x(start.x.data(), start.x.data() + n);
  std::vector<double> next(x.size());
  std::vector<double> in(m.channels.size());
  Rows out;
  for (std::int64_t k = 0; k <= p.horizon; ++k) {  // the first row: before any move
    for (std::size_t c = 0; c < in.size(); ++c) {
      const auto i = static_cast<std::size_t>(m.channels[c].input);
      in[c] = input(p, plan, i, k - m.channels[c].delay) - m.u0(m.channels[c].input);
    }
    std::vector<double> y(p.cv.size());
    for (std::size_t j = 0; j < y.size(); ++j) {
      const auto row = static_cast<Index>(j);
      y[j] = m.g(row) + start.y_shift(row);
      for (Index i = 0; i < n; ++i) y[j] += m.C(row, i) * x[static_cast<std::size_t>(i)];
      for (std::size_t c = 0; c < in.size(); ++c) y[j] += m.D(row, static_cast<Index>(c)) * in[c];
    }
    out.push_back(std::move(y));
    for (Index i = 0; i < n; ++i) {
      double sum = m.f(i) + start.x_shift(i);
      for (Index l = 0; l < n; ++l) sum += m.A(i, l) * x[static_cast<std::size_t>(l)];
      for (std::size_t c = 0; c < in.size(); ++c) sum += m.B(i, static_cast<Index>(c)) * in[c];
      next[static_cast<std::size_t>(i)] = sum;
    }
    x.swap(next);
  }
  return out;
}

/// First k = 1.. at which CV j has answered a unit step of some MV.
std::int64_t first_answer(const ProblemIr& p, const model::LinearStateSpace& m, std::size_t j) {
  ProblemIr q = p;
  q.history.clear();
  q.u_prev.assign(p.mv.size(), 0.0);
  for (DvTerm& d : q.dv) d.forecast.assign(1, 0.0);
  Estimate rest;
  rest.x = Vector::Zero(m.A.rows());
  rest.x_shift = rest.x;
  rest.y_shift = Vector::Zero(m.C.rows());
  const Rows zero = simulate(q, m, rest, Rows(1, std::vector<double>(p.mv.size(), 0.0)));
  std::int64_t first = p.horizon + 1;
  for (std::size_t u = 0; u < p.mv.size(); ++u) {
    std::vector<double> one(p.mv.size(), 0.0);
    one[u] = 1;
    q.u_prev.assign(p.mv.size(), 0.0);
    const Rows moved = simulate(q, m, rest, Rows(1, one));
    double largest = 0;
    for (std::int64_t k = 1; k <= p.horizon; ++k)
      largest = std::max(largest, std::abs(moved[static_cast<std::size_t>(k)][j] -
                                           zero[static_cast<std::size_t>(k)][j]));
    for (std::int64_t k = 1; k < first; ++k) {
      const auto at = static_cast<std::size_t>(k);
      if (std::abs(moved[at][j] - zero[at][j]) > 1e-9 * largest) first = k;
    }
  }
  return first;
}

/// Hard CV limits that the newest measured value or y(t) breaks (see broken_now.h).
void mark_broken(ProblemIr& p, const std::vector<double>& now) {
  for (std::size_t j = 0; j < p.cv.size(); ++j) {
    CvTerm& cv = p.cv[j];
    std::vector<double> seen{now[j]};
    if (!p.history.empty() && p.history.back().y[j]) seen.push_back(*p.history.back().y[j]);
    const double allowed = 1e-6 * std::max(cv.train.std, cv.train.max - cv.train.min);
    const bool asked = p.solver.broken_now == BrokenNow::comeBack;
    cv.below_now = cv.above_now = false;
    for (const double y : seen) {
      if (asked && cv.hard_min && *cv.hard_min - y > allowed) cv.below_now = true;
      if (asked && cv.hard_max && y - *cv.hard_max > allowed) cv.above_now = true;
    }
  }
}

}  // namespace

Resimulated resimulate(const ProblemIr& problem, const model::LinearStateSpace& m,
                       const Rows& controls) {
  check(problem);
  model::check(m);
  ProblemIr p = problem;
  check_shape("controls", static_cast<long>(controls.size()), 1, p.horizon, 1);
  const Estimator estimator(m, p.solver.disturbance, p.solver.disturbance_ratio);
  const Estimate start = p.x0 ? estimator.given(*p.x0, p.disturbance) : estimator.run(p.history);
  Resimulated out;
  out.feasible = start.inputs_known;
  for (const auto& row : controls)
    check_shape("controls row", static_cast<long>(row.size()), 1, static_cast<long>(p.mv.size()),
                1);
  Rows seen = simulate(p, m, start, controls);
  if (start.inputs_known) mark_broken(p, seen.front());
  out.predicted.assign(seen.begin() + 1, seen.end());
  for (const auto* rows : {&controls, static_cast<const Rows*>(&out.predicted)})
    for (const auto& row : *rows)
      for (const double v : row) out.feasible = out.feasible && std::isfinite(v);
  const Rows held(static_cast<std::size_t>(p.horizon), p.u_prev);
  Resimulated hold;
  seen = simulate(p, m, start, held);
  hold.predicted.assign(seen.begin() + 1, seen.end());
  out.cost_hold = cost_of(p, held, hold.predicted);
  out.cost = cost_of(p, controls, out.predicted);
  std::vector<std::int64_t> first;
  for (std::size_t j = 0; j < p.cv.size(); ++j) first.push_back(first_answer(p, m, j));
  add_limits(p, first, controls, out);
  add_limits(p, first, held, hold);
  compare_with_hold(hold, out);
  add_distances(p, controls, out);
  return out;
}

}  // namespace flyball::optimise
