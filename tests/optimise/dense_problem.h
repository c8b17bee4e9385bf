#pragma once
// A condensed problem by definition, from dense matrices and plain loops, and the KKT residuals of
// an answer of the engine.
#include <cmath>

#include "math/random.h"
#include "optimise/mpc_engine.h"

namespace flyball::optimise {

/// Everything in F order: y row j·P + k.
struct DenseProblem {
  CondenseInput in;
  std::vector<Tier> tiers;
  Vector move_low, move_high, value_low, value_high;  ///< n
  std::vector<Vector> cv_low, cv_high;                ///< per tier, P·ny
  Vector theta, u_prev, offset;                       ///< offset: y = offset + F θ + Θ z

  [[nodiscard]] Index n() const { return static_cast<Index>(in.steps.size()) * in.mvs; }
  [[nodiscard]] Index rows() const { return in.horizon * in.cvs; }

  [[nodiscard]] Matrix dynamics() const {
    Matrix g = Matrix::Zero(rows(), n());
    for (Index j = 0; j < in.cvs; ++j)
      for (Index k = 0; k < in.horizon; ++k)
        for (std::size_t i = 0; i < in.steps.size() && in.steps[i] <= k; ++i)
          for (Index m = 0; m < in.mvs; ++m)
            g(j * in.horizon + k, static_cast<Index>(i) * in.mvs + m) =
                in.answers(k - in.steps[i], j * in.mvs + m);
    return g;
  }

  /// ∇J without the slacks, at z.
  [[nodiscard]] Vector gradient(const Vector& z) const {
    const Matrix g = dynamics();
    const Vector error = in.free * theta + g * z;
    Vector weighted(rows());
    for (Index j = 0; j < in.cvs; ++j)
      for (Index k = 0; k < in.horizon; ++k)
        weighted(j * in.horizon + k) = in.cv_weight(j) * error(j * in.horizon + k) +
                                       (in.cv_linear.size() > 0 ? in.cv_linear(j) : 0.0);
    Vector out = g.transpose() * weighted;
    for (Index p = 0; p < n(); ++p) out(p) += in.move_weight(p % in.mvs) * z(p);
    if (in.target_weight.size() == 0) return out;
    for (Index m = 0; m < in.mvs; ++m) {  // step by step, as the cost is written
      for (Index k = 0; k < in.horizon; ++k) {
        double away = (in.to_target * theta)(m);
        for (std::size_t i = 0; i < in.steps.size() && in.steps[i] <= k; ++i)
          away += z(static_cast<Index>(i) * in.mvs + m);
        for (std::size_t i = 0; i < in.steps.size() && in.steps[i] <= k; ++i)
          out(static_cast<Index>(i) * in.mvs + m) += in.target_weight(m) * away;
      }
    }
    return out;
  }

