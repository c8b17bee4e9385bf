#include "identify/refine_lags.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "identify/refine_step.h"
#include "math/linear_algebra.h"

namespace flyball::identify {
namespace {

constexpr double kTauLeast = 0.05;  ///< steps
constexpr double kTauMost = 1e5;
constexpr double kTauApart = 0.99;  ///< τ₂/τ₁ at most: equal lags are the limit
constexpr double kThetaSlack = 2;   ///< steps around the start
constexpr double kRidge = 1e-10;
constexpr double kSecondErrors = 3;   ///< a second lag is that many standard errors from nothing
constexpr double kAtKink = 0.02;      ///< steps
constexpr double kSecondLeast = 0.2;  ///< steps

struct Lag {
  Vector g, by_tau, by_theta;
};

/// Zero-order hold of e^{−θ s}/(τ s + 1), θ = d + f: g(t) = E g(t−1) + b₁ u(t−1−d) + b₂ u(t−2−d),
/// with h = 1 − f, E = e^{−1/τ}, q = e^{−h/τ}, b₁ = 1 − q, b₂ = q − E. Before the first row:
/// steady.
Lag single(const Eigen::Ref<const Vector>& u, double tau, double theta) {
  const auto d = static_cast<Index>(std::floor(theta));
  const double h = 1 - (theta - static_cast<double>(d));
  const double pole = std::exp(-1 / tau), q = std::exp(-h / tau);
  const double pole_tau = pole / (tau * tau), q_tau = h * q / (tau * tau), q_theta = q / tau;
  const Index n = u.size();
  Lag out{Vector::Constant(n, u(0)), Vector::Zero(n), Vector::Zero(n)};
  for (Index t = 1; t < n; ++t) {
    const double v1 = u(std::max<Index>(t - 1 - d, 0)), v2 = u(std::max<Index>(t - 2 - d, 0));
    out.g(t) = pole * out.g(t - 1) + (1 - q) * v1 + (q - pole) * v2;
    out.by_tau(t) =
        pole * out.by_tau(t - 1) + pole_tau * out.g(t - 1) - q_tau * v1 + (q_tau - pole_tau) * v2;
    out.by_theta(t) = pole * out.by_theta(t - 1) + q_theta * (v2 - v1);
  }
  return out;
}

struct Piece {
  Index first = 0;  ///< of the stretch
  Index t0 = 0, t1 = 0;
};

struct Evaluation {
  double sum = std::numeric_limits<double>::infinity();
  std::vector<Vector> e;  ///< zero where nothing was measured
};

class LagProblem {
 public:
  LagProblem(const Regression& r, const LagStart& start, const std::vector<Interval>& within)
      : r_(r) {
    double longest = 0;
    for (const LagPair& p : start.pairs) {
      inputs_.push_back(p.input);
      at_.push_back(parameters_);
      second_.push_back(p.tau2 > 0);
      parameters_ += second_.back() ? 4 : 3;
      states_ += second_.back() ? 2 : 1;
      const double whole = std::floor(p.theta);
      const bool held = !start.theta_held.empty() && start.theta_held[inputs_.size() - 1];
      low_.push_back(held ? p.theta : std::max(0.0, whole - kThetaSlack));
      high_.push_back(held ? p.theta : whole + 1 + kThetaSlack);
      longest = std::max(longest, whole + 1 + kThetaSlack);
    }
    behind_ = start.behind > 0 ? start.behind : static_cast<Index>(std::ceil(longest)) + 2;
    for (const Interval& interval : within) {
      for (const Stretch& s : r.stretches) {
        const Index t0 = std::max(s.first + behind_, interval.first),
                    t1 = std::min(s.end, interval.end);
        if (t1 - t0 > states() + 1) pieces_.push_back({s.first, t0, t1});
      }
    }
    for (const Piece& p : pieces_) {
      for (Index t = p.t0; t < p.t1; ++t) rows_ += observed(t) ? 1 : 0;
    }
  }

