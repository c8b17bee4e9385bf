// steady_response@1: the same cost and limits with y = f(u), f a static surface.
//
// Sequential quadratic programs: at u the surfaces are linear, the cost has its Gauss-Newton
// Hessian, limits may give way by slacks that weigh more than any multiplier met so far; a step is
// halved until the merit J + weight · violations falls. Linear surfaces: one start is enough
// (convex). Else 16 seeded starts over the box and the present point; the spread of what they end
// at is told.
#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/checks.h"
#include "math/random.h"
#include "optimise/solve.h"
#include "optimise/trajectory.h"
#include "solver/solve.h"

namespace flyball::optimise {
namespace {

constexpr int kStarts = 16;
constexpr int kSteps = 60;
constexpr double kViolation = 1e4;  ///< per σ of a hard limit, in the merit

class StaticProblem {
 public:
  StaticProblem(const ProblemIr& p, const model::StaticResponse& m)
      : p_(p), m_(m), nu_(static_cast<Index>(p.mv.size())) {
    inputs_ = Vector(m.inputs());
    for (Index i = nu_; i < m.inputs(); ++i) {
      const DvTerm& dv = p.dv[static_cast<std::size_t>(i - nu_)];
      const auto last = p.history.empty() ? std::optional<double>()
                                          : p.history.back().u[static_cast<std::size_t>(i)];
      inputs_(i) = !dv.forecast.empty() ? dv.forecast[0] : last.value_or(dv.train.mean);
    }
    low = Vector(nu_);
    high = Vector(nu_);
    for (Index i = 0; i < nu_; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const Band b = mv_band(p, at);
      const double reach = p.mv[at].available ? p.mv[at].max_move : 0.0;
      low(i) = std::max({b.low[0], m.low(i), p.u_prev[at] - reach});
      high(i) = std::min({b.high[0], m.high(i), p.u_prev[at] + reach});
      if (low(i) > high(i)) low(i) = high(i) = p.u_prev[at];
    }
  }

  [[nodiscard]] Vector full(const Vector& u) const {
    Vector x = inputs_;
    x.head(nu_) = u;
    return x;
  }
  [[nodiscard]] Trajectory at(const Vector& u) const {
    Trajectory t{Matrix(1, nu_), Matrix(1, m_.outputs())};
    t.controls.row(0) = u.transpose();
    t.predicted.row(0) = model::surface_values(m_, full(u)).transpose();
    return t;
  }
  [[nodiscard]] Judged judged(const Vector& u) const {
    return judge(p_, at(u), std::vector<Index>(p_.cv.size(), 1));
  }
  [[nodiscard]] double merit(const Vector& u) const {
    const Judged j = judged(u);
    const Trajectory t = at(u);
    double sum = j.cost;
    for (std::size_t c = 0; c < p_.cv.size(); ++c) {
      const CvTerm& cv = p_.cv[c];
      const double y = t.predicted(0, static_cast<Index>(c));
      if (cv.hard_max) sum += kViolation * std::max(0.0, y - *cv.hard_max) / cv.train.std;
      if (cv.hard_min) sum += kViolation * std::max(0.0, *cv.hard_min - y) / cv.train.std;
    }
    return sum;
  }
  [[nodiscard]] bool linear() const {
    for (const auto& s : m_.surfaces)
      for (std::size_t t = 0; t < s.terms.size(); ++t)
        if (s.terms[t].second >= 0 && s.coefficients(static_cast<Index>(t)) != 0) return false;
    return true;
  }

  /// The best point that steps from u lead to.
  [[nodiscard]] Vector descend(Vector u, const std::stop_token& stop) const {
    double value = merit(u);
    for (int i = 0; i < kSteps; ++i) {
      check_stop(stop);
      const Vector d = direction(u);
      double step = 1;
      Vector next = u;
      double reached = value;
      for (int h = 0; h < 30; ++h, step /= 2) {
        next = (u + step * d).cwiseMax(low).cwiseMin(high);
        reached = merit(next);
        if (reached < value) break;
      }
      if (!(reached < value - 1e-13 * (1 + std::abs(value)))) break;
      u = next;
      value = reached;
    }
    return u;
  }
  Vector low, high;

