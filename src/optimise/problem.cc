#include "optimise/problem.h"

#include <cmath>

#include "core/digest.h"

namespace flyball::optimise {
namespace {

/// Collects problems; a value that is not finite is named once.
class Checker {
 public:
  void limits(const std::string& at, double low, double high) {
    if (low > high) add(at, "PROBLEM_LIMITS", {{"low", low}, {"high", high}});
  }
  void limits(const std::string& at, std::optional<double> low, std::optional<double> high) {
    if (low && high) limits(at, *low, *high);
  }
  void finite(const std::string& at, double value) {
    if (!std::isfinite(value)) add(at, "PROBLEM_NOT_FINITE", {});
  }
  void finite(const std::string& at, std::optional<double> value) {
    if (value) finite(at, *value);
  }
  void finite(const std::string& at, const std::vector<double>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) finite(at + "/" + std::to_string(i), values[i]);
  }
  void length(const std::string& at, std::size_t have, std::size_t want, bool may_be_empty) {
    if (have == want || (may_be_empty && have == 0)) return;
    add(at, "PROBLEM_LENGTH", {{"have", have}, {"want", want}});
  }
  void add(const std::string& at, const char* code, std::vector<Param> params) {
    problems.push_back({at, {code, std::move(params)}});
  }
  std::vector<Problem> problems;
};

void check_train(Checker& c, const std::string& at, const TrainRange& t) {
  for (const double v : {t.mean, t.std, t.min, t.max}) c.finite(at, v);
  if (!(t.std > 0)) c.add(at + "/std", "PROBLEM_SCALE", {{"value", t.std}});
  c.limits(at, t.min, t.max);
}

void check_mv(Checker& c, const std::string& at, const MvTerm& m) {
  for (const double v : {m.min, m.max, m.max_move, m.move_weight, m.target_weight, m.price})
    c.finite(at, v);
  c.finite(at + "/target", m.target);
  c.limits(at, m.min, m.max);
  if (!(m.max_move >= 0)) c.add(at + "/maxMove", "PROBLEM_MAX_MOVE", {{"value", m.max_move}});
  check_train(c, at + "/train", m.train);
}

void check_margin(Checker& c, const std::string& at, const CvTerm& v) {
  double most = 0;
  for (const double q : v.margin) {
    if (q < 0) c.add(at + "/margin", "PROBLEM_MARGIN_NEGATIVE", {{"value", q}});
    most = std::max(most, q);
  }
  if (v.hard_min && v.hard_max && 2 * most >= *v.hard_max - *v.hard_min && most > 0)
    c.add(at + "/margin", "PROBLEM_MARGIN_FILLS",
          {{"cv", v.var_id}, {"margin", 2 * most}, {"band", *v.hard_max - *v.hard_min}});
}

void check_cv(Checker& c, const std::string& at, const CvTerm& v, std::size_t horizon) {
  for (const double x : {v.weight, v.soft_penalty, v.price}) c.finite(at, x);
  for (const auto& x : {v.ref, v.soft_min, v.soft_max, v.soft_linear, v.hard_min, v.hard_max})
    c.finite(at, x);
  for (const auto* x : {&v.refs, &v.soft_min_steps, &v.soft_max_steps, &v.margin}) {
    c.finite(at, *x);
    c.length(at, x->size(), horizon, true);
  }
  if (v.role == CvRole::track && v.weight > 0 && !v.ref && v.refs.empty())
    c.add(at + "/ref", "PROBLEM_REF", {{"cv", v.var_id}});
  c.limits(at, v.soft_min, v.soft_max);
  c.limits(at, v.hard_min, v.hard_max);
  check_margin(c, at, v);
  check_train(c, at + "/train", v.train);
}

void check_blocks(Checker& c, const ProblemIr& p) {
  if (p.control_horizon > p.horizon)
    c.add("/controlHorizon", "PROBLEM_BLOCKS",
          {{"moves", p.control_horizon}, {"horizon", p.horizon}});
  if (p.blocks.empty()) return;
  c.length("/blocks", p.blocks.size(), static_cast<std::size_t>(p.control_horizon), false);
  bool ascending = p.blocks.front() == 0 && p.blocks.back() < p.horizon;
  for (std::size_t i = 1; i < p.blocks.size(); ++i)
    ascending = ascending && p.blocks[i] > p.blocks[i - 1];
  if (!ascending)
    c.add("/blocks", "PROBLEM_BLOCKS", {{"moves", p.control_horizon}, {"horizon", p.horizon}});
}

void check_state(Checker& c, const ProblemIr& p) {
  c.length("/uPrev", p.u_prev.size(), p.mv.size(), false);
  c.finite("/uPrev", p.u_prev);
  if (p.x0) c.finite("/x0", *p.x0);
  c.finite("/disturbance", p.disturbance);
  c.length("/disturbance", p.disturbance.size(), p.cv.size(), true);
  if (!p.x0 && p.history.empty()) c.add("/history", "PROBLEM_STATE", {});
  for (std::size_t i = 0; i < p.history.size(); ++i) {
    const std::string at = "/history/" + std::to_string(i);
    c.length(at + "/u", p.history[i].u.size(), p.mv.size() + p.dv.size(), false);
    c.length(at + "/y", p.history[i].y.size(), p.cv.size(), false);
    for (const auto& v : p.history[i].u) c.finite(at + "/u", v);
    for (const auto& v : p.history[i].y) c.finite(at + "/y", v);
  }
}

void check_spread(Checker& c, const ProblemIr& p) {
  const std::size_t n = p.mv.size() + p.dv.size() + p.cv.size();
  c.length("/spread/mean", p.spread->mean.size(), n, false);
  c.length("/spread/std", p.spread->std.size(), n, false);
  c.length("/spread/inverse", p.spread->inverse.size(), n, false);
  c.finite("/spread/mean", p.spread->mean);
  c.finite("/spread/limit", p.spread->limit);
  for (const double s : p.spread->std)
    if (!(s > 0)) c.add("/spread/std", "PROBLEM_SCALE", {{"value", s}});
  for (const auto& row : p.spread->inverse) {
    c.length("/spread/inverse", row.size(), n, false);
    c.finite("/spread/inverse", row);
  }
}

}  // namespace

