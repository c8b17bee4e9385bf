#include "optimise/resimulate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/checks.h"
#include "optimise/estimator.h"

namespace flyball::optimise {
namespace {

using Rows = std::vector<std::vector<double>>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kAllowed = 1e-6;

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
  for (std::int64_t k = 0; k <= p.horizon; ++k) {
    for (std::size_t c = 0; c < in.size(); ++c) {
      const auto i = static_cast<std::size_t>(m.channels[c].input);
      in[c] = input(p, plan, i, k - m.channels[c].delay) - m.u0(m.channels[c].input);
    }
    if (k > 0) {
      std::vector<double> y(p.cv.size());
      for (std::size_t j = 0; j < y.size(); ++j) {
        const auto row = static_cast<Index>(j);
        y[j] = m.g(row) + start.y_shift(row);
        for (Index i = 0; i < n; ++i) y[j] += m.C(row, i) * x[static_cast<std::size_t>(i)];
        for (std::size_t c = 0; c < in.size(); ++c) y[j] += m.D(row, static_cast<Index>(c)) * in[c];
      }
      out.push_back(std::move(y));
    }
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
    for (std::int64_t k = 0; k < p.horizon; ++k)
      largest = std::max(largest, std::abs(moved[static_cast<std::size_t>(k)][j] -
                                           zero[static_cast<std::size_t>(k)][j]));
    for (std::int64_t k = 1; k < first; ++k) {
      const auto at = static_cast<std::size_t>(k - 1);
      if (std::abs(moved[at][j] - zero[at][j]) > 1e-9 * largest) first = k;
    }
  }
  return first;
}

/// A limit over the horizon: distance(k) at k = 1..P, infinite where there is none.
template <class F>
void put(Resimulated& out, const std::string& id, bool hard, double range, const F& distance,
         std::int64_t horizon) {
  ConstraintItem item;
  item.id = id;
  item.kind = hard ? ConstraintKind::hard : ConstraintKind::soft;
  item.margin = kInfinity;
  for (std::int64_t k = horizon; k >= 1; --k) {
    const double d = distance(static_cast<std::size_t>(k - 1));
    if (d < item.margin) item.margin = d;
    if (d < -kAllowed * range) item.first_violation_step = k;
  }
  if (item.margin == kInfinity) return;
  item.passed = !item.first_violation_step.has_value();
  if (hard && !item.passed) out.feasible = false;
  out.constraints.push_back(item);
}

double train_range(const TrainRange& t) {
  return std::max(t.std, t.max - t.min);
}

void mv_limits(const ProblemIr& p, std::size_t i, const Rows& u, Resimulated& out) {
  const MvTerm& mv = p.mv[i];
  double low = mv.min;
  double high = mv.max;
  if (mv.train.min < mv.train.max) {
    low = std::max(low, mv.train.min);
    high = std::min(high, mv.train.max);
  }
  std::vector<double> reach(u.size());  // how far the moves up to a step can go
  for (std::size_t k = 0; k < u.size(); ++k) {
    std::int64_t moves = 0;
    if (p.blocks.empty()) {
      moves = std::min<std::int64_t>(p.control_horizon, static_cast<std::int64_t>(k) + 1);
    } else {
      for (const std::int64_t b : p.blocks) moves += b <= static_cast<std::int64_t>(k) ? 1 : 0;
    }
    reach[k] = mv.available ? static_cast<double>(moves) * mv.max_move : 0.0;
  }
  const double range = train_range(mv.train);
  const double most = mv.available ? mv.max_move : 0.0;
  put(
      out, mv.var_id + ".min", true, range,
      [&](std::size_t k) { return u[k][i] - std::min(low, p.u_prev[i] + reach[k]); }, p.horizon);
  put(
      out, mv.var_id + ".max", true, range,
      [&](std::size_t k) { return std::max(high, p.u_prev[i] - reach[k]) - u[k][i]; }, p.horizon);
  put(
      out, mv.var_id + ".maxMove", true, range,
      [&](std::size_t k) { return most - std::abs(u[k][i] - (k > 0 ? u[k - 1][i] : p.u_prev[i])); },
      p.horizon);
}

double soft(const std::vector<double>& steps, std::optional<double> one, std::size_t k,
            double none) {
  return steps.empty() ? one.value_or(none) : steps[k];
}

void cv_limits(const ProblemIr& p, std::size_t j, std::int64_t first, const Rows& y,
               Resimulated& out) {
  const CvTerm& cv = p.cv[j];
  const double range = train_range(cv.train);
  const auto margin = [&](std::size_t k) { return cv.margin.empty() ? kInfinity : cv.margin[k]; };
  const auto early = [&](std::size_t k) { return static_cast<std::int64_t>(k) + 1 < first; };
  const auto above = [&](std::size_t k) {
    return cv.hard_min && !early(k) ? y[k][j] - *cv.hard_min : kInfinity;
  };
  const auto below = [&](std::size_t k) {
    return cv.hard_max && !early(k) ? *cv.hard_max - y[k][j] : kInfinity;
  };
  put(out, cv.var_id + ".hardMin", true, range, above, p.horizon);
  put(out, cv.var_id + ".hardMax", true, range, below, p.horizon);
  if (!cv.margin.empty()) {
    put(
        out, cv.var_id + ".hardMin+margin", false, range,
        [&](std::size_t k) { return above(k) == kInfinity ? kInfinity : above(k) - margin(k); },
        p.horizon);
    put(
        out, cv.var_id + ".hardMax+margin", false, range,
        [&](std::size_t k) { return below(k) == kInfinity ? kInfinity : below(k) - margin(k); },
        p.horizon);
  }
  put(
      out, cv.var_id + ".softMin", false, range,
      [&](std::size_t k) { return y[k][j] - soft(cv.soft_min_steps, cv.soft_min, k, -kInfinity); },
      p.horizon);
  put(
      out, cv.var_id + ".softMax", false, range,
      [&](std::size_t k) { return soft(cv.soft_max_steps, cv.soft_max, k, kInfinity) - y[k][j]; },
      p.horizon);
  put(
      out, cv.var_id + ".valid", false, range,
      [&](std::size_t k) { return std::min(cv.train.max - y[k][j], y[k][j] - cv.train.min); },
      p.horizon);
}

/// J as problem.h writes it.
double cost_of(const ProblemIr& p, const Rows& u, const Rows& y) {
  double total = 0;
  for (std::size_t j = 0; j < p.cv.size(); ++j) {
    const CvTerm& cv = p.cv[j];
    double worst = 0;
    for (std::size_t k = 0; k < y.size(); ++k) {
      const double target = cv.refs.empty() ? cv.ref.value_or(0) : cv.refs[k];
      const double scaled = (y[k][j] - target) / cv.train.std;
      switch (cv.role) {
        case CvRole::track:
          total += cv.weight * scaled * scaled / 2;
          break;
        case CvRole::min:
          total += cv.weight * y[k][j] / cv.train.std;
          break;
        case CvRole::max:
          total -= cv.weight * y[k][j] / cv.train.std;
          break;
        case CvRole::band:
          break;
      }
      const double over = y[k][j] - soft(cv.soft_max_steps, cv.soft_max, k, kInfinity);
      const double under = soft(cv.soft_min_steps, cv.soft_min, k, -kInfinity) - y[k][j];
      const double slack = std::max(0.0, std::max(over, under)) / cv.train.std;
      worst = std::max(worst, slack);
      if (p.solver.slack == Slack::perStep)
        total += slack * (cv.soft_linear.value_or(0) + cv.soft_penalty * slack / 2);
    }
    if (p.solver.slack == Slack::perOutput)
      total += worst * (cv.soft_linear.value_or(0) + cv.soft_penalty * worst / 2);
  }
  for (std::size_t i = 0; i < p.mv.size(); ++i) {
    const MvTerm& mv = p.mv[i];
    double before = p.u_prev[i];
    for (const auto& row : u) {
      const double move = (row[i] - before) / mv.train.std;
      total += mv.move_weight * move * move / 2;
      if (mv.target)
        total += mv.target_weight * std::pow((row[i] - *mv.target) / mv.train.std, 2) / 2;
      before = row[i];
    }
  }
  return total;
}

}  // namespace

