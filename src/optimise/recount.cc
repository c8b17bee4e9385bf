#include "optimise/recount.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace flyball::optimise {
namespace {

using Rows = std::vector<std::vector<double>>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kAllowed = 1e-6;

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
  const double first = std::abs(u.front()[i] - p.u_prev[i]);
  const bool may_stay = low <= p.u_prev[i] && p.u_prev[i] <= high;
  if (mv.available && may_stay && mv.min_move && *mv.min_move > 0)
    put(
        out, mv.var_id + ".minMove", true, range,
        [&](std::size_t) { return first > 1e-9 * range ? first - *mv.min_move : 0.0; }, 1);
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
  put(out, cv.var_id + ".hardMin", !cv.below_now, range, above, p.horizon);
  put(out, cv.var_id + ".hardMax", !cv.above_now, range, below, p.horizon);
  for (std::size_t k = 0; k < y.size(); ++k) {
    if (cv.below_now) out.beyond += std::max(0.0, -above(k)) / cv.train.std;
    if (cv.above_now) out.beyond += std::max(0.0, -below(k)) / cv.train.std;
  }
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

}  // namespace

double cost_of(const ProblemIr& p, const Rows& u, const Rows& y) {
  double total = 0;
  for (std::size_t j = 0; j < p.cv.size(); ++j) {
    const CvTerm& cv = p.cv[j];
    const auto penalty = [&](double slack) {
      return slack * (cv.soft_linear.value_or(0) + cv.soft_penalty * slack / 2);
    };
    double worst_over = 0;
    double worst_under = 0;
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
      if (p.problem_template == kSteadyResponse) total += cv.price * y[k][j];
      const double over =
          (y[k][j] - soft(cv.soft_max_steps, cv.soft_max, k, kInfinity)) / cv.train.std;
      const double under =
          (soft(cv.soft_min_steps, cv.soft_min, k, -kInfinity) - y[k][j]) / cv.train.std;
      worst_over = std::max(worst_over, over);
      worst_under = std::max(worst_under, under);
      if (p.solver.slack == Slack::perStep) total += penalty(std::max({0.0, over, under}));
    }
    if (p.solver.slack == Slack::perOutput) total += penalty(worst_over) + penalty(worst_under);
  }
  for (std::size_t i = 0; i < p.mv.size(); ++i) {
    const MvTerm& mv = p.mv[i];
    double before = p.u_prev[i];
    for (const auto& row : u) {
      const double move = (row[i] - before) / mv.train.std;
      total += mv.move_weight * move * move / 2;
      if (mv.target)
        total += mv.target_weight * std::pow((row[i] - *mv.target) / mv.train.std, 2) / 2;
      if (p.problem_template == kSteadyResponse) total += mv.price * row[i];
      before = row[i];
    }
  }
  return total;
}

void add_limits(const ProblemIr& p, const std::vector<std::int64_t>& first, const Rows& controls,
                Resimulated& out) {
  for (std::size_t i = 0; i < p.mv.size(); ++i) mv_limits(p, i, controls, out);
  for (std::size_t j = 0; j < p.cv.size(); ++j) cv_limits(p, j, first[j], out.predicted, out);
}

void compare_with_hold(const Resimulated& hold, Resimulated& out) {
  out.beyond_hold = hold.beyond;
  out.hold_is_as_safe = hold.beyond <= out.beyond + kAllowed;
  for (std::size_t i = 0; i < hold.constraints.size(); ++i) {
    const ConstraintItem& held = hold.constraints[i];
    const double allowed =
        std::min(0.0, out.constraints[i].margin) - kAllowed * std::abs(held.margin);
    if (!held.passed && held.margin < allowed) out.hold_is_as_safe = false;
  }
}

namespace {

/// DV d at step k from now; k < 0: as measured last.
double dv_at(const ProblemIr& p, std::size_t d, std::int64_t k) {
  const DvTerm& dv = p.dv[d];
  if (k >= 0 && !dv.forecast.empty())
    return dv.forecast[std::min(static_cast<std::size_t>(k), dv.forecast.size() - 1)];
  if (p.history.empty()) return dv.train.mean;
  return p.history.back().u[p.mv.size() + d].value_or(std::nan(""));
}

double box_of(const ProblemIr& p, const std::vector<double>& x) {
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t inputs = p.mv.size() + p.dv.size();
    const TrainRange& t = i < p.mv.size() ? p.mv[i].train
                          : i < inputs    ? p.dv[i - p.mv.size()].train
                                          : p.cv[i - inputs].train;
    worst = std::max(worst, std::abs(x[i] - t.mean) / t.std);
  }
  return worst;
}

double together(const TrainSpread& s, const std::vector<double>& x) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j)
      sum += (x[i] - s.mean[i]) / s.std[i] * s.inverse[i][j] * (x[j] - s.mean[j]) / s.std[j];
  return std::sqrt(std::max(0.0, sum));
}

}  // namespace

void add_distances(const ProblemIr& p, const Rows& controls, Resimulated& out) {
  const auto row_of = [&](const std::vector<double>& u, std::int64_t k,
                          const std::vector<double>& y) {
    std::vector<double> x = u;
    for (std::size_t d = 0; d < p.dv.size(); ++d) x.push_back(dv_at(p, d, k));
    x.insert(x.end(), y.begin(), y.end());
    return x;
  };
  const auto known = [](const std::vector<double>& x) {
    return std::ranges::all_of(x, [](double v) { return std::isfinite(v); });
  };
  std::vector<double> newest(p.cv.size(), std::nan(""));
  for (const HistoryRow& row : p.history)
    for (std::size_t j = 0; j < newest.size(); ++j) newest[j] = row.y[j].value_or(newest[j]);
  const std::vector<double> now = row_of(p.u_prev, -1, newest);
  if (known(now)) out.box_now = box_of(p, now);
  if (known(now) && p.spread) out.mahalanobis_now = together(*p.spread, now);
  double box = 0, all = 0;
  for (std::size_t k = 0; k < controls.size(); ++k) {
    const std::vector<double> x =
        row_of(controls[k], static_cast<std::int64_t>(k), out.predicted[k]);
    if (!known(x)) return;
    box = std::max(box, box_of(p, x));
    if (p.spread) all = std::max(all, together(*p.spread, x));
  }
  out.box_along = box;
  if (p.spread) out.mahalanobis_along = all;
}

}  // namespace flyball::optimise
