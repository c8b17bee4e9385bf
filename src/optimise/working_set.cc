#include "optimise/working_set.h"

#include <cmath>
#include <limits>

#include "optimise/kernels.h"

namespace flyball::optimise {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kRounding = 4e-15;
constexpr double kNearly = 1e-4;
constexpr double kNegative = 1e-13;  ///< of the largest multiplier, each times its norm

}  // namespace

WorkingSet::WorkingSet(const Condensed& model, std::vector<double> quadratic,
                       std::vector<double> linear, Index column_bytes)
    : model_(model),
      quadratic_(std::move(quadratic)),
      linear_(std::move(linear)),
      columns_(model, model.shape().n + static_cast<Index>(quadratic_.size()) + 2, column_bytes),
      root_(model.shape().n + 2 * static_cast<Index>(quadratic_.size()) + 2) {
  const Index room = padded(root_.capacity() + 1);
  const auto slacks = static_cast<Index>(quadratic_.size());
  for (Doubles* d : {&lambda_, &signed_, &rhs_, &s_, &r_, &q_, &t_, &norm_}) *d = Doubles(room);
  epsilon_ = Doubles(slacks);
  active_.resize(static_cast<std::size_t>(room));
  column_.resize(static_cast<std::size_t>(room));
  used_.resize(static_cast<std::size_t>(room));
  rows_of_slack_.assign(quadratic_.size(), 0);
  pins_.assign(quadratic_.size(), 0);
}

bool WorkingSet::pinned(Index s) const noexcept {
  const auto i = static_cast<std::size_t>(s);
  return pins_[i] > 0 || (linear_[i] > 0 && rows_of_slack_[i] == 0);
}

/// side·(v − bound) − ε of an unconstrained slack.
double WorkingSet::offset(const Constraint& c, const double* v) const noexcept {
  const double own = c.slack < 0 ? 0.0
                                 : linear_[static_cast<std::size_t>(c.slack)] /
                                       quadratic_[static_cast<std::size_t>(c.slack)];
  return (c.row < 0 ? 0.0 : c.side * (v[c.row] - c.bound)) + own;
}

void WorkingSet::refresh(const double* v0) noexcept {
  for (Index i = 0; i < size(); ++i) rhs_[i] = offset(at(i), v0);
  for (Index i = size(); i < padded(size()); ++i) rhs_[i] = 0;
  root_.solve(rhs_.data(), lambda_.data());
}

double WorkingSet::refine(const double* v0, const double* v, double tolerance) noexcept {
  double largest = 0;
  for (Index i = 0; i < size(); ++i) {
    const Constraint& c = at(i);
    const double slack = c.slack < 0 ? 0.0 : epsilon_[c.slack];
    const double value = (c.row < 0 ? 0.0 : c.side * (v[c.row] - c.bound)) - slack;
    const double scale =
        c.row < 0 ? 1 + std::abs(slack) : 1 + std::abs(c.bound) + std::abs(v0[c.row]);
    s_[i] = value;
    largest = std::max(largest, std::abs(value) / scale);
  }
  if (largest <= tolerance) return largest;
  for (Index i = size(); i < padded(size()); ++i) s_[i] = 0;
  root_.solve(s_.data(), r_.data());
  for (Index i = 0; i < size(); ++i) lambda_[i] += r_[i];
  return largest;
}

Index WorkingSet::most_negative() const noexcept {
  double largest = 0;
  double least = 0;
  Index at_least = -1;
  for (Index i = 0; i < size(); ++i) {
    const double x = lambda_[i] * norm_[i];
    largest = std::max(largest, std::abs(x));
    if (x < least) {
      least = x;
      at_least = i;
    }
  }
  return least < -kNegative * largest ? at_least : -1;
}

/// a_c H⁻¹ a_o, and 1/ρ where they share a slack; `column` is that of c.
double WorkingSet::product(const Constraint& c, const double* column,
                           const Constraint& o) const noexcept {
  double value = 0;
  if (c.row >= 0 && o.row >= 0) value = c.side * o.side * column[o.row];
  if (c.slack >= 0 && c.slack == o.slack)
    value += 1 / quadratic_[static_cast<std::size_t>(c.slack)];
  return value;
}

void WorkingSet::project(const Constraint& c, const double* column) noexcept {
  for (Index i = 0; i < size(); ++i) s_[i] = product(c, column, at(i));
  for (Index i = size(); i < padded(size()); ++i) s_[i] = 0;
  incoming_norm_ = product(c, column, c);
  delta_ = incoming_norm_ - root_.project(s_.data(), r_.data());
  if (size() == 0 || delta_ > kNearly * incoming_norm_) return;
  // Nearly dependent: r once more from its residual, δ from r.
  for (Index i = 0; i < size(); ++i) {
    double left = s_[i];
    for (Index j = 0; j < size(); ++j)
      left -= product(at(i), column_[static_cast<std::size_t>(i)], at(j)) * r_[j];
    q_[i] = left;
  }
  for (Index i = size(); i < padded(size()); ++i) q_[i] = 0;
  root_.solve(q_.data(), t_.data());
  delta_ = incoming_norm_;
  for (Index i = 0; i < size(); ++i) {
    r_[i] += t_[i];
    delta_ -= s_[i] * r_[i];
  }
}

void WorkingSet::open(const Constraint& c) noexcept {
  if (c.slack >= 0 && c.row >= 0) {  // its slack stands at 0 by its linear cost until rows push it
    const auto s = static_cast<std::size_t>(c.slack);
    if (linear_[s] > 0 && rows_of_slack_[s] == 0 && pins_[s] == 0) {
      const Constraint pin{.row = -1, .slack = c.slack, .tier = c.tier};
      incoming_norm_ = 1 / quadratic_[s];
      std::fill_n(r_.data(), padded(size() + 1), 0.0);
      delta_ = incoming_norm_;
      push(pin, nullptr, linear_[s]);
      rhs_[size() - 1] = offset(pin, nullptr);
    }
  }
  incoming_ = c;
  incoming_column_ = c.row >= 0 ? columns_.hold(model_, c.row) : nullptr;
  incoming_multiplier_ = 0;
  project(c, incoming_column_);
}

