#pragma once
// The program of steady_state.h. Variables [x; u; slack per limit]; rows: steady state, CV limits.
#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "optimise/free_response.h"
#include "optimise/steady_state.h"
#include "optimise/trajectory.h"
#include "solver/solve.h"

namespace flyball::optimise {

class RestProgram {
 public:
  RestProgram(const ProblemIr& p, const model::LinearStateSpace& m, const Estimate& at)
      : p_(p), m_(m) {
    n_ = m.states();
    nu_ = m.n_mv;
    offset_ = at.y_shift + m.g;
    Vector drive = m.f + at.x_shift;
    gain_x_ = Matrix::Zero(n_, nu_);
    gain_y_ = Matrix::Zero(m.outputs(), nu_);
    for (std::size_t c = 0; c < m.channels.size(); ++c) {
      const Index i = m.channels[c].input;
      const auto column = static_cast<Index>(c);
      if (i < nu_) {
        gain_x_.col(i) += m.B.col(column);
        gain_y_.col(i) += m.D.col(column);
        drive -= m.B.col(column) * m.u0(i);
        offset_ -= m.D.col(column) * m.u0(i);
      } else {
        const double u = input_at(p, i, p.horizon) - m.u0(i);
        drive += m.B.col(column) * u;
        offset_ += m.D.col(column) * u;
      }
    }
    drive_ = drive;
    held_ = at.x.tail(m.disturbance_states);
    tiers_ = plan_tiers(p);
    for (const TierPlan& t : tiers_) add_limits(t);
  }

  struct Limit {
    TierPlan tier;
    std::size_t cv;
    bool high;
    double value, room = 0;
    [[nodiscard]] std::string id(const ProblemIr& p) const {
      const bool soft = tier.what == TierPlan::What::soft;
      return p.cv[cv].var_id + (soft ? ".soft" : ".hard") + (high ? "Max" : "Min") +
             (tier.what == TierPlan::What::margin ? "+margin" : "");
    }
  };
  std::vector<Limit> limits;

  /// Limits of tiers up to `upto`; `slacked` may give way, at a cost of Σ slack/σ alone; −1: none
  /// may, and the cost is the economy.
  solver::Solution solve(Index upto, Index slacked) {
    const auto rows = static_cast<Index>(limits.size());
    const Index n = n_ + nu_ + rows;
    Matrix h = Matrix::Zero(n, n);
    Vector g = Vector::Zero(n);
    if (slacked < 0) economy(h, g);
    for (Index i = 0; i < nu_; ++i) {
      const double s = 1 / p_.mv[static_cast<std::size_t>(i)].train.std;
      h(n_ + i, n_ + i) += kNearWeight * s * s;
      g(n_ + i) -= kNearWeight * s * s * p_.u_prev[static_cast<std::size_t>(i)];
    }
    Matrix a = Matrix::Zero(n_ + rows, n);
    Vector low = Vector::Constant(n_ + rows, -solver::kInfinity);
    Vector high = Vector::Constant(n_ + rows, solver::kInfinity);
    a.topLeftCorner(n_, n_) = Matrix::Identity(n_, n_) - m_.A;
    a.block(0, n_, n_, nu_) = -gain_x_;
    low.head(n_) = high.head(n_) = drive_;
    Vector lower = Vector::Constant(n, -solver::kInfinity);
    Vector upper = Vector::Constant(n, solver::kInfinity);
    const Index own = m_.disturbance_states;
    lower.segment(n_ - own, own) = upper.segment(n_ - own, own) = held_;
    for (Index i = 0; i < nu_; ++i) {
      std::tie(lower(n_ + i), upper(n_ + i)) = box(static_cast<std::size_t>(i));
    }
    for (Index r = 0; r < rows; ++r) {
      const Limit& l = limits[static_cast<std::size_t>(r)];
      const auto j = static_cast<Index>(l.cv);
      const Index slack = n_ + nu_ + r;
      const double std = p_.cv[l.cv].train.std;
      a.block(n_ + r, 0, 1, n_) = m_.C.row(j);
      a.block(n_ + r, n_, 1, nu_) = gain_y_.row(j);
      a(n_ + r, slack) = l.high ? -std : std;
      const bool on = order(l.tier) <= upto;
      if (on && l.high) high(n_ + r) = l.value + l.room - offset_(j);
      if (on && !l.high) low(n_ + r) = l.value - l.room - offset_(j);
      lower(slack) = 0;
      upper(slack) = on && order(l.tier) == slacked ? solver::kInfinity : 0;
      if (slacked >= 0) g(slack) = 1;
    }
    solver::Settings settings;
    settings.time_limit = p_.solver.time_limit_ms / 1000;
    return solver::solve(solver::Program::of(h, g, a, low, high, lower, upper), settings);
  }