  /// Of the pair's gain; θ, ln τ₁ and ln τ₂ follow.
  [[nodiscard]] Index at(std::size_t i) const { return at_[i]; }
  [[nodiscard]] bool second(std::size_t i) const { return second_[i]; }
  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index behind() const { return behind_; }
  [[nodiscard]] Index parameters() const { return parameters_ + 1; }
  [[nodiscard]] const std::vector<Piece>& pieces() const { return pieces_; }
  [[nodiscard]] bool observed(Index t) const { return r_.target[static_cast<std::size_t>(t)] != 0; }

  [[nodiscard]] Vector pack(const LagStart& s) const {
    Vector p(parameters());
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const LagPair& pair = s.pairs[i];
      p(at_[i]) = pair.gain;
      p(at_[i] + 1) = pair.theta;
      p(at_[i] + 2) = std::log(std::max(pair.tau1, kTauLeast));
      if (second_[i]) p(at_[i] + 3) = std::log(pair.tau2);
    }
    p(p.size() - 1) = s.constant;
    project(p);
    return p;
  }
  /// To the nearest point inside the bounds.
  void project(Vector& p) const {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      double &theta = p(at_[i] + 1), &tau = p(at_[i] + 2);
      theta = std::clamp(theta, low_[i], high_[i]);
      tau = std::clamp(tau, std::log(2 * kTauLeast), std::log(kTauMost / 2));
      if (!second_[i]) continue;
      p(at_[i] + 3) = std::clamp(p(at_[i] + 3), std::log(kTauLeast), std::log(kTauApart) + tau);
    }
  }
  [[nodiscard]] LagPair pair(const Vector& p, std::size_t i) const {
    const Index k = at_[i];
    return {inputs_[i], p(k), std::exp(p(k + 2)), second_[i] ? std::exp(p(k + 3)) : 0, p(k + 1)};
  }
  [[nodiscard]] bool feasible(const Vector& p) const { return p.allFinite(); }

  [[nodiscard]] Evaluation evaluate(const Vector& p) const {
    Evaluation out;
    out.sum = 0;
    for (const Piece& piece : pieces_) {
      Vector e = r_.x.col(r_.nu).segment(piece.t0, piece.t1 - piece.t0).array() - p(p.size() - 1);
      for (std::size_t i = 0; i < inputs_.size(); ++i) {
        const LagPair l = pair(p, i);
        e -= l.gain * lag_response(input(piece, i), l).col(0).tail(e.size());
      }
      for (Index t = 0; t < e.size(); ++t) {
        if (!observed(piece.t0 + t)) e(t) = 0;
      }
      const Matrix decay = decays(p, piece);
      e -= decay * solve_states(decay, decay.transpose() * e);
      out.sum += e.squaredNorm();
      out.e.push_back(std::move(e));
    }
    if (!std::isfinite(out.sum)) out.sum = std::numeric_limits<double>::infinity();
    return out;
  }

