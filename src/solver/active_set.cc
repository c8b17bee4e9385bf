#include "solver/active_set.h"

#include <cmath>

#include "solver/kernels.h"

namespace flyball::solver {

namespace {

/// The share of the tolerance at which a limit counts as met inside the method.
constexpr double kInside = 0.01;
constexpr int kRounds = 12, kProximalRounds = 200;

}  // namespace

void ActiveSet::forget() noexcept {
  set_.clear();
  side_.clear();
  std::fill(place_.begin(), place_.end(), Index{-1});
  factor_.clear();
  has_previous_ = starts_at_x_ = false;
}

void ActiveSet::start_from(const std::vector<signed char>& active, const Vector& x) noexcept {
  forget();
  for (Index i = 0; i < total_ && factor_.size() < n_; ++i) {
    if (active[i] == 0 || length_[i] == 0) continue;
    const double p = pivot(i);
    if (p <= 1e-6 * length_[i]) continue;
    factor_.append(entering_.data(), p);
    place_[i] = static_cast<Index>(set_.size());
    set_.push_back(i);
    side_.push_back(active[i] == 2 ? 0 : active[i]);
  }
  x_ = x;
  starts_at_x_ = true;
}

bool ActiveSet::out_of_time() const noexcept {
  if (settings_.time_limit == kInfinity) return false;
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begun_;
  return spent.count() > settings_.time_limit;
}

void ActiveSet::lower_solve(double* b) noexcept {
  lower_times(solved_.data(), v_.data(), b, n_);
  std::copy_n(solved_.data(), n_, b);
}

void ActiveSet::upper_solve(double* b) noexcept {
  lower_transposed_times(solved_.data(), v_.data(), b, n_);
  std::copy_n(solved_.data(), n_, b);
}

bool ActiveSet::load(const ConstVectorRef& g, const ConstVectorRef& row_lower,
                     const ConstVectorRef& row_upper, const ConstVectorRef& lower,
                     const ConstVectorRef& upper) noexcept {
  const auto take = [this](const ConstVectorRef& from, double* to, Index size,
                           std::string_view field, bool finite, double refused) {
    if (from.size() != size) return solution_.fault = {field, from.size(), -1}, false;
    for (Index i = 0; i < size; ++i) {
      const double value = from[i];
      if (std::isnan(value) || value == refused || (finite && std::isinf(value))) {
        return solution_.fault = {field, i, 0}, false;
      }
      to[i] = value;
    }
    return true;
  };
  return take(g, g_.data(), n_, "g", true, kInfinity) &&
         take(lower, low_.data(), n_, "lower", false, kInfinity) &&
         take(upper, up_.data(), n_, "upper", false, -kInfinity) &&
         take(row_lower, low_.data() + n_, m_, "rowLower", false, kInfinity) &&
         take(row_upper, up_.data() + n_, m_, "rowUpper", false, -kInfinity);
}

/// A limit pair that contradicts itself, or a row without entries whose limits leave out 0.
bool ActiveSet::contradiction() noexcept {
  for (Index i = 0; i < total_; ++i) {
    const double room = settings_.tolerance * limit_scale(low_[i], up_[i], coefficient_[i]);
    Certificate& c = solution_.certificate;
    if (low_[i] > up_[i]) {
      if (low_[i] - up_[i] <= room) {
        low_[i] = up_[i] = 0.5 * (low_[i] + up_[i]);
        continue;
      }
      c.crossed = i;
      c.limit = up_[i] - low_[i];
    } else if (length_[i] == 0 && std::max(low_[i], -up_[i]) > room) {
      c.limit = -std::max(low_[i], -up_[i]);
    } else {
      continue;
    }
    c.residual = 0;
    c.y.setZero();
    c.z.setZero();
    if (c.crossed < 0) c.y[i - n_] = low_[i] > 0 ? -1 : 1;
    return true;
  }
  return false;
}

void ActiveSet::start() noexcept {
  const double inside = kInside * settings_.tolerance;
  for (Index i = 0; i < total_; ++i) {
    scale_[i] = limit_scale(low_[i], up_[i], coefficient_[i]);
    low_tested_[i] = low_[i] - inside * scale_[i];
    up_tested_[i] = up_[i] + inside * scale_[i];
    weight_[i] = length_[i] > 0 && place_[i] < 0 ? 1 / length_[i] : 0;
  }
  adopt_sides();
  for (Index i = 0; i < total_ && factor_.size() < n_; ++i) {
    if (place_[i] >= 0 || low_[i] != up_[i] || length_[i] == 0) continue;
    const double p = pivot(i);
    if (p <= 1e-6 * length_[i]) continue;  // dependent: priced like any other
    factor_.append(entering_.data(), p);
    place_[i] = static_cast<Index>(set_.size());
    set_.push_back(i);
    side_.push_back(0);
    weight_[i] = 0;
  }
}

/// The last working set under the new limits: a side that became infinite leaves.
void ActiveSet::adopt_sides() noexcept {
  for (Index k = static_cast<Index>(set_.size()) - 1; k >= 0; --k) {
    const Index i = set_[k];
    if (low_[i] == up_[i]) {
      side_[k] = 0;
    } else if (side_[k] == 0) {
      side_[k] = up_[i] < kInfinity ? 1 : -1;
    }
    const double limit = side_[k] >= 0 ? up_[i] : low_[i];
    lambda_[k] = 0;
    if (std::isinf(limit)) leave(k);
  }
}

/// The base of the next run: the minimiser x0 without limits (of the proximal model around x), the
/// values a_i x0 there. Later rounds start from the residual, so that rounding errors shrink.
void ActiveSet::centre(bool first) noexcept {
  if (first) {
    work_ = g_;
    lower_solve(work_.data());
    upper_solve(work_.data());
    x0_ = -work_;
  } else {
    work_ = residual_;
    lower_solve(work_.data());
    upper_solve(work_.data());
    x0_ = x_ - work_;
  }
  for (Index i = 0; i < n_; ++i) base_[i] = x0_[i];
  transposed_times(base_.data() + n_, rows_.data(), x0_.data(), n_, m_);
  if (first) return;
  // x0 above already holds the pull of λ: take it out of the values (K λ) and of x0 itself.
  work_.setZero();
  for (Index k = 0; k < factor_.size(); ++k) {
    if (lambda_[k] == 0) continue;
    axpy(base_.data(), lambda_[k], column(set_[k]), total_);
    axpy(work_.data(), lambda_[k], metric(set_[k]), n_);
  }
  upper_solve(work_.data());
  x0_ += work_;
  for (Index k = 0; k < factor_.size(); ++k) {
    if (side_[k] * lambda_[k] < 0) lambda_[k] = 0;
  }
}

const Solution& ActiveSet::solve(const ConstVectorRef& g, const ConstVectorRef& row_lower,
                                 const ConstVectorRef& row_upper, const ConstVectorRef& lower,
                                 const ConstVectorRef& upper) noexcept {
  begun_ = std::chrono::steady_clock::now();
  Solution& s = solution_;
  if (has_previous_) previous_ = s.x;
  s.iterations = 0;
  s.gap = kInfinity;
  s.feasible = false;
  s.residuals = {};
  s.fault = {};
  s.certificate.crossed = -1;
  if (!load(g, row_lower, row_upper, lower, upper)) {
    s.status = Status::invalid;
    has_previous_ = false;
    return s;
  }
  if (contradiction()) return finish(Status::infeasible);
  start();
  const int rounds = proximal_ ? kProximalRounds : kRounds;
  double best = kInfinity;
  for (int round = 0, worse = 0; round < rounds && worse < 4; ++round) {
    if (round == 0 && starts_at_x_) measure();
    centre(round == 0 && !starts_at_x_);
    starts_at_x_ = false;
    const End end = run();
    if (end == End::infeasible) return finish(Status::infeasible);
    point();
    const bool good = refine(end == End::optimal ? 4 : 0);
    if (good) return finish(Status::solved);
    if (end == End::iterations) return finish(Status::iteration_limit);
    if (end == End::time || out_of_time()) return finish(Status::time_limit);
    const double now = s.residuals.worst();
    worse = now < 0.5 * best ? 0 : worse + (proximal_ ? 0 : 1);
    best = std::min(best, now);
  }
  return finish(s.residuals.worst() <= settings_.tolerance ? Status::solved : Status::unverified);
}

const Solution& ActiveSet::finish(Status status) noexcept {
  Solution& s = solution_;
  s.status = status;
  s.active = static_cast<int>(factor_.size());
  if (status == Status::infeasible) {
    has_previous_ = false;
    return s;
  }
  s.x = x_;
  s.y.setZero();
  s.z.setZero();
  for (Index k = 0; k < factor_.size(); ++k) {
    (set_[k] < n_ ? s.z[set_[k]] : s.y[set_[k] - n_]) = lambda_[k];
  }
  if (status == Status::solved) {
    s.feasible = true;
    s.gap = s.residuals.complementarity * (1 + std::abs(s.objective));
  } else {
    best_feasible();
  }
  has_previous_ = s.feasible;
  return s;
}

}  // namespace flyball::solver
