#pragma once
// steady_response@1 at a point: its cost and merit, what is convex in it, and the steps downhill.
// See steady_response.cc.
#include <algorithm>
#include <cmath>
#include <stop_token>

#include "core/checks.h"
#include "math/linear_algebra.h"
#include "model/static_response.h"
#include "optimise/trajectory.h"
#include "solver/solve.h"

namespace flyball::optimise {

class StaticProblem {
  static constexpr int kSteps = 60;
  static constexpr double kViolation = 1e4;  ///< per σ of a hard limit, in the merit

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
      sum += kViolation * std::max(0.0, reach(c, full(u)) - 1);
    }
    return sum;
  }
  /// Leverage over the largest of a train point: up to 1 there are data behind the surface.
  [[nodiscard]] double reach(std::size_t j, const Vector& x) const {
    const model::Surface& s = m_.surfaces[j];
    return s.h_max > 0 ? model::leverage(m_, s, x) / s.h_max : 0.0;
  }
  [[nodiscard]] bool convex() const {
    for (std::size_t j = 0; j < p_.cv.size(); ++j) {
      const Vector bends =
          math::symmetric_eigen(model::hessian(m_, m_.surfaces[j]).topLeftCorner(nu_, nu_)).values;
      const double least = 1e-12 * p_.cv[j].train.std;
      const bool up = bends.maxCoeff() > least, down = bends.minCoeff() < -least;
      const CvTerm& cv = p_.cv[j];
      const bool from_below = cv.hard_min || cv.soft_min || !cv.soft_min_steps.empty();
      const bool from_above = cv.hard_max || cv.soft_max || !cv.soft_max_steps.empty();
      if ((up || down) && cv.weight > 0 && cv.role == CvRole::track) return false;
      const double worth = cv.role == CvRole::track ? cv.price : per_unit(cv, 0);
      if (up && (from_below || worth < 0)) return false;
      if (down && (from_above || worth > 0)) return false;
    }
    return true;
  }
  /// A bent surface ends where its data end: that border is not convex.
  [[nodiscard]] bool at_border(const Vector& u) const {
    for (std::size_t j = 0; j < p_.cv.size(); ++j) {
      const auto& terms = m_.surfaces[j].terms;
      const bool bent = std::ranges::any_of(terms, [](const auto& t) { return t.second >= 0; });
      if (bent && reach(j, full(u)) > 1 - 1e-6) return true;
    }
    return false;
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
    Matrix a = Matrix::Zero(5 * ny, n);
    Vector below = Vector::Constant(5 * ny, -solver::kInfinity);
    Vector above = Vector::Constant(5 * ny, solver::kInfinity);
    Matrix bends = Matrix::Zero(nu_, nu_);  // of the cost, by the surfaces' curvature
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
      g.head(nu_) += cv.price * slope;
      bends += per_unit(cv, y(j)) * curvature(static_cast<std::size_t>(j));
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
      a.row(4 * ny + j).head(nu_) = reach_slope(static_cast<std::size_t>(j), x).transpose();
      a(4 * ny + j, nu_ + j) = -1;
      above(4 * ny + j) = 1 - reach(static_cast<std::size_t>(j), x);
    }
    h.topLeftCorner(nu_, nu_) += convex_part(bends);
    for (Index i = 0; i < nu_; ++i) {
      const MvTerm& mv = p_.mv[static_cast<std::size_t>(i)];
      const double s = 1 / mv.train.std;
      h(i, i) += (mv.move_weight + 1e-9) * s * s;
      g(i) += mv.price;
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

  /// ∂J/∂y of a CV.
  [[nodiscard]] static double per_unit(const CvTerm& cv, double y) {
    const double s = 1 / cv.train.std;
    if (cv.role == CvRole::min) return cv.price + cv.weight * s;
    if (cv.role == CvRole::max) return cv.price - cv.weight * s;
    if (cv.role == CvRole::band) return cv.price;
    return cv.price +
           cv.weight * s * s * (y - (cv.refs.empty() ? cv.ref.value_or(0.0) : cv.refs[0]));
  }
  /// ∂²y/∂u² of a CV over the MVs.
  [[nodiscard]] Matrix curvature(std::size_t j) const {
    const Vector scale = m_.scale.head(nu_).cwiseInverse();
    return scale.asDiagonal() * model::hessian(m_, m_.surfaces[j]).topLeftCorner(nu_, nu_) *
           scale.asDiagonal();
  }
  static Matrix convex_part(const Matrix& m) {
    const math::SymmetricEigen e = math::symmetric_eigen(m);
    return e.vectors * e.values.cwiseMax(0).asDiagonal() * e.vectors.transpose();
  }
  /// By central differences: leverages are polynomials of degree 4 at most.
  [[nodiscard]] Vector reach_slope(std::size_t j, const Vector& x) const {
    Vector out(nu_);
    for (Index i = 0; i < nu_; ++i) {
      Vector up = x, down = x;
      const double by = 1e-4 * m_.scale(i);
      up(i) += by;
      down(i) -= by;
      out(i) = (reach(j, up) - reach(j, down)) / (2 * by);
    }
    return out;
  }

  const ProblemIr& p_;
  const model::StaticResponse& m_;
  Index nu_;
  Vector inputs_;
};

}  // namespace flyball::optimise