  /// ψ of a piece without what the initial states explain: parameters × rows.
  [[nodiscard]] Matrix slope(const Vector& p, const Piece& piece) const {
    const Index n = piece.t1 - piece.t0;
    Matrix j(parameters(), n);
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const LagPair l = pair(p, i);
      const Index at = at_[i];
      const Matrix response = lag_response(input(piece, i), l).bottomRows(n);
      j.row(at) = -response.col(0).transpose();
      j.row(at + 1) = -l.gain * response.col(3).transpose();
      j.row(at + 2) = -l.gain * l.tau1 * response.col(1).transpose();
      if (second_[i]) j.row(at + 3) = -l.gain * l.tau2 * response.col(2).transpose();
    }
    j.row(parameters() - 1).setConstant(-1);
    for (Index t = 0; t < n; ++t) {
      if (!observed(piece.t0 + t)) j.col(t).setZero();
    }
    const Matrix decay = decays(p, piece);
    j -= (decay * solve_states(decay, decay.transpose() * j.transpose())).transpose();
    return j;
  }

  /// A dead time at its bound that the criterion would push beyond it stays there.
  [[nodiscard]] NormalStep step(const Vector& p, const Evaluation& at) const {
    NormalStep out = normal(p, at);
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const Index k = at_[i] + 1;
      const bool lower = p(k) <= low_[i] && out.g(k) >= 0;
      const bool upper = p(k) >= high_[i] && out.g(k) <= 0;
      if (!lower && !upper) continue;
      out.h.row(k).setZero();
      out.h.col(k).setZero();
      out.h(k, k) = 1;
      out.g(k) = 0;
    }
    return out;
  }
  [[nodiscard]] NormalStep normal(const Vector& p, const Evaluation& at) const {
    NormalStep out{Matrix::Zero(p.size(), p.size()), Vector::Zero(p.size())};
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      const Matrix j = slope(p, pieces_[i]);
      out.h.selfadjointView<Eigen::Lower>().rankUpdate(j);
      out.g += j * at.e[i];
    }
    out.h.triangularView<Eigen::StrictlyUpper>() = out.h.transpose();
    return out;
  }

  [[nodiscard]] Index states() const { return states_; }
  [[nodiscard]] Index all_states() const { return states_ * static_cast<Index>(pieces_.size()); }

 private:
  [[nodiscard]] Eigen::Ref<const Vector> input(const Piece& piece, std::size_t i) const {
    return r_.x.col(inputs_[i]).segment(piece.first, piece.t1 - piece.first);
  }

  /// Free answers of the poles from the first row of the piece, zero where nothing was measured.
  [[nodiscard]] Matrix decays(const Vector& p, const Piece& piece) const {
    Matrix out(piece.t1 - piece.t0, states());
    Index at = 0;
    const auto put = [&](double tau) {
      for (Index t = 0; t < out.rows(); ++t) {
        out(t, at) = observed(piece.t0 + t) ? std::exp(-static_cast<double>(t) / tau) : 0;
      }
      ++at;
    };
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const LagPair l = pair(p, i);
      put(l.tau1);
      if (second_[i]) put(l.tau2);
    }
    return out;
  }

  static Matrix solve_states(const Matrix& decay, const Matrix& right) {
    Matrix normal = decay.transpose() * decay;
    normal.diagonal().array() += kRidge * (1 + normal.diagonal().maxCoeff());
    const auto factor = math::Cholesky::of(normal);
    Matrix x = factor->lower().triangularView<Eigen::Lower>().solve(right);
    factor->lower().triangularView<Eigen::Lower>().adjoint().solveInPlace(x);
    return x;
  }

  const Regression& r_;
  std::vector<Index> inputs_, at_;
  std::vector<bool> second_;
  Index parameters_ = 0, states_ = 0;
  std::vector<double> low_, high_;
  std::vector<Piece> pieces_;
  Index rows_ = 0, behind_ = 0;
};

Matrix covariance(const LagProblem& problem, const Regression& r, const Vector& p,
                  const Evaluation& at) {
  Vector residual = Vector::Constant(r.x.rows(), std::nan(""));
  std::vector<Interval> runs;
  for (std::size_t i = 0; i < problem.pieces().size(); ++i) {
    const Piece& piece = problem.pieces()[i];
    runs.push_back({piece.t0, piece.t1});
    for (Index t = piece.t0; t < piece.t1; ++t) {
      if (problem.observed(t)) residual(t) = at.e[i](t - piece.t0);
    }
  }
  const Autoregression noise = fit_autoregression(residual, runs);
  Sandwich sandwich(noise, p.size());
  for (const Piece& piece : problem.pieces()) {
    Matrix j = problem.slope(p, piece);
    sandwich.add(j);
  }
  return sandwich.covariance(problem.normal(p, at).h, problem.rows(),
                             problem.rows() - p.size() - problem.all_states());
}

}  // namespace

