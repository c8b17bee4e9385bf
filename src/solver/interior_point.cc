#include "solver/interior_point.h"

#include <algorithm>
#include <cmath>

#include "solver/kkt.h"

namespace flyball::solver {

namespace {

constexpr int kRefinements = 8;
// Of the Newton systems: raised while their solution is worse than kAccurate, then let down again.
constexpr double kLeastShift = 1e-9, kMostShift = 1e-5, kAccurate = 1e-7;

/// One side of the limits: slack = sign·(limit − value) > 0 with multiplier > 0.
struct Side {
  Index of;     ///< limit pair
  double sign;  ///< 1 upper, −1 lower
  double limit;
  double slack = 1, multiplier = 1;
  double rest = 0;  ///< sign·(limit − value) − slack
  double slack_step = 0, multiplier_step = 0, target = 0;
};

class Iteration {
 public:
  Iteration(const Program& p, double target) : p_(p), target_(target), kkt_(p.h, p.a) {
    n_ = p.variables();
    m_ = p.rows();
    at_ = p.a.transpose();
    for (Index i = 0; i < n_ + m_; ++i) {
      const double low = i < n_ ? p.lower[i] : p.row_lower[i - n_];
      const double high = i < n_ ? p.upper[i] : p.row_upper[i - n_];
      equation_.push_back(i >= n_ && low == high);
      if (equation_.back()) continue;
      if (low > -kInfinity) sides_.push_back({i, -1, low});
      if (high < kInfinity) sides_.push_back({i, 1, high});
    }
    value_ = Vector::Zero(n_ + m_);
    theta_ = push_ = Vector::Zero(n_ + m_);
  }

  InteriorPoint run(int max_iterations, const std::function<bool()>& stop) {
    InteriorPoint out;
    start();
    double best = kInfinity;
    int since = 0;
    for (;; ++out.iterations) {
      residuals();
      const double now = std::max({dual_, primal_, gap_});
      if (now < best) {
        since = now < 0.9 * best ? 0 : since + 1;
        best = now;
        keep(out);
      } else {
        ++since;
      }
      if (best <= target_ || since > (best < 1e-8 ? 3 : 12) || out.iterations >= max_iterations ||
          !std::isfinite(now))
        break;
      if (stop()) {
        out.stopped = true;
        break;
      }
      if (!newton()) break;
    }
    return out;
  }

 private:
  void values() {
    value_.head(n_) = x_;
    value_.tail(m_) = p_.a * x_;
  }

  void start() {
    // Least squares towards the limits, then slacks and multipliers moved inside (Mehrotra).
    Vector d = Vector::Zero(n_), e = Vector::Zero(m_), r = -p_.g, s = Vector::Zero(m_);
    for (Index i = 0; i < m_; ++i) {
      const double low = p_.row_lower[i], high = p_.row_upper[i];
      s[i] = nearest(low, high);
      if (!equation_[n_ + i]) e[i] = 1;
    }
    for (const Side& side : sides_) {
      if (side.of < n_) d[side.of] = 1;
    }
    for (Index i = 0; i < n_; ++i) r[i] += d[i] * nearest(p_.lower[i], p_.upper[i]);
    if (!kkt_.factor(d, e, 1e-8)) return;
    kkt_.solve(r, s, x_, y_, 3);
    values();
    double shift = 0;
    for (Side& side : sides_) {
      side.slack = side.sign * (side.limit - value_[side.of]);
      shift = std::max(shift, -1.5 * side.slack);
    }
    for (Side& side : sides_) {
      side.slack = std::max(side.slack, 1 + 0.1 * std::min(shift, 1e3));
      const double range = width(side.of);
      if (std::isfinite(range)) side.slack = std::min(side.slack, std::max(0.5 * range, 1e-2));
      side.multiplier = side.of < n_ ? 1 : std::max(1.0, side.sign * y_[side.of - n_]);
    }
    sum_multipliers();
  }

  static double nearest(double low, double high) {
    return std::clamp(0.0, std::max(low, -1e20), std::min(high, 1e20));
  }

  [[nodiscard]] double width(Index i) const {
    return i < n_ ? p_.upper[i] - p_.lower[i] : p_.row_upper[i - n_] - p_.row_lower[i - n_];
  }

  /// y of a row with limits is the difference of its multipliers; z of a bound too.
  void sum_multipliers() {
    z_ = Vector::Zero(n_);
    for (Index i = 0; i < m_; ++i) {
      if (!equation_[n_ + i]) y_[i] = 0;
    }
    for (const Side& side : sides_) {
      (side.of < n_ ? z_[side.of] : y_[side.of - n_]) += side.sign * side.multiplier;
    }
  }

  void residuals() {
    values();
    const Vector hx = p_.h * x_;
    rest_dual_ = hx + p_.g + at_ * y_ + z_;
    rest_equation_ = Vector::Zero(m_);
    primal_ = 0;
    for (Index i = 0; i < m_; ++i) {
      if (!equation_[n_ + i]) continue;
      rest_equation_[i] = p_.row_lower[i] - value_[n_ + i];
      primal_ = std::max(primal_, std::abs(rest_equation_[i]) / (1 + std::abs(p_.row_lower[i])));
    }
    double products = 0;
    for (Side& side : sides_) {
      const double room = side.sign * (side.limit - value_[side.of]);
      side.rest = room - side.slack;
      primal_ = std::max(primal_, std::abs(side.rest) / (1 + std::abs(side.limit)));
      products += side.slack * side.multiplier;
    }
    mu_ = sides_.empty() ? 0 : products / static_cast<double>(sides_.size());
    dual_ = rest_dual_.cwiseAbs().maxCoeff() / (1 + p_.g.cwiseAbs().maxCoeff());
    const double size = 1 + std::abs(0.5 * x_.dot(hx) + p_.g.dot(x_));
    gap_ = products / size;
    // Products far below the target only cost digits of the other residuals.
    least_mu_ = 0.1 * target_ * size / static_cast<double>(sides_.size() + 1);
  }