std::string problem_hash(const ProblemIr& problem) {
  return sha256(canonical(to_json_value(problem)));
}

void check(const ProblemIr& p) {
  Checker c;
  if (p.problem_template != kLinearMpc && p.problem_template != kSteadyResponse)
    c.add("/template", "PROBLEM_TEMPLATE", {{"template", p.problem_template}});
  if (p.mv.empty() || p.cv.empty()) c.add("", "PROBLEM_EMPTY", {});
  const auto horizon = static_cast<std::size_t>(p.horizon);
  for (std::size_t i = 0; i < p.mv.size(); ++i) check_mv(c, "/mv/" + std::to_string(i), p.mv[i]);
  for (std::size_t i = 0; i < p.cv.size(); ++i)
    check_cv(c, "/cv/" + std::to_string(i), p.cv[i], horizon);
  for (std::size_t i = 0; i < p.dv.size(); ++i) {
    const std::string at = "/dv/" + std::to_string(i);
    c.finite(at + "/forecast", p.dv[i].forecast);
    c.length(at + "/forecast", p.dv[i].forecast.size(), horizon, true);
    check_train(c, at + "/train", p.dv[i].train);
  }
  check_blocks(c, p);
  check_state(c, p);
  if (p.spread) check_spread(c, p);
  if (!c.problems.empty()) throw Error::of("PROBLEM_INVALID", std::move(c.problems));
}

std::vector<std::int64_t> move_steps(const ProblemIr& problem) {
  if (!problem.blocks.empty()) return problem.blocks;
  std::vector<std::int64_t> steps(static_cast<std::size_t>(problem.control_horizon));
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i] = static_cast<std::int64_t>(i);
  return steps;
}

}  // namespace flyball::optimise
