#include "optimise/trajectory.h"

#include <cmath>
#include <limits>

namespace flyball::optimise {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kPassed = 1e-6;

double square(double x) {
  return x * x;
}

/// One limit over the horizon; a limit that is nowhere gives none.
void add_item(std::vector<ConstraintItem>& out, const std::string& id, ConstraintKind kind,
              double range, Index first, Index horizon, const auto& distance) {
  ConstraintItem item{id, kind, kInfinity, true, std::nullopt};
  for (Index k = first; k <= horizon; ++k) {
    const double here = distance(k - 1);
    item.margin = std::min(item.margin, here);
    if (here < -kPassed * range && !item.first_violation_step) item.first_violation_step = k;
  }
  if (!std::isfinite(item.margin)) return;
  item.passed = !item.first_violation_step;
  out.push_back(std::move(item));
}

void judge_mv(const ProblemIr& p, std::size_t m, const Matrix& controls,
              std::vector<ConstraintItem>& out) {
  const MvTerm& mv = p.mv[m];
  const auto u = controls.col(static_cast<Index>(m));
  const Band band = mv_band(p, m);
  const double range = range_of(mv.train);
  const auto hard = ConstraintKind::hard;
  add_item(out, mv.var_id + ".min", hard, range, 1, p.horizon,
           [&](Index k) { return u(k) - band.low[static_cast<std::size_t>(k)]; });
  add_item(out, mv.var_id + ".max", hard, range, 1, p.horizon,
           [&](Index k) { return band.high[static_cast<std::size_t>(k)] - u(k); });
  add_item(out, mv.var_id + ".maxMove", hard, range, 1, p.horizon, [&](Index k) {
    return (mv.available ? mv.max_move : 0.0) - std::abs(u(k) - (k == 0 ? p.u_prev[m] : u(k - 1)));
  });
  const auto least = least_move(p, m);
  if (!least) return;
  const double move = std::abs(u(0) - p.u_prev[m]);
  add_item(out, mv.var_id + ".minMove", hard, range, 1, 1,
           [&](Index) { return move <= kStays * range ? 0.0 : move - *least; });
}

void judge_cv(const ProblemIr& p, std::size_t j, const Matrix& predicted, Index first,
              std::vector<ConstraintItem>& out) {
  const CvTerm& cv = p.cv[j];
  const auto y = predicted.col(static_cast<Index>(j));
  const double range = range_of(cv.train);
  const auto both = [&](const TierPlan& tier, ConstraintKind kind, Index from,
                        const std::string& low, const std::string& high) {
    const Band b = band_of(p, tier);
    const std::size_t at = j * static_cast<std::size_t>(p.horizon);
    add_item(out, cv.var_id + low, kind, range, from, p.horizon,
             [&](Index k) { return y(k) - b.low[at + static_cast<std::size_t>(k)]; });
    add_item(out, cv.var_id + high, kind, range, from, p.horizon,
             [&](Index k) { return b.high[at + static_cast<std::size_t>(k)] - y(k); });
  };
  both({TierPlan::What::hard, 0}, ConstraintKind::hard, first, ".hardMin", ".hardMax");
  both({TierPlan::What::back, 0}, ConstraintKind::soft, first, ".hardMin", ".hardMax");
  both({TierPlan::What::margin, 0}, ConstraintKind::soft, first, ".hardMin+margin",
       ".hardMax+margin");
  both({TierPlan::What::soft, cv.rank}, ConstraintKind::soft, 1, ".softMin", ".softMax");
  add_item(out, cv.var_id + ".valid", ConstraintKind::soft, range, 1, p.horizon,
           [&](Index k) { return std::min(y(k) - cv.train.min, cv.train.max - y(k)); });
}

double cv_cost(const ProblemIr& p, std::size_t j, const Matrix& predicted) {
  const CvTerm& cv = p.cv[j];
  const auto y = predicted.col(static_cast<Index>(j));
  const double s = cv.train.std;
  double cost = 0;
  for (Index k = 0; k < p.horizon; ++k) {
    const double ref =
        cv.refs.empty() ? cv.ref.value_or(0.0) : cv.refs[static_cast<std::size_t>(k)];
    if (cv.role == CvRole::track) cost += 0.5 * cv.weight * square((y(k) - ref) / s);
    if (cv.role == CvRole::min) cost += cv.weight * y(k) / s;
    if (cv.role == CvRole::max) cost -= cv.weight * y(k) / s;
    if (p.problem_template == kSteadyResponse) cost += cv.price * y(k);
  }
  const Band b = band_of(p, {TierPlan::What::soft, cv.rank});
  const auto priced = [&](double slack) {
    return cv.soft_linear.value_or(0.0) * slack + 0.5 * cv.soft_penalty * square(slack);
  };
  double below = 0;  // largest of each side
  double above = 0;
  for (Index k = 0; k < p.horizon; ++k) {
    const std::size_t at = j * static_cast<std::size_t>(p.horizon) + static_cast<std::size_t>(k);
    const double under = std::max(0.0, b.low[at] - y(k)) / s;
    const double over = std::max(0.0, y(k) - b.high[at]) / s;
    below = std::max(below, under);
    above = std::max(above, over);
    if (p.solver.slack == Slack::perStep) cost += priced(std::max(under, over));
  }
  if (p.solver.slack == Slack::perOutput) cost += priced(below) + priced(above);
  return cost;
}

double mv_cost(const ProblemIr& p, std::size_t m, const Matrix& controls) {
  const MvTerm& mv = p.mv[m];
  const auto u = controls.col(static_cast<Index>(m));
  double cost = 0;
  for (Index k = 0; k < p.horizon; ++k) {
    cost +=
        0.5 * mv.move_weight * square((u(k) - (k == 0 ? p.u_prev[m] : u(k - 1))) / mv.train.std);
    if (mv.target) cost += 0.5 * mv.target_weight * square((u(k) - *mv.target) / mv.train.std);
    if (p.problem_template == kSteadyResponse) cost += mv.price * u(k);
  }
  return cost;
}

}  // namespace