/// As far as the multipliers of the set allow: the place that blocks, kDone or kInfeasible.
Index WorkingSet::step(double& violation) noexcept {
  const bool dependent = delta_ <= kDependent * incoming_norm_ || size() >= capacity();
  double t = dependent ? kInfinity : violation / delta_;
  Index blocking = kDone;
  for (Index i = 0; i < size(); ++i) {
    if (r_[i] > 1e-14 * norm_[i] && lambda_[i] < t * r_[i]) {
      t = std::max(0.0, lambda_[i] / r_[i]);
      blocking = i;
    }
  }
  if (t == kInfinity) {
    if (incoming_.row >= 0) columns_.release(model_, incoming_.row);
    return kInfeasible;
  }
  for (Index i = 0; i < size(); ++i) lambda_[i] -= t * r_[i];
  incoming_multiplier_ += t;
  if (blocking >= 0) {
    lambda_[blocking] = 0;
    violation -= dependent ? 0.0 : t * delta_;
  }
  return blocking;
}

void WorkingSet::close(const Constraint& c, const double* v0) noexcept {
  push(c, incoming_column_, incoming_multiplier_);
  rhs_[size() - 1] = offset(c, v0);
}

void WorkingSet::push(const Constraint& c, const double* column, double multiplier) noexcept {
  const Index i = size();
  root_.append(r_.data(), delta_);
  active_[static_cast<std::size_t>(i)] = c;
  column_[static_cast<std::size_t>(i)] = column;
  lambda_[i] = multiplier;
  norm_[i] = std::sqrt(incoming_norm_);
  if (c.slack >= 0) ++(c.row < 0 ? pins_ : rows_of_slack_)[static_cast<std::size_t>(c.slack)];
}

/// Also keeps r and δ of the constraint that is coming in.
void WorkingSet::drop(Index i) noexcept {
  const Index last = size() - 1;
  const Constraint gone = at(i);
  const double norm = root_.remove(i, q_.data());
  const double multiplier = lambda_[i] / norm;
  const double r = r_[i] / norm;
  for (Index j = 0; j <= last; ++j) {
    lambda_[j] -= q_[j] * multiplier;
    r_[j] -= q_[j] * r;
  }
  delta_ += r * r;
  for (Doubles* d : {&lambda_, &rhs_, &r_, &norm_}) (*d)[i] = (*d)[last];
  active_[static_cast<std::size_t>(i)] = active_[static_cast<std::size_t>(last)];
  column_[static_cast<std::size_t>(i)] = column_[static_cast<std::size_t>(last)];
  rhs_[last] = 0;
  r_[last] = 0;
  if (gone.row >= 0) columns_.release(model_, gone.row);
  if (gone.slack >= 0)
    --(gone.row < 0 ? pins_ : rows_of_slack_)[static_cast<std::size_t>(gone.slack)];
}

void WorkingSet::subtract(const double* v0, Index from, Index rows, double* out) noexcept {
  Index count = 0;
  for (Index i = 0; i < size(); ++i) {
    if (column_[static_cast<std::size_t>(i)] == nullptr) continue;
    signed_[count] = lambda_[i] * at(i).side;
    used_[static_cast<std::size_t>(count++)] = column_[static_cast<std::size_t>(i)];
  }
  subtract_columns(used_.data(), signed_.data(), count, from, rows, v0 + from, out + from);
}

double WorkingSet::noise() const noexcept {
  double sum = 0;
  for (Index i = 0; i < size(); ++i)
    if (at(i).row >= 0) sum += std::abs(lambda_[i]) * norm_[i];
  return kRounding * sum;
}

void WorkingSet::set_slacks() noexcept {
  for (Index s = 0; s < slacks(); ++s)
    epsilon_[s] = pinned(s) ? 0.0 : -linear_[static_cast<std::size_t>(s)];
  for (Index i = 0; i < size(); ++i) {
    const Constraint& c = at(i);
    if (c.slack >= 0 && !pinned(c.slack)) epsilon_[c.slack] += lambda_[i];
  }
  for (Index s = 0; s < slacks(); ++s) epsilon_[s] /= quadratic_[static_cast<std::size_t>(s)];
}

void WorkingSet::clear() noexcept {
  for (Index i = 0; i < size(); ++i)
    if (at(i).row >= 0) columns_.release(model_, at(i).row);
  root_.clear();
  std::fill(rows_of_slack_.begin(), rows_of_slack_.end(), 0);
  std::fill(pins_.begin(), pins_.end(), 0);
}

void WorkingSet::rebuild() noexcept {
  Index count = size();
  root_.clear();
  while (size() < count) {
    const auto i = static_cast<std::size_t>(size());
    const Constraint c = active_[i];
    project(c, column_[i]);
    if (delta_ > kDependent * incoming_norm_) {
      root_.append(r_.data(), delta_);
      continue;
    }
    if (c.row >= 0) columns_.release(model_, c.row);
    if (c.slack >= 0) --(c.row < 0 ? pins_ : rows_of_slack_)[static_cast<std::size_t>(c.slack)];
    const auto last = static_cast<std::size_t>(--count);
    active_[i] = active_[last];
    column_[i] = column_[last];
    rhs_[size()] = rhs_[count];
    norm_[size()] = norm_[count];
  }
}

}  // namespace flyball::optimise
