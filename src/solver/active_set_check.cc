#include <algorithm>
#include <cmath>

#include "solver/active_set.h"
#include "solver/kernels.h"

namespace flyball::solver {

/// x of the present λ: x0 − L⁻ᵀ V_W λ.
void ActiveSet::point() noexcept {
  work_.setZero();
  for (Index k = 0; k < factor_.size(); ++k) {
    const Index i = set_[k], from = metric_from(i);
    axpy(work_.data() + from, lambda_[k], metric(i) + from, n_ - from);
  }
  upper_solve(work_.data());
  x_ = x0_ - work_;
}

/// Residuals of (x, λ) by their definition; residual_ = Hx + g + Aᵀλ, activity_ = Ax.
void ActiveSet::measure() noexcept {
  Solution& s = solution_;
  times(hx_.data(), h_.data(), x_.data(), n_, n_);
  residual_ = hx_ + g_;
  s.objective = 0.5 * (dot(x_.data(), hx_.data(), n_)) + dot(g_.data(), x_.data(), n_);
  double primal = 0;
  const auto violation = [&](Index i, double value) {
    const double v = std::max(low_[i] - value, value - up_[i]);
    if (v > primal * scale_[i]) primal = v / scale_[i];
  };
  for (Index i = 0; i < n_; ++i) violation(i, x_[i]);
  transposed_times(activity_.data(), rows_.data(), x_.data(), n_, m_);
  for (Index i = 0; i < m_; ++i) violation(n_ + i, activity_[i]);
  double gap = 0, most = 0;
  for (Index k = 0; k < factor_.size(); ++k) {
    const Index i = set_[k];
    const double lambda = lambda_[k];
    const double value = i < n_ ? x_[i] : activity_[i - n_];
    if (lambda != 0) {
      const double product = lambda * ((lambda > 0 ? up_[i] : low_[i]) - value);
      gap += product;
      most = std::max(most, std::abs(product));
    }
    if (i < n_) {
      residual_[i] += lambda;
    } else {
      axpy(residual_.data(), lambda, &rows_(0, i - n_), n_);
    }
  }
  s.residuals = {residual_.cwiseAbs().maxCoeff() / (1 + g_.cwiseAbs().maxCoeff()), primal,
                 std::max(std::abs(gap), most) / (1 + std::abs(s.objective))};
}

/// One step of iterative refinement on Hx + A_Wᵀλ = −g, A_W x = b.
void ActiveSet::correct() noexcept {
  const Index k = factor_.size();
  work_ = residual_;
  lower_solve(work_.data());
  for (Index j = 0; j < k; ++j) {
    const Index i = set_[j], from = metric_from(i);
    star_[j] = (i < n_ ? x_[i] : activity_[i - n_]) - limit_of(j) -
               dot(metric(i) + from, work_.data() + from, n_ - from);
  }
  factor_.solve(star_.data());
  for (Index j = 0; j < k; ++j) {
    const Index i = set_[j], from = metric_from(i);
    lambda_[j] += star_[j];
    axpy(work_.data() + from, star_[j], metric(i) + from, n_ - from);
  }
  upper_solve(work_.data());
  x_ -= work_;
}

/// Corrects until the residuals are a hundredth of the tolerance or no longer halve. A multiplier
/// that refinement turned is put to 0. True when the residuals meet the tolerance.
bool ActiveSet::refine(int corrections) noexcept {
  measure();
  for (int i = 0; i < corrections; ++i) {
    const double before = solution_.residuals.worst();
    if (before <= 0.01 * settings_.tolerance) break;
    correct();
    for (Index k = 0; k < factor_.size(); ++k) {
      if (side_[k] * lambda_[k] < 0) lambda_[k] = 0;
    }
    measure();
    if (!(solution_.residuals.worst() < 0.5 * before) && i > 0) break;
  }
  return solution_.residuals.worst() <= settings_.tolerance;
}

double ActiveSet::objective(const Vector& x) noexcept {
  times(hx_.data(), h_.data(), x.data(), n_, n_);
  return 0.5 * dot(x.data(), hx_.data(), n_) + dot(g_.data(), x.data(), n_);
}

bool ActiveSet::feasible(const Vector& x) noexcept {
  for (Index i = 0; i < total_; ++i) {
    const double value = i < n_ ? x[i] : dot(&rows_(0, i - n_), x.data(), n_);
    const double room = settings_.tolerance * scale_[i];
    if (!(value >= low_[i] - room && value <= up_[i] + room)) return false;
  }
  return true;
}

/// At a limit of iterations or time: the best known feasible point (the unfinished x put inside its
/// bounds, or the way from the last answer towards it as far as it is feasible) with its gap to the
/// dual bound. `feasible` stays false when there is none; x is then the unfinished one.
void ActiveSet::best_feasible() noexcept {
  Solution& s = solution_;
  // The dual objective at λ is a lower bound: −½‖L⁻¹(g + A_Wᵀλ)‖² − λᵀb, λ with the signs of its
  // sides.
  double bound = -kInfinity;
  if (!proximal_) {
    work_ = g_;
    bound = 0;
    for (Index k = 0; k < factor_.size(); ++k) {
      if (side_[k] * lambda_[k] < 0) continue;
      bound -= lambda_[k] * limit_of(k);
      if (set_[k] < n_) {
        work_[set_[k]] += lambda_[k];
      } else {
        axpy(work_.data(), lambda_[k], &rows_(0, set_[k] - n_), n_);
      }
    }
    lower_solve(work_.data());
    bound -= 0.5 * dot(work_.data(), work_.data(), n_);
  }
  double best = kInfinity;
  trial_ = x_.cwiseMax(low_.head(n_)).cwiseMin(up_.head(n_));
  if (feasible(trial_)) {
    best = objective(trial_);
    s.x = trial_;
  }
  if (has_previous_ && feasible(previous_)) {
    double step = 1;
    for (Index i = 0; i < total_; ++i) {
      const double from = i < n_ ? previous_[i] : dot(&rows_(0, i - n_), previous_.data(), n_);
      const double to = i < n_ ? x_[i] : dot(&rows_(0, i - n_), x_.data(), n_);
      if (to > up_[i]) step = std::min(step, std::max(0.0, (up_[i] - from) / (to - from)));
      if (to < low_[i]) step = std::min(step, std::max(0.0, (low_[i] - from) / (to - from)));
    }
    trial_ = previous_ + step * (x_ - previous_);
    const double value = objective(trial_);
    if (value < best && feasible(trial_)) {
      best = value;
      s.x = trial_;
    }
  }
  s.feasible = best < kInfinity;
  if (s.feasible) {
    s.objective = best;
    s.gap = std::max(0.0, best - bound);
  }
}

}  // namespace flyball::solver