Resimulated resimulate(const ProblemIr& p, const model::LinearStateSpace& m, const Rows& controls) {
  check(p);
  model::check(m);
  check_shape("controls", static_cast<long>(controls.size()), 1, p.horizon, 1);
  const Estimator estimator(m, p.solver.disturbance, p.solver.disturbance_ratio);
  const Estimate start = p.x0 ? estimator.given(*p.x0, p.disturbance) : estimator.run(p.history);
  Resimulated out;
  out.feasible = start.inputs_known;
  for (const auto& row : controls)
    check_shape("controls row", static_cast<long>(row.size()), 1, static_cast<long>(p.mv.size()),
                1);
  out.predicted = simulate(p, m, start, controls);
  for (const auto* rows : {&controls, static_cast<const Rows*>(&out.predicted)})
    for (const auto& row : *rows)
      for (const double v : row) out.feasible = out.feasible && std::isfinite(v);
  const Rows held(static_cast<std::size_t>(p.horizon), p.u_prev);
  out.cost_hold = cost_of(p, held, simulate(p, m, start, held));
  out.cost = cost_of(p, controls, out.predicted);
  for (std::size_t i = 0; i < p.mv.size(); ++i) mv_limits(p, i, controls, out);
  for (std::size_t j = 0; j < p.cv.size(); ++j)
    cv_limits(p, j, first_answer(p, m, j), out.predicted, out);
  return out;
}

}  // namespace flyball::optimise