double range_of(const TrainRange& train) {
  return std::max(train.max - train.min, train.std);
}

Band mv_band(const ProblemIr& p, std::size_t m) {
  const MvTerm& mv = p.mv[m];
  const bool box = mv.train.max > mv.train.min;
  const double low = box ? std::max(mv.min, mv.train.min) : mv.min;
  const double high = box ? std::min(mv.max, mv.train.max) : mv.max;
  const auto steps = move_steps(p);
  Band b;
  std::size_t moves = 0;
  for (std::int64_t k = 0; k < p.horizon; ++k) {
    if (moves < steps.size() && steps[moves] == k) ++moves;
    const double reach = mv.available ? static_cast<double>(moves) * mv.max_move : 0.0;
    b.low.push_back(std::min(low, p.u_prev[m] + reach));
    b.high.push_back(std::max(high, p.u_prev[m] - reach));
  }
  return b;
}

std::optional<double> least_move(const ProblemIr& p, std::size_t m) {
  const MvTerm& mv = p.mv[m];
  if (!mv.available || mv.min_move.value_or(0) <= 0) return std::nullopt;
  const Band band = mv_band(p, m);
  if (p.u_prev[m] < band.low.front() || p.u_prev[m] > band.high.front()) return std::nullopt;
  return mv.min_move;
}

Judged judge(const ProblemIr& p, const Trajectory& t, const std::vector<Index>& first_step) {
  Judged out;
  for (std::size_t m = 0; m < p.mv.size(); ++m) {
    judge_mv(p, m, t.controls, out.constraints);
    out.cost += mv_cost(p, m, t.controls);
  }
  for (std::size_t j = 0; j < p.cv.size(); ++j) {
    judge_cv(p, j, t.predicted, first_step[j], out.constraints);
    out.cost += cv_cost(p, j, t.predicted);
  }
  for (const ConstraintItem& c : out.constraints)
    out.feasible = out.feasible && (c.passed || c.kind == ConstraintKind::soft);
  return out;
}

}  // namespace flyball::optimise