  [[nodiscard]] MpcEngine engine() const {
    MpcEngine e(std::make_shared<const Condensed>(in), tiers);
    set(e);
    return e;
  }
  void set(MpcEngine& e) const {
    e.limit_moves(move_low.data(), move_high.data());
    e.limit_values(value_low.data(), value_high.data());
    for (std::size_t t = 0; t < tiers.size(); ++t)
      e.limit_cvs(static_cast<Index>(t), cv_low[t].data(), cv_high[t].data());
    start(e);
  }
  void start(MpcEngine& e) const {
    const Shape& s = e.model().shape();
    for (Index j = 0; j < s.cvs; ++j)
      for (Index k = 0; k < s.horizon; ++k)
        e.start()[s.y_at() + j * s.p4 + k] =
            offset(j * s.horizon + k) + e.model().constant()[s.y_at() + j * s.p4 + k];
  }
};

/// Signed row of a constraint over z.
inline Vector normal(const DenseProblem& p, const Shape& s, const Matrix& g, const Constraint& c) {
  Vector a = Vector::Zero(p.n());
  if (c.row < 0) return a;
  if (c.tier >= 0) {
    const Index j = (c.row - s.y_at()) / s.p4;
    a = g.row(j * s.horizon + (c.row - s.y_at()) % s.p4).transpose();
  } else if (c.row < p.n()) {
    a(c.row) = 1;
  } else {
    for (Index l = (c.row - s.u_at()) % s.mvs; l <= c.row - s.u_at(); l += s.mvs) a(l) = 1;
  }
  return c.side * a;
}

/// The largest KKT residual, absolute.
inline double kkt(const DenseProblem& p, const MpcEngine& e) {
  const Shape& s = e.model().shape();
  const Matrix g = p.dynamics();
  const Vector z = Eigen::Map<const Vector>(e.z(), p.n());
  const Vector y = p.offset + p.in.free * p.theta + g * z;
  Vector stationarity = p.gradient(z);
  const WorkingSet& set = e.set();
  Vector slack_multiplier = Vector::Zero(set.slacks());
  double worst = 0;
  const auto see = [&](double x) { worst = std::max(worst, x); };
  for (Index i = 0; i < set.size(); ++i) {
    const Constraint& c = set.at(i);
    see(-set.multiplier(i));
    stationarity += set.multiplier(i) * normal(p, s, g, c);
    if (c.slack >= 0 && c.row >= 0) slack_multiplier(c.slack) -= set.multiplier(i);
  }
  see(stationarity.cwiseAbs().maxCoeff());
  for (std::size_t t = 0; t < p.tiers.size(); ++t) {
    for (Index j = 0; j < s.cvs; ++j) {
      for (Index i = 0; p.tiers[t].soft && i < e.slacks_each(static_cast<Index>(t)); ++i) {
        const Index id = e.first_slack(static_cast<Index>(t), j) + i;
        const double linear = p.tiers[t].linear.size() > 0 ? p.tiers[t].linear(j) : 0.0;
        slack_multiplier(id) += p.tiers[t].quadratic(j) * e.slack(id) + linear;
      }
      for (Index k = 0; k < s.horizon; ++k) {
        const Index r = j * s.horizon + k;
        double under = 0;
        double over = 0;
        if (p.tiers[t].soft) {
          under = e.slack(e.slack_at(static_cast<Index>(t), j * s.p4 + k, -1));
          over = e.slack(e.slack_at(static_cast<Index>(t), j * s.p4 + k, 1));
          see(-under);
          see(-over);
        } else if (g.row(r).cwiseAbs().maxCoeff() == 0) {
          continue;  // hard from where some move reaches
        }
        if (p.cv_high[t](r) < 1e8) see(y(r) - p.cv_high[t](r) - over);
        if (p.cv_low[t](r) > -1e8) see(p.cv_low[t](r) - y(r) - under);
      }
    }
  }
  for (Index i = 0; i < set.slacks(); ++i) {
    see(-slack_multiplier(i));
    see(std::abs(slack_multiplier(i) * e.slack(i)));
  }
  Vector u = p.u_prev;
  for (Index i = 0; i < s.moves; ++i) {
    for (Index m = 0; m < s.mvs; ++m) {
      const Index at = i * s.mvs + m;
      u(m) += z(at);
      see(z(at) - p.move_high(at));
      see(p.move_low(at) - z(at));
      see(u(m) - p.value_high(at));
      see(p.value_low(at) - u(m));
    }
  }
  for (Index i = 0; i < set.size(); ++i) {  // what has a multiplier binds
    const Constraint& c = set.at(i);
    if (c.row < 0) continue;
    double value = 0;
    if (c.tier >= 0) {
      value = y((c.row - s.y_at()) / s.p4 * s.horizon + (c.row - s.y_at()) % s.p4);
    } else {
      value = normal(p, s, g, {.row = c.row, .side = 1}).dot(z);
      if (c.row >= s.u_at()) value += p.u_prev((c.row - s.u_at()) % s.mvs);
    }
    const double slack = c.slack < 0 ? 0.0 : e.slack(c.slack);
    see(std::abs(set.multiplier(i) * (c.side * (value - c.bound) - slack)));
  }
  return worst;
}

struct Kind {
  bool hard = false, soft = true, linear = false, varying = false, blocks = false, targets = false,
       prices = false, dead_time = false;
  Shares slack = Shares::side;
};

/// A stable plant of first-order answers with limits that bind.
inline DenseProblem random_problem(std::uint32_t seed, const Kind& kind) {
  math::Random r(seed);
  DenseProblem p;
  CondenseInput& in = p.in;
  in.mvs = 1 + r.index(3);
  in.cvs = 1 + r.index(3);
  in.horizon = 14 + r.index(9);
  in.steps =
      kind.blocks ? std::vector<Index>{0, 1, 3, 7, 12} : std::vector<Index>{0, 1, 2, 3, 4, 5};
  const Index n = p.n();
  const Index rows = p.rows();
  in.answers = Matrix(in.horizon, in.cvs * in.mvs);
  for (Index c = 0; c < in.answers.cols(); ++c) {
    const double gain = r.uniform(-3, 3);
    const double pole = r.uniform(0.5, 0.95);
    const Index dead = kind.dead_time ? r.index(5) : 0;
    for (Index k = 0; k < in.horizon; ++k)
      in.answers(k, c) =
          k < dead ? 0.0 : gain * (1 - std::pow(pole, static_cast<double>(k - dead + 1)));
  }
  const Index parameters = 2 + in.cvs;
  in.free = Matrix(rows, parameters);
  for (Index i = 0; i < in.free.size(); ++i) in.free(i) = r.uniform(-1, 1);
  in.cv_weight = Vector(in.cvs);
  for (Index j = 0; j < in.cvs; ++j) in.cv_weight(j) = r.uniform(0, 2);
  in.move_weight = Vector(in.mvs);
  for (Index m = 0; m < in.mvs; ++m) in.move_weight(m) = r.uniform(0.05, 1);
  if (kind.targets) {
    in.target_weight = Vector::Constant(in.mvs, 0.3);
    in.to_target = Matrix(in.mvs, parameters);
    for (Index i = 0; i < in.to_target.size(); ++i) in.to_target(i) = r.uniform(-1, 1);
  }
  if (kind.prices) in.cv_linear = Vector::Constant(in.cvs, 0.4);
  p.theta = Vector(parameters);
  for (Index i = 0; i < parameters; ++i) p.theta(i) = 2 * r.normal();
  p.u_prev = Vector(in.mvs);
  for (Index m = 0; m < in.mvs; ++m) p.u_prev(m) = r.uniform(-0.8, 0.8);
  p.move_low = Vector::Constant(n, -0.4);
  p.move_high = Vector::Constant(n, 0.3);
  p.value_low = Vector::Constant(n, -1);
  p.value_high = Vector::Constant(n, 1);
  p.offset = Vector(rows);
  for (Index i = 0; i < rows; ++i) p.offset(i) = r.uniform(-0.5, 0.5);
  const auto tier = [&](const Tier& t, double width) {
    p.tiers.push_back(t);
    Vector high(rows);
    for (Index i = 0; i < rows; ++i) high(i) = kind.varying ? width + r.uniform(-0.3, 0.3) : width;
    p.cv_high.push_back(high);
    p.cv_low.push_back(-high);
  };
  if (kind.hard) tier({.soft = false, .quadratic = {}, .linear = {}}, 30);
  if (kind.soft) {
    Tier t{
        .soft = true, .slack = kind.slack, .quadratic = Vector::Constant(in.cvs, 50), .linear = {}};
    if (kind.linear) t.linear = Vector::Constant(in.cvs, 3);
    tier(t, 1.5);
  }
  return p;
}

}  // namespace flyball::optimise
