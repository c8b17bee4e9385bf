#include "optimise/steady_state.h"

#include <algorithm>
#include <cmath>

#include "core/checks.h"
#include "optimise/in_units.h"
#include "optimise/rest_program.h"

namespace flyball::optimise {
namespace {

constexpr double kFixed = 1e-9;  ///< of σ: room that a fixed rank keeps
constexpr double kSeen = 1e-6;
constexpr double kPriced = 1e-9;   ///< per σ: what a limit has to be worth to be told
constexpr double kReached = 1e-3;  ///< of σ: a reference that is held at rest

std::vector<double> list(const Vector& v) {
  return {v.data(), v.data() + v.size()};
}

double square(double x) {
  return x * x;
}

/// The sum of steady_state.h at a point, with its constant terms.
double cost_of(const ProblemIr& p, const Vector& u, const Vector& y) {
  double sum = 0;
  for (std::size_t m = 0; m < p.mv.size(); ++m) {
    const MvTerm& mv = p.mv[m];
    const double at = u(static_cast<Index>(m));
    sum += mv.price * at + kNearWeight / 2 * square((at - p.u_prev[m]) / mv.train.std);
    if (mv.target) sum += mv.target_weight / 2 * square((at - *mv.target) / mv.train.std);
  }
  for (std::size_t j = 0; j < p.cv.size(); ++j) {
    const CvTerm& cv = p.cv[j];
    const double at = y(static_cast<Index>(j)), s = cv.train.std;
    sum += cv.price * at;
    if (cv.role == CvRole::min) sum += cv.weight * at / s;
    if (cv.role == CvRole::max) sum -= cv.weight * at / s;
    if (cv.role == CvRole::track)
      sum += cv.weight / 2 *
             square((at - (cv.refs.empty() ? cv.ref.value_or(0.0) : cv.refs.back())) / s);
  }
  return sum;
}

SteadyState unsolved(SteadyState& out, const solver::Solution& s) {
  out.reasons.push_back(words({"REST_UNSOLVED", {{"status", solver::name(s.status)}}}));
  return std::move(out);
}

void tell_prices(const ProblemIr& p, const RestProgram& program, const solver::Solution& s,
                 SteadyState& out) {
  for (std::size_t i = 0; i < program.limits.size(); ++i) {
    const CvTerm& cv = p.cv[program.limits[i].cv];
    if (const double price = program.price(s, i); price * cv.train.std > kPriced)
      out.prices.push_back({program.limits[i].id(p), 0, price});
  }
  for (std::size_t m = 0; m < p.mv.size(); ++m)
    if (const double z = program.mv_price(s, m); std::abs(z) * p.mv[m].train.std > kPriced)
      out.prices.push_back({p.mv[m].var_id + (z > 0 ? ".max" : ".min"), 0, std::abs(z)});
}

/// References that are not reached, with what stands against it.
void tell_references(const ProblemIr& p, SteadyState& out) {
  std::string held;
  for (const ShadowPrice& price : out.prices) held += (held.empty() ? "" : ", ") + price.id;
  for (std::size_t j = 0; j < p.cv.size(); ++j) {
    const CvTerm& cv = p.cv[j];
    if (cv.role != CvRole::track || cv.weight <= 0 || !cv.ref || !cv.refs.empty()) continue;
    if (std::abs(out.y[j] - *cv.ref) <= kReached * cv.train.std) continue;
    const std::vector<Param> params{{"cv", cv.var_id},
                                    in_units("ref", *cv.ref, cv),
                                    in_units("value", out.y[j], cv),
                                    {"limits", held}};
    out.reasons.push_back(
        words(held.empty() ? Message{"REST_TRADED", params} : Message{"REST_REFERENCE", params}));
  }
}

bool has_prices(const ProblemIr& p) {
  return std::ranges::any_of(p.mv, [](const MvTerm& m) { return m.price != 0; }) ||
         std::ranges::any_of(p.cv, [](const CvTerm& c) { return c.price != 0; });
}

}  // namespace

SteadyState steady_state(const ProblemIr& p, const model::LinearStateSpace& m) {
  check(p);
  model::check(m);
  const Estimator estimator(m, p.solver.disturbance, p.solver.disturbance_ratio);
  return steady_state(p, m,
                      p.x0 ? estimator.given(*p.x0, p.disturbance) : estimator.run(p.history));
}

SteadyState steady_state(const ProblemIr& p, const model::LinearStateSpace& m, const Estimate& at) {
  check_shape("MVs of the model", m.n_mv, 1, static_cast<long>(p.mv.size()), 1);
  check_shape("CVs of the model", m.outputs(), 1, static_cast<long>(p.cv.size()), 1);
  RestProgram program(p, m, at);
  SteadyState out;
  const auto tiers = plan_tiers(p);
  for (std::size_t t = 0; t < tiers.size(); ++t) {
    const auto order = static_cast<Index>(t);
    if (!program.has(order)) continue;
    const solver::Solution s = program.solve(order, order);
    if (s.status != solver::Status::solved) return unsolved(out, s);
    for (std::size_t i = 0; i < program.limits.size(); ++i) {
      RestProgram::Limit& l = program.limits[i];
      if (program.order(l.tier) != order) continue;
      const CvTerm& cv = p.cv[l.cv];
      const double amount = program.slack(s, i);
      l.room = std::max(0.0, amount) + kFixed * cv.train.std;
      if (amount <= kSeen * range_of(cv.train)) continue;
      const std::string id = l.id(p);
      const bool hard = l.tier.what == TierPlan::What::hard;
      const std::vector<Param> params{
          {"limit", id}, {"cv", cv.var_id}, difference_in_units("amount", amount, cv)};
      (hard ? out.infeasible : out.relaxed)
          .push_back({id, l.tier.rank, amount, 0, words({"REST_LIMIT", params})});
    }
    if (!out.infeasible.empty()) return out;
  }
  const solver::Solution s = program.solve(static_cast<Index>(tiers.size()), -1);
  if (s.status != solver::Status::solved) return unsolved(out, s);
  out.found = true;
  const Vector u = program.u(s), y = program.y(s);
  out.u = list(u);
  out.y = list(y);
  out.x = list(program.x(s));
  out.cost = cost_of(p, u, y);
  tell_prices(p, program, s, out);
  tell_references(p, out);
  return out;
}

bool asks_for_rest(const ProblemIr& p) {
  if (p.solver.steady_state != SteadyLayer::automatic)
    return p.solver.steady_state == SteadyLayer::on;
  return has_prices(p) || std::ranges::any_of(p.mv, [](const MvTerm& v) {
           return v.target && v.target_weight > 0;
         });
}

ProblemIr with_pull(const ProblemIr& problem) {
  ProblemIr p = problem;
  if (p.solver.steady_state == SteadyLayer::off || !has_prices(p)) return p;
  for (MvTerm& mv : p.mv)
    if (mv.target_weight == 0) mv.target_weight = kPullWeight;
  return p;
}

std::optional<SteadyState> resting_point(const ProblemIr& p, const model::LinearStateSpace& m,
                                         const Estimate& at) {
  if (p.solver.steady_state == SteadyLayer::off || !at.inputs_known) return std::nullopt;
  const bool wanted = asks_for_rest(p);
  const bool refers = std::ranges::any_of(p.cv, [](const CvTerm& v) {
    return v.role == CvRole::track && v.weight > 0 && v.ref && v.refs.empty();
  });
  if (!wanted && !refers) return std::nullopt;
  SteadyState rest = steady_state(p, m, at);
  if (!wanted && rest.found && rest.reasons.empty()) return std::nullopt;
  return rest;
}

ProblemIr with_targets(const ProblemIr& problem, const SteadyState& rest) {
  if (!rest.found) return problem;
  ProblemIr p = with_pull(problem);
  for (std::size_t m = 0; m < p.mv.size(); ++m)
    if (p.mv[m].target_weight > 0) p.mv[m].target = rest.u[m];
  for (std::size_t j = 0; j < p.cv.size(); ++j)
    if (p.cv[j].role == CvRole::track && p.cv[j].refs.empty()) p.cv[j].ref = rest.y[j];
  return p;
}

}  // namespace flyball::optimise