  bool newton() {
    theta_.setZero();
    for (const Side& side : sides_) theta_[side.of] += side.multiplier / side.slack;
    Vector e = Vector::Zero(m_);
    for (Index i = 0; i < m_; ++i) {
      if (!equation_[n_ + i]) e[i] = 1 / theta_[n_ + i];
    }
    const Vector d = theta_.head(n_);
    // Predictor: towards products 0.
    for (Side& side : sides_) side.target = -side.slack * side.multiplier;
    shift_ = std::max(0.1 * shift_, kLeastShift);
    while (!kkt_.factor(d, e, shift_) || (direction() > kAccurate && shift_ < kMostShift)) {
      shift_ *= 10;
      if (shift_ > 1) return false;
    }
    const double ahead = std::min(longest(true), longest(false));
    double predicted = 0;
    for (const Side& side : sides_) {
      predicted +=
          (side.slack + ahead * side.slack_step) * (side.multiplier + ahead * side.multiplier_step);
    }
    if (!sides_.empty()) predicted /= static_cast<double>(sides_.size());
    const double share = mu_ > 0 ? std::pow(predicted / mu_, 3) : 0;
    // Corrector: products to their common target, less the second order of the predictor.
    const double aim = std::max(share * mu_, least_mu_);
    for (Side& side : sides_) {
      double second = side.slack_step * side.multiplier_step;
      second = std::clamp(second, -1e2 * mu_, 1e2 * mu_);
      side.target = aim - side.slack * side.multiplier - second;
    }
    direction();
    const double fraction = std::max(0.99, 1 - mu_);
    double primal_step = std::min(1.0, fraction * longest(true));
    double dual_step = std::min(1.0, fraction * longest(false));
    if (p_.h.nonZeros() > 0) primal_step = dual_step = std::min(primal_step, dual_step);
    x_ += primal_step * dx_;
    for (Index i = 0; i < m_; ++i) {
      if (equation_[n_ + i]) y_[i] += dual_step * dy_[i];
    }
    for (Side& side : sides_) {
      side.slack += primal_step * side.slack_step;
      side.multiplier += dual_step * side.multiplier_step;
    }
    sum_multipliers();
    return x_.allFinite() && y_.allFinite();
  }

  double direction() {
    push_.setZero();
    for (const Side& side : sides_) {
      // dλ·sign = (target − multiplier·dslack)/slack, dslack = rest − sign·dv
      push_[side.of] += side.sign * (side.target - side.multiplier * side.rest) / side.slack;
    }
    const Vector r = -rest_dual_ - push_.head(n_);
    Vector s = rest_equation_;
    for (Index i = 0; i < m_; ++i) {
      if (!equation_[n_ + i]) s[i] = -push_[n_ + i] / theta_[n_ + i];
    }
    const double error = kkt_.solve(r, s, dx_, dy_, kRefinements);
    const Vector moved = p_.a * dx_;
    for (Side& side : sides_) {
      const double dv = side.of < n_ ? dx_[side.of] : moved[side.of - n_];
      side.slack_step = side.rest - side.sign * dv;
      side.multiplier_step = (side.target - side.multiplier * side.slack_step) / side.slack;
    }
    return error;
  }

  [[nodiscard]] double longest(bool slacks) const {
    double step = kInfinity;
    for (const Side& side : sides_) {
      const double at = slacks ? side.slack : side.multiplier;
      const double by = slacks ? side.slack_step : side.multiplier_step;
      if (by < 0) step = std::min(step, -at / by);
    }
    return std::min(step, 1e30) < 1 ? step : std::min(step, 1 / 0.99);
  }

  void keep(InteriorPoint& out) const {
    out.x = x_;
    out.y = y_;
    out.z = z_;
    out.active.assign(n_ + m_, 0);
    for (Index i = 0; i < n_ + m_; ++i) {
      if (equation_[i]) out.active[i] = 2;
    }
    for (const Side& side : sides_) {
      if (side.multiplier > side.slack) out.active[side.of] = static_cast<signed char>(side.sign);
    }
  }

  const Program& p_;
  double target_;
  Kkt kkt_;
  Index n_, m_;
  SparseMatrix at_;
  std::vector<Side> sides_;
  std::vector<char> equation_;
  Vector x_, y_, z_, dx_, dy_, value_, theta_, push_, rest_dual_, rest_equation_;
  double shift_ = kLeastShift, mu_ = 0, least_mu_ = 0, dual_ = 0, primal_ = 0, gap_ = 0;
};

}  // namespace

InteriorPoint interior_point(const Program& program, double target, int max_iterations,
                             const std::function<bool()>& stop) {
  return Iteration(program, target).run(max_iterations, stop);
}

}  // namespace flyball::solver
