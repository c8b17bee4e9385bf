#include "solver/interior_point.h"

#include <algorithm>
#include <cmath>

#include "solver/interior_state.h"

namespace flyball::solver {

namespace {

constexpr int kCorrectors = 2;
// Of the Newton systems: raised while their solution is worse than kAccurate, then let down again.
constexpr double kLeastShift = 1e-9, kMostShift = 1e-5, kAccurate = 1e-7;

class Iteration : private InteriorState {
 public:
  using InteriorState::InteriorState;

  InteriorPoint run(int max_iterations, const std::function<bool()>& stop) {
    InteriorPoint out;
    start();
    double best = kInfinity, nearest = kInfinity, dual = kInfinity, primal = kInfinity;
    int since = 0;
    for (;; ++out.iterations) {
      residuals();
      const double now = std::max({dual_, primal_, gap_});
      const double apart = std::max(primal_, gap_);
      const bool better =
          now < 0.9 * best || apart < 0.5 * nearest || dual_ < 0.5 * dual || primal_ < 0.5 * primal;
      since = better ? 0 : since + 1;
      if (better) {
        dual = std::min(dual, dual_);
        primal = std::min(primal, primal_);
      }
      if (now < best) {
        best = now;
        keep(out);
      }
      // The dual residual can stay at rounding level while the limits still sort themselves.
      if (apart < nearest && dual_ < 1e-3) {
        nearest = apart;
        keep_active(out);
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
  bool newton() {
    theta_ = Vector::Zero(n_ + m_);
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
    double share = mu_ > 0 ? std::pow(predicted / mu_, 3) : 0;
    // After a short step the products are far apart: bring them together first.
    const bool centring = last_step_ < 0.1;
    if (centring) share = std::max(share, 0.5);
    // Corrector: products to their common target, less the second order of the predictor.
    const double aim = std::max(share * mu_, least_mu_);
    for (Side& side : sides_) {
      double second = centring ? 0 : side.slack_step * side.multiplier_step;
      second = std::clamp(second, -1e2 * mu_, 1e2 * mu_);
      side.target = aim - side.slack * side.multiplier - second;
    }
    direction();
    gather(aim);
    const double fraction = std::clamp(1 - mu_, 0.99, 0.9995);
    double primal_step = std::min(1.0, fraction * longest(true));
    double dual_step = std::min(1.0, fraction * longest(false));
    if (p_.h.nonZeros() > 0) primal_step = dual_step = std::min(primal_step, dual_step);
    last_step_ = std::min(primal_step, dual_step);
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

  /// Gondzio's correctors: products that a longer step would leave far from the aim are pulled
  /// towards it, as long as that lets the step grow.
  void gather(double aim) {
    for (int i = 0; i < kCorrectors; ++i) {
      const double step = std::min(1.0, std::min(longest(true), longest(false)));
      if (step > 0.9) return;
      const double ahead = std::min(1.0, 1.5 * step + 0.3);
      std::swap(sides_, kept_sides_);
      sides_ = kept_sides_;
      kept_dx_ = dx_;
      kept_dy_ = dy_;
      for (Side& side : sides_) {
        const double product = (side.slack + ahead * side.slack_step) *
                               (side.multiplier + ahead * side.multiplier_step);
        const double pull = std::clamp(product, 0.1 * aim, 10 * aim) - product;
        side.target += std::max(pull, -10 * aim);
      }
      direction();
      const double now = std::min(1.0, std::min(longest(true), longest(false)));
      if (now > step + 0.1 * (ahead - step)) continue;
      if (now < step) {
        std::swap(sides_, kept_sides_);
        dx_ = kept_dx_;
        dy_ = kept_dy_;
      }
      return;
    }
  }

  double direction() {
    push_ = Vector::Zero(n_ + m_);
    for (const Side& side : sides_) {
      // dλ·sign = (target − multiplier·dslack)/slack, dslack = rest − sign·dv
      push_[side.of] += side.sign * (side.target - side.multiplier * side.rest) / side.slack;
    }
    const Vector r = -rest_dual_ - push_.head(n_);
    Vector s = rest_equation_;
    for (Index i = 0; i < m_; ++i) {
      if (!equation_[n_ + i]) s[i] = -push_[n_ + i] / theta_[n_ + i];
    }
    const double error = kkt_.solve(r, s, dx_, dy_);
    // Of a side near its limit (multiplier > slack) the multiplier step is what the system says, of
    // the others the slack step; the other one follows from the products. The quotients between
    // them are up to 1e12: the other way round they would magnify the rounding of A dx.
    const Vector moved = p_.a * dx_;
    Vector short_of(n_ + m_);
    short_of << -rest_dual_ - p_.h * dx_ - at_ * dy_, dy_;
    for (Side& side : sides_) {
      const double dv = side.of < n_ ? dx_[side.of] : moved[side.of - n_];
      side.slack_step = side.rest - side.sign * dv;
      side.multiplier_step = (side.target - side.multiplier * side.slack_step) / side.slack;
      short_of[side.of] -= side.sign * side.multiplier_step;
    }
    for (Side& side : sides_) {
      const double quotient = side.multiplier / side.slack;
      if (quotient <= 1) continue;
      side.multiplier_step += side.sign * quotient / theta_[side.of] * short_of[side.of];
      side.slack_step = (side.target - side.slack * side.multiplier_step) / side.multiplier;
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

  std::vector<Side> kept_sides_;
  Vector dx_, dy_, kept_dx_, kept_dy_, theta_, push_;
  double shift_ = kLeastShift, last_step_ = 1;
};

}  // namespace

InteriorPoint interior_point(const Program& program, double target, double size, int max_iterations,
                             const std::function<bool()>& stop) {
  return Iteration(program, target, size).run(max_iterations, stop);
}

}  // namespace flyball::solver
