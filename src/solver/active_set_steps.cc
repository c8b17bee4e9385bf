#include <algorithm>
#include <cmath>

#include "solver/active_set.h"
#include "solver/kernels.h"

namespace flyball::solver {

namespace {

constexpr double kClear = 1e-8;  // K_pp − ‖r‖² above this share of K_pp is taken as it is
constexpr double kDependent = 1e-6;  // a pivot below this share of √K_pp: a dependent limit

}  // namespace

double ActiveSet::limit_of(Index position) const noexcept {
  const Index i = set_[position];
  return side_[position] >= 0 ? up_[i] : low_[i];
}

const double* ActiveSet::column(Index i) noexcept {
  if (slot_[i] < 0) {
    while (owner_[next_slot_] >= 0 && place_[owner_[next_slot_]] >= 0) {
      next_slot_ = (next_slot_ + 1) % columns_.cols();
    }
    if (owner_[next_slot_] >= 0) slot_[owner_[next_slot_]] = -1;
    slot_[i] = next_slot_;
    owner_[next_slot_] = i;
    next_slot_ = (next_slot_ + 1) % columns_.cols();
    double* to = &columns_(0, slot_[i]);
    const double* v = metric(i);
    for (Index p = 0; p < total_; ++p) {
      const Index from = std::max(metric_from(i), metric_from(p));
      to[p] = dot(metric(p) + from, v + from, n_ - from);
    }
  }
  return &columns_(0, slot_[i]);
}

ActiveSet::End ActiveSet::run() noexcept {
  const int most = settings_.max_iterations > 0
                       ? settings_.max_iterations
                       : static_cast<int>(std::min<Index>(100 + 10 * (n_ + total_), 1 << 30));
  for (;;) {
    if (solution_.iterations >= most) return End::iterations;
    if (solution_.iterations % 16 == 15 && out_of_time()) return End::time;
    ++solution_.iterations;
    if (!step_to_optimum_of_set()) continue;
    values_ = base_;
    for (Index k = 0; k < factor_.size(); ++k) {
      axpy(values_.data(), -lambda_[k], column(set_[k]), total_);
    }
    Entry entry = Entry::redundant;
    while (entry == Entry::redundant) {
      const Index p = worst_violation(values_.data(), low_tested_.data(), up_tested_.data(),
                                      weight_.data(), priced_.data(), 0, total_);
      if (p < 0) return End::optimal;
      entry = enter(p);
      if (entry == Entry::infeasible) return End::infeasible;
      if (entry == Entry::redundant) weight_[p] = 0;
    }
  }
}

/// λ to the optimum of the dual on the working set, or to the first multiplier that reaches 0 on
/// the way, which leaves (false).
bool ActiveSet::step_to_optimum_of_set() noexcept {
  const Index k = factor_.size();
  for (Index i = 0; i < k; ++i) star_[i] = base_[set_[i]] - limit_of(i);
  factor_.solve(star_.data());
  double step = 1, size = 0;
  Index blocking = -1;
  for (Index i = 0; i < k; ++i) {
    if (side_[i] * star_[i] >= 0) continue;
    const double ratio = lambda_[i] / (lambda_[i] - star_[i]);
    const double worth = std::abs(star_[i]) * length_[set_[i]];
    if (ratio < step || (ratio == step && worth > size)) {
      step = ratio;
      size = worth;
      blocking = i;
    }
  }
  if (blocking < 0) {
    std::copy_n(star_.data(), k, lambda_.data());
    return true;
  }
  for (Index i = 0; i < k; ++i) lambda_[i] += step * (star_[i] - lambda_[i]);
  leave(blocking);
  return false;
}

/// Rᵀ r = K(W, p) into entering_, returns ‖v_p − V_W K⁻¹ K(W, p)‖: its part outside the working
/// set.
double ActiveSet::pivot(Index p) noexcept {
  const Index k = factor_.size();
  const double* col = column(p);
  for (Index i = 0; i < k; ++i) entering_[i] = col[set_[i]];
  factor_.forward(entering_.data());
  const double squared = col[p] - dot(entering_.data(), entering_.data(), k);
  if (squared > kClear * col[p]) return std::sqrt(squared);
  // Nearly dependent: the difference above has lost its digits. Project once more.
  std::copy_n(entering_.data(), k, direction_.data());
  factor_.backward(direction_.data());
  for (int pass = 0; pass < 2; ++pass) {
    std::copy_n(metric(p), n_, work_.data());
    for (Index i = 0; i < k; ++i) axpy(work_.data(), -direction_[i], metric(set_[i]), n_);
    if (pass == 1) break;
    for (Index i = 0; i < k; ++i) star_[i] = dot(metric(set_[i]), work_.data(), n_);
    factor_.solve(star_.data());
    for (Index i = 0; i < k; ++i) direction_[i] += star_[i];
  }
  return std::sqrt(dot(work_.data(), work_.data(), n_));
}

ActiveSet::Entry ActiveSet::enter(Index p) noexcept {
  const double sign = values_[p] > up_[p] ? 1 : -1;
  entering_lambda_ = 0;
  for (;;) {
    const double part = factor_.size() < n_ || factor_.size() == 0 ? pivot(p) : (pivot(p), 0.0);
    const Index k = factor_.size();
    if (part > kDependent * length_[p] && k < n_) {
      factor_.append(entering_.data(), part);
      place_[p] = k;
      set_.push_back(p);
      side_.push_back(low_[p] == up_[p] ? 0 : static_cast<signed char>(sign));
      lambda_[k] = entering_lambda_;
      weight_[p] = 0;
      return Entry::added;
    }
    // direction_ may not hold K⁻¹ K(W, p) when the pivot was clear but the set is full.
    std::copy_n(entering_.data(), k, direction_.data());
    factor_.backward(direction_.data());
    double step = kInfinity;
    Index blocking = -1;
    for (Index i = 0; i < k; ++i) {
      direction_[i] *= -sign;
      if (side_[i] * direction_[i] >= 0) continue;
      const double t = -lambda_[i] / direction_[i];
      if (t < step) {
        step = t;
        blocking = i;
      }
    }
    if (blocking < 0) return certify(p, sign) ? Entry::infeasible : Entry::redundant;
    for (Index i = 0; i < k; ++i) lambda_[i] += step * direction_[i];
    entering_lambda_ += step * sign;
    leave(blocking);
  }
}

void ActiveSet::leave(Index position) noexcept {
  const Index i = set_[position];
  factor_.remove(position);
  place_[i] = -1;
  weight_[i] = length_[i] > 0 ? 1 / length_[i] : 0;
  for (Index k = position; k < factor_.size(); ++k) {
    set_[k] = set_[k + 1];
    side_[k] = side_[k + 1];
    lambda_[k] = lambda_[k + 1];
    direction_[k] = direction_[k + 1];
    place_[set_[k]] = k;
  }
  set_.pop_back();
  side_.pop_back();
}

/// Checks the Farkas vector direction_ on W, sign on p, with the rows as given.
bool ActiveSet::certify(Index p, double sign) noexcept {
  Certificate& c = solution_.certificate;
  c.y.setZero();
  c.z.setZero();
  c.limit = 0;
  double size = 0, tolerance = 0;
  work_.setZero();
  const auto put = [&](Index i, double value, double limit) {
    (i < n_ ? c.z[i] : c.y[i - n_]) = value;
    c.limit += value * limit;
    size = std::max(size, std::abs(value) * coefficient_[i]);
    tolerance += std::abs(value) * scale_[i];
    if (i < n_) {
      work_[i] += value;
    } else {
      axpy(work_.data(), value, &rows_(0, i - n_), n_);
    }
  };
  put(p, sign, sign > 0 ? up_[p] : low_[p]);
  for (Index k = 0; k < factor_.size(); ++k) {
    if (direction_[k] == 0) continue;
    put(set_[k], direction_[k], limit_of(k));
  }
  c.residual = work_.cwiseAbs().maxCoeff() / size;
  const bool holds = c.residual <= 1e-9 && c.limit < -settings_.tolerance * tolerance;
  c.y /= size;
  c.z /= size;
  c.limit /= size;
  return holds;
}

}  // namespace flyball::solver