  [[nodiscard]] Index order(const TierPlan& t) const {
    for (std::size_t i = 0; i < tiers_.size(); ++i)
      if (tiers_[i].what == t.what && tiers_[i].rank == t.rank) return static_cast<Index>(i);
    return 0;
  }
  [[nodiscard]] bool has(Index at) const {
    return std::ranges::any_of(limits, [&](const Limit& l) { return order(l.tier) == at; });
  }
  [[nodiscard]] Vector u(const solver::Solution& s) const { return s.x.segment(n_, nu_); }
  [[nodiscard]] Vector y(const solver::Solution& s) const {
    return m_.C * s.x.head(n_) + gain_y_ * u(s) + offset_;
  }
  [[nodiscard]] double slack(const solver::Solution& s, std::size_t limit) const {
    return s.x(n_ + nu_ + static_cast<Index>(limit)) * p_.cv[limits[limit].cv].train.std;
  }
  [[nodiscard]] double price(const solver::Solution& s, std::size_t limit) const {
    return std::abs(s.y(n_ + static_cast<Index>(limit)));
  }
  /// Above 0: it presses on its upper limit, below: on its lower one.
  [[nodiscard]] double mv_price(const solver::Solution& s, std::size_t m) const {
    return p_.mv[m].available ? s.z(n_ + static_cast<Index>(m)) : 0.0;
  }
  [[nodiscard]] Vector x(const solver::Solution& s) const { return s.x.head(n_); }

 private:
  /// Every value that the limits and the train box allow, however far from here.
  [[nodiscard]] std::pair<double, double> box(std::size_t m) const {
    const MvTerm& mv = p_.mv[m];
    if (!mv.available) return {p_.u_prev[m], p_.u_prev[m]};
    if (mv.train.max <= mv.train.min) return {mv.min, mv.max};
    return {std::max(mv.min, mv.train.min), std::min(mv.max, mv.train.max)};
  }
  void add_limits(const TierPlan& t) {
    const Band band = band_of(p_, t);
    const auto horizon = static_cast<std::size_t>(p_.horizon);
    for (std::size_t j = 0; j < p_.cv.size(); ++j) {
      const std::size_t last = j * horizon + horizon - 1;
      if (band.high[last] < 1e8) limits.push_back({t, j, true, band.high[last]});
      if (band.low[last] > -1e8) limits.push_back({t, j, false, band.low[last]});
    }
  }
  void economy(Matrix& h, Vector& g) const {
    for (Index i = 0; i < nu_; ++i) {
      const MvTerm& mv = p_.mv[static_cast<std::size_t>(i)];
      const double s = 1 / mv.train.std;
      g(n_ + i) += mv.price;
      if (!mv.target) continue;
      h(n_ + i, n_ + i) += mv.target_weight * s * s;
      g(n_ + i) -= mv.target_weight * s * s * *mv.target;
    }
    for (Index j = 0; j < m_.outputs(); ++j) {
      const CvTerm& cv = p_.cv[static_cast<std::size_t>(j)];
      Vector row = Vector::Zero(h.rows());
      row.head(n_) = m_.C.row(j).transpose();
      row.segment(n_, nu_) = gain_y_.row(j).transpose();
      double price = cv.price;
      if (cv.role == CvRole::min) price += cv.weight / cv.train.std;
      if (cv.role == CvRole::max) price -= cv.weight / cv.train.std;
      g += price * row;
      if (cv.role != CvRole::track) continue;
      const double w = cv.weight / (cv.train.std * cv.train.std);
      const double ref = cv.refs.empty() ? cv.ref.value_or(0.0) : cv.refs.back();
      h += w * row * row.transpose();
      g += w * (offset_(j) - ref) * row;
    }
  }

  const ProblemIr& p_;
  const model::LinearStateSpace& m_;
  std::vector<TierPlan> tiers_;
  Index n_ = 0, nu_ = 0;
  Vector offset_, drive_, held_;
  Matrix gain_x_, gain_y_;
};

}  // namespace flyball::optimise