Matrix lag_response(const Eigen::Ref<const Vector>& u, const LagPair& pair) {
  Matrix out = Matrix::Zero(u.size(), 4);
  const Lag one = single(u, pair.tau1, pair.theta);
  if (!(pair.tau2 > 0)) {
    out << one.g, one.by_tau, Vector::Zero(u.size()), one.by_theta;
    return out;
  }
  // Partial fractions: (τ₁ G₁ − τ₂ G₂)/(τ₁ − τ₂).
  const Lag two = single(u, pair.tau2, pair.theta);
  const double apart = pair.tau1 - pair.tau2;
  const double w1 = pair.tau1 / apart, w2 = pair.tau2 / apart;
  out.col(0) = w1 * one.g - w2 * two.g;
  out.col(1) = w1 * one.by_tau + pair.tau2 / (apart * apart) * (two.g - one.g);
  out.col(2) = pair.tau1 / (apart * apart) * (one.g - two.g) - w2 * two.by_tau;
  out.col(3) = w1 * one.by_theta - w2 * two.by_theta;
  return out;
}

LagStart lag_start(const Arx& arx) {
  LagStart out;
  out.constant = arx.constant / (1 - arx.a().sum());
  for (std::size_t i = 0; i < arx.structure.inputs.size(); ++i) {
    const auto at = static_cast<Index>(i);
    const double first = static_cast<double>(arx.structure.inputs[i].first_lag);
    LagPair pair;
    pair.input = arx.structure.inputs[i].input;
    pair.gain = gain(arx, at);
    pair.theta = std::max(0.0, first - 0.5);
    // Average residence time: −d ln G/d ln z at 1, of B and of A.
    const Vector a = arx.a(), b = arx.b(at);
    double moment_a = 0, moment_b = 0;
    for (Index k = 0; k < a.size(); ++k) moment_a += static_cast<double>(k + 1) * a(k);
    for (Index k = 0; k < b.size(); ++k) moment_b += (first + static_cast<double>(k)) * b(k);
    const double residence = moment_b / b.sum() + moment_a / (1 - a.sum());
    pair.tau1 = std::clamp(std::isfinite(residence) ? residence - pair.theta - 0.5 : 1.0, 0.5, 1e4);
    out.pairs.push_back(pair);
  }
  return out;
}

LagFit fit_lags(const Regression& r, const LagStart& start, const std::vector<Interval>& within) {
  const LagProblem problem(r, start, within);
  Vector p = problem.pack(start);
  Evaluation at = problem.evaluate(p);
  LagFit out;
  out.rows = problem.rows();
  if (out.rows > problem.parameters() && problem.feasible(p)) {
    out.iterations = iterate(problem, {.max_iterations = 60, .tolerance = 1e-9}, p, at);
    out.converged = out.iterations < 60;
  }
  const Matrix c = covariance(problem, r, p, at);
  for (std::size_t i = 0; i < start.pairs.size(); ++i) {
    const LagPair pair = problem.pair(p, i);
    const Index k = problem.at(i);
    const auto error = [&](Index j) { return std::sqrt(std::max(0.0, c(k + j, k + j))); };
    out.pairs.push_back(pair);
    out.standard_errors.push_back({pair.input, error(0), pair.tau1 * error(2),
                                   problem.second(i) ? pair.tau2 * error(3) : 0, error(1)});
  }
  out.constant = p(p.size() - 1);
  out.parameters = problem.parameters();
  out.behind = problem.behind();
  out.states = problem.all_states();
  out.mean_square = at.sum / static_cast<double>(std::max<Index>(out.rows, 1));
  return out;
}