 private:
  /// Variables [d; hard slacks; soft slacks], one of each per CV.
  [[nodiscard]] Vector direction(const Vector& u) const {
    const Index ny = m_.outputs();
    const Index n = nu_ + 2 * ny;
    const Vector x = full(u);
    const Vector y = model::surface_values(m_, x);
    Matrix h = Matrix::Zero(n, n);
    Vector g = Vector::Zero(n);
    Matrix a = Matrix::Zero(4 * ny, n);
    Vector below = Vector::Constant(4 * ny, -solver::kInfinity);
    Vector above = Vector::Constant(4 * ny, solver::kInfinity);
    for (Index j = 0; j < ny; ++j) {
      const CvTerm& cv = p_.cv[static_cast<std::size_t>(j)];
      const double s = 1 / cv.train.std;
      const Vector slope =
          model::gradient(m_, m_.surfaces[static_cast<std::size_t>(j)], x).head(nu_);
      if (cv.role == CvRole::track) {
        h.topLeftCorner(nu_, nu_) += cv.weight * s * s * slope * slope.transpose();
        g.head(nu_) += cv.weight * s * s *
                       (y(j) - (cv.refs.empty() ? cv.ref.value_or(0.0) : cv.refs[0])) * slope;
      }
      if (cv.role == CvRole::min) g.head(nu_) += cv.weight * s * slope;
      if (cv.role == CvRole::max) g.head(nu_) -= cv.weight * s * slope;
      g(nu_ + j) = kViolation * s;
      g(nu_ + ny + j) = cv.soft_linear.value_or(0.0) * s;
      h(nu_ + ny + j, nu_ + ny + j) = std::max(1e-6, cv.soft_penalty) * s * s;
      const auto row = [&](Index r, std::optional<double> limit, bool high_side, Index slack) {
        a.row(r).head(nu_) = slope.transpose();
        a(r, slack) = high_side ? -1 : 1;
        if (limit && high_side) above(r) = *limit - y(j);
        if (limit && !high_side) below(r) = *limit - y(j);
      };
      const auto margin = [&](std::optional<double> limit, double sign) {
        if (limit && !cv.margin.empty()) *limit += sign * cv.margin[0];
        return limit;
      };
      row(4 * j, margin(cv.hard_max, -1), true, nu_ + j);
      row(4 * j + 1, margin(cv.hard_min, 1), false, nu_ + j);
      row(4 * j + 2, cv.soft_max_steps.empty() ? cv.soft_max : cv.soft_max_steps[0], true,
          nu_ + ny + j);
      row(4 * j + 3, cv.soft_min_steps.empty() ? cv.soft_min : cv.soft_min_steps[0], false,
          nu_ + ny + j);
    }
    for (Index i = 0; i < nu_; ++i) {
      const MvTerm& mv = p_.mv[static_cast<std::size_t>(i)];
      const double s = 1 / mv.train.std;
      h(i, i) += (mv.move_weight + 1e-9) * s * s;
      g(i) += mv.move_weight * s * s * (u(i) - p_.u_prev[static_cast<std::size_t>(i)]);
      if (!mv.target) continue;
      h(i, i) += mv.target_weight * s * s;
      g(i) += mv.target_weight * s * s * (u(i) - *mv.target);
    }
    Vector lower = Vector::Zero(n);
    Vector upper = Vector::Constant(n, solver::kInfinity);
    lower.head(nu_) = low - u;
    upper.head(nu_) = high - u;
    const solver::Solution s =
        solver::solve(solver::Program::of(h, g, a, below, above, lower, upper));
    if (s.x.size() != n || !s.x.allFinite()) return Vector::Zero(nu_);
    return s.x.head(nu_);
  }

  const ProblemIr& p_;
  const model::StaticResponse& m_;
  Index nu_;
  Vector inputs_;
};

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

}  // namespace

SolveResult solve(const ProblemIr& p, const model::StaticResponse& m, const std::stop_token& stop) {
  check(p);
  model::check(m);
  check_shape("inputs of the model", m.inputs(), 1, static_cast<long>(p.mv.size() + p.dv.size()),
              1);
  check_shape("CVs of the model", m.outputs(), 1, static_cast<long>(p.cv.size()), 1);
  const auto from = std::chrono::steady_clock::now();
  const StaticProblem problem(p, m);
  const auto nu = static_cast<Index>(p.mv.size());
  const Vector here = Eigen::Map<const Vector>(p.u_prev.data(), nu);
  std::vector<Vector> ends{
      problem.descend(here.cwiseMax(problem.low).cwiseMin(problem.high), stop)};
  math::Random random(static_cast<std::uint32_t>(p.seed));
  for (int i = 0; i < kStarts && !problem.linear(); ++i) {
    Vector u(nu);
    for (Index k = 0; k < nu; ++k) u(k) = random.uniform(problem.low(k), problem.high(k));
    ends.push_back(problem.descend(u, stop));
  }
  const auto merit = [&](const Vector& u) { return problem.merit(u); };
  const Vector best =
      *std::min_element(ends.begin(), ends.end(),
                        [&](const Vector& a, const Vector& b) { return merit(a) < merit(b); });
  double worst = merit(best);
  for (const Vector& u : ends) worst = std::max(worst, merit(u));
  SolveResult out;
  out.diagnostics.gap = worst - merit(best);
  out.diagnostics.iterations = static_cast<std::int64_t>(ends.size());
  add(out, problem, "optimum", best);
  add(out, problem, "hold", here);
  add(out, problem, "halfMove", 0.5 * (best + here));
  out.diagnostics.cost_hold = out.candidates[1].cost;
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
        !out.candidates[1].feasible ||
        saved > p.solver.min_improvement * std::max(1e-12, std::abs(out.candidates[1].cost));
    out.status = !change            ? SolveStatus::noChange
                 : problem.linear() ? SolveStatus::optimal
                                    : SolveStatus::feasible;
    if (!problem.linear())
      out.reasons.push_back(words(
          {"REST_STARTS",
           {{"starts", static_cast<std::int64_t>(ends.size())}, {"gap", out.diagnostics.gap}}}));
  }
  out.diagnostics.elapsed_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - from).count();
  return out;
}

}  // namespace flyball::optimise
