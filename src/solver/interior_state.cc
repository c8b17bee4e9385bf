#include "solver/interior_state.h"

#include <algorithm>
#include <cmath>

namespace flyball::solver {

namespace {

double nearest(double low, double high) {
  return std::clamp(0.0, std::max(low, -1e20), std::min(high, 1e20));
}

}  // namespace

InteriorState::InteriorState(const Program& p, double target, double size)
    : p_(p), target_(target), size_(size), kkt_(p.h, p.a) {
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
}

void InteriorState::values() {
  value_.head(n_) = x_;
  value_.tail(m_) = p_.a * x_;
}

void InteriorState::start() {
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
  kkt_.solve(r, s, x_, y_);
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
    side.multiplier = side.of < n_ ? size_ : std::max(size_, side.sign * y_[side.of - n_]);
  }
  sum_multipliers();
}

double InteriorState::width(Index i) const {
  return i < n_ ? p_.upper[i] - p_.lower[i] : p_.row_upper[i - n_] - p_.row_lower[i - n_];
}

/// y of a row with limits is the difference of its multipliers; z of a bound too.
void InteriorState::sum_multipliers() {
  z_ = Vector::Zero(n_);
  for (Index i = 0; i < m_; ++i) {
    if (!equation_[n_ + i]) y_[i] = 0;
  }
  for (const Side& side : sides_) {
    (side.of < n_ ? z_[side.of] : y_[side.of - n_]) += side.sign * side.multiplier;
  }
}

void InteriorState::residuals() {
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

void InteriorState::keep(InteriorPoint& out) const {
  out.x = x_;
  out.y = y_;
  out.z = z_;
  keep_active(out);
}

void InteriorState::keep_active(InteriorPoint& out) const {
  out.active.assign(n_ + m_, 0);
  for (Index i = 0; i < n_ + m_; ++i) {
    if (equation_[i]) out.active[i] = 2;
  }
  for (const Side& side : sides_) {
    if (side.multiplier > side.slack) out.active[side.of] = static_cast<signed char>(side.sign);
  }
}

}  // namespace flyball::solver