Arx arx_of(const LagFit& fit) {
  const auto product = [](const Vector& a, const Vector& b) {
    Vector out = Vector::Zero(a.size() + b.size() - 1);
    for (Index i = 0; i < a.size(); ++i) out.segment(i, b.size()) += a(i) * b;
    return out;
  };
  const auto pole = [](double tau) { return (Vector(2) << 1, -std::exp(-1 / tau)).finished(); };
  /// b₁ + b₂ q⁻¹ of a first-order lag (see single).
  const auto zero_order_hold = [](double tau, double theta) {
    const double q = std::exp(-(1 - (theta - std::floor(theta))) / tau);
    return (Vector(2) << 1 - q, q - std::exp(-1 / tau)).finished();
  };
  std::vector<Vector> a, b;
  for (const LagPair& p : fit.pairs) {
    a.push_back(pole(p.tau1));
    b.push_back(p.gain * zero_order_hold(p.tau1, p.theta));
    if (!(p.tau2 > 0)) continue;
    const Vector one = product(b.back(), pole(p.tau2)) * p.tau1;
    const Vector two = product(p.gain * zero_order_hold(p.tau2, p.theta), pole(p.tau1)) * p.tau2;
    b.back() = (one - two) / (p.tau1 - p.tau2);
    a.back() = product(a.back(), pole(p.tau2));
  }
  Vector all = Vector::Ones(1);
  for (const Vector& of_pair : a) all = product(all, of_pair);
  Index nb = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    for (std::size_t k = 0; k < a.size(); ++k) {
      if (k != i) b[i] = product(b[i], a[k]);
    }
    nb = std::max(nb, b[i].size());
  }
  Arx out;
  out.structure = {all.size() - 1, nb, {}};
  out.theta = Vector::Zero(nb * static_cast<Index>(b.size()) + all.size() - 1);
  for (std::size_t i = 0; i < b.size(); ++i) {
    const LagPair& p = fit.pairs[i];
    out.structure.inputs.push_back({p.input, static_cast<Index>(std::floor(p.theta)) + 1});
    out.theta.segment(static_cast<Index>(i) * nb, b[i].size()) = b[i];
  }
  out.theta.tail(all.size() - 1) = -all.tail(all.size() - 1);
  out.constant = fit.constant * all.sum();
  return out;
}

double schwarz(double mean_square, Index parameters, Index states, Index rows_used) {
  if (rows_used <= states) return std::numeric_limits<double>::infinity();
  const double rows = static_cast<double>(rows_used);
  const double free = rows - static_cast<double>(states);
  return rows * std::log(mean_square * rows / free) +
         static_cast<double>(parameters) * std::log(rows);
}

/// The criterion has kinks at whole dead times, where the iteration can stop on the wrong side:
/// such pairs start again a quarter of a step away, and the better fit stays.
LagFit off_the_kinks(const Regression& r, LagFit best, const std::vector<Interval>& within) {
  for (std::size_t i = 0; i < best.pairs.size(); ++i) {
    if (std::abs(best.pairs[i].theta - std::round(best.pairs[i].theta)) > kAtKink) continue;
    for (const double move : {-0.25, 0.25}) {
      LagStart start{best.pairs, best.constant, {}, best.behind};
      start.pairs[i].theta = std::max(0.0, start.pairs[i].theta + move);
      LagFit again = fit_lags(r, start, within);
      if (again.mean_square < best.mean_square) best = std::move(again);
    }
  }
  return best;
}

LagFit fit_lags_of_order(const Regression& r, const LagStart& first_order,
                         const std::vector<Interval>& within) {
  LagStart start = first_order;
  for (LagPair& p : start.pairs) p.tau2 = 0;
  LagFit best = fit_lags(r, start, within);
  // The first-order dead time held the second lag, which starts as a quarter of the first.
  start = {best.pairs, best.constant, {}, best.behind};
  for (LagPair& p : start.pairs) {
    p.tau2 = p.tau1 / 4;
    p.theta = std::max(0.0, p.theta - p.tau2);
  }
  LagFit second = fit_lags(r, start, within);
  LagStart mixed{second.pairs, second.constant, {}, second.behind};
  for (std::size_t i = 0; i < mixed.pairs.size(); ++i) {
    LagPair& p = mixed.pairs[i];
    const double error = second.standard_errors[i].tau2;
    if (p.tau2 > kSecondErrors * error && p.tau2 > kSecondLeast) continue;
    p.theta += p.tau2 / 2;
    p.tau2 = 0;
  }
  LagFit some = fit_lags(r, mixed, within);
  const auto of = [](const LagFit& f) {
    return schwarz(f.mean_square, f.parameters, f.states, f.rows);
  };
  if (of(second) < of(best)) best = std::move(second);
  if (of(some) < of(best)) best = std::move(some);
  return off_the_kinks(r, std::move(best), within);
}

}  // namespace flyball::identify
