#include "optimise/mpc_engine.h"

#include <cmath>
#include <limits>

#include "optimise/kernels.h"

namespace flyball::optimise {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNone = 1e8;         ///< a limit this large means none
constexpr double kTolerance = 1e-11;  ///< of the range between the limits
constexpr double kResidual = 1e-12;   ///< of active limits, over 1 + |value|
constexpr double kDrift = 1e-9;       ///< beyond it the root is built again

std::vector<double> penalties(const std::vector<Tier>& tiers, const Shape& shape, bool quadratic) {
  std::vector<double> out;
  for (const Tier& t : tiers) {
    if (!t.soft) continue;
    const Vector& v = quadratic ? t.quadratic : t.linear;
    for (Index j = 0; j < shape.cvs; ++j)
      out.insert(out.end(), static_cast<std::size_t>(MpcEngine::slacks_each(t, shape)),
                 v.size() > 0 ? v(j) : 0.0);
  }
  return out;
}

}  // namespace

MpcEngine::MpcEngine(std::shared_ptr<const Condensed> model, const std::vector<Tier>& tiers,
                     Index column_bytes)
    : model_(std::move(model)),
      shape_(model_->shape()),
      tiers_(tiers),
      set_(*model_, penalties(tiers, shape_, true), penalties(tiers, shape_, false), column_bytes),
      cvs_(tiers.size()),
      start_(shape_.u_at()),
      v0_(shape_.length()),
      work_(shape_.length()),
      u_prev_(shape_.mvs),
      unclipped_(shape_.n4) {
  Index slack = 0;
  for (const Tier& t : tiers_) {
    first_slack_.push_back(slack);
    if (t.soft) slack += shape_.cvs * slacks_each(t, shape_);
  }
  const auto room = [](Limits& l, Index n) {
    for (Doubles* d : {&l.low, &l.high, &l.scan_low, &l.scan_high}) *d = Doubles(n);
    for (Doubles* d : {&l.low, &l.scan_low}) std::fill_n(d->data(), n, -kInfinity);
    for (Doubles* d : {&l.high, &l.scan_high}) std::fill_n(d->data(), n, kInfinity);
  };
  room(moves_, shape_.n4);
  room(values_, shape_.n4);
  for (Limits& l : cvs_) room(l, shape_.rows);
  std::copy_n(model_->constant().data(), shape_.u_at(), start_.data());
  v_ = v0_.data();
  u_ = v0_.data() + shape_.u_at();
}

void MpcEngine::set_limits(Limits& limits, const double* low, const double* high,
                           Index n) noexcept {
  for (Index i = 0; i < n; ++i) {
    limits.low[i] = low[i] > -kNone ? low[i] : -kInfinity;
    limits.high[i] = high[i] < kNone ? high[i] : kInfinity;
    const double range = limits.high[i] - limits.low[i];
    const double tolerance = kTolerance * (std::isfinite(range) && range > 0 ? range : 1.0);
    limits.scan_low[i] = limits.low[i] - tolerance;
    limits.scan_high[i] = limits.high[i] + tolerance;
  }
}

void MpcEngine::limit_moves(const double* low, const double* high) noexcept {
  restart();
  set_limits(moves_, low, high, shape_.n);
}

void MpcEngine::limit_values(const double* low, const double* high) noexcept {
  restart();
  set_limits(values_, low, high, shape_.n);
}

void MpcEngine::limit_cvs(Index tier, const double* low, const double* high) noexcept {
  restart();
  Limits& limits = cvs_[static_cast<std::size_t>(tier)];
  for (Index j = 0; j < shape_.cvs; ++j) {
    for (Index k = 0; k < shape_.horizon; ++k) {
      const Index r = j * shape_.p4 + k;
      const bool none =
          !tiers_[static_cast<std::size_t>(tier)].soft && !model_->reached(shape_.y_at() + r);
      limits.low[r] = none ? -kInfinity : low[j * shape_.horizon + k];
      limits.high[r] = none ? kInfinity : high[j * shape_.horizon + k];
    }
  }
  set_limits(limits, limits.low.data(), limits.high.data(), shape_.rows);
}

void MpcEngine::set_linear(Index tier, Index cv, double linear) noexcept {
  restart();
  for (Index s = 0; s < slacks_each(tier); ++s) set_.set_linear(first_slack(tier, cv) + s, linear);
}

void MpcEngine::restart() noexcept {
  for (Index i = 0; i < set_.size(); ++i) leave(set_.at(i));
  set_.clear();
}

MpcEngine::Limits& MpcEngine::limits_of(const Constraint& c) noexcept {
  if (c.tier >= 0) return cvs_[static_cast<std::size_t>(c.tier)];
  return c.row < shape_.n ? moves_ : values_;
}

/// A limit in the set is not looked at.
void MpcEngine::scan(const Constraint& c, bool on) noexcept {
  if (c.row < 0) return;
  Limits& l = limits_of(c);
  const Index i = c.tier >= 0        ? c.row - shape_.y_at()
                  : c.row < shape_.n ? c.row
                                     : c.row - shape_.u_at();
  const double range = l.high[i] - l.low[i];
  const double tolerance = kTolerance * (std::isfinite(range) && range > 0 ? range : 1.0);
  const bool both = l.low[i] == l.high[i];  // an equation: one side of it is enough
  if (c.side > 0 || both) l.scan_high[i] = on ? l.high[i] + tolerance : kInfinity;
  if (c.side < 0 || both) l.scan_low[i] = on ? l.low[i] - tolerance : -kInfinity;
}

Answer MpcEngine::solve(const double* theta, const double* u_prev) noexcept {
  iterations_ = 0;
  late_ = false;
  model_->closed_form(theta, start_.data(), v0_.data());
  std::copy_n(u_prev, shape_.mvs, u_prev_.data());
  model_->accumulate(v0_.data(), u_prev, v0_.data() + shape_.u_at());
  const auto removed = [this](const Constraint& c) noexcept {
    leave(c);
    ++iterations_;
  };
  if (set_.size() > 0) {
    set_.refresh(v0_.data());
    set_.drop_negative(removed);
  }
  fresh_ = iterations_ == 0;
  set_.set_slacks();
  move_values();
  while (true) {
    Found next = worst_of_moves();
    if (!next.any) {
      polish();
      const Index before = iterations_;
      set_.drop_negative(removed);
      if (iterations_ != before) {
        fresh_ = false;
        set_.set_slacks();
        move_values();
        continue;
      }
      next = worst_of_moves();
      if (!next.any) next = worst_of_cvs();
      if (!next.any) return Answer::solved;
    }
    late_ = deadline_ != Clock::time_point::max() && Clock::now() >= deadline_;
    if (++iterations_ > iteration_limit_ || late_) {
      std::copy_n(v_, shape_.n, unclipped_.data());
      clip(u_prev);
      return Answer::limit;
    }
    if (set_.add(next.constraint, v0_.data(), next.violation, removed) != WorkingSet::Added::yes)
      return Answer::infeasible;
    enter(next.constraint);
    fresh_ = false;
    set_.set_slacks();
    move_values();
  }
}

void MpcEngine::move_values() noexcept {
  v_ = set_.size() == 0 ? v0_.data() : work_.data();
  u_ = v_ + shape_.u_at();
  if (set_.size() == 0) return;
  set_.subtract(v0_.data(), 0, shape_.n4, v_);
  model_->accumulate(v_, u_prev_.data(), u_);
}

void MpcEngine::cv_values() noexcept {
  if (set_.size() > 0) set_.subtract(v0_.data(), shape_.y_at(), shape_.rows, v_);
}

/// Multipliers from the root itself, and from the residuals of the active limits if they are not
/// small enough: what is answered does not carry the rounding of the way there.
void MpcEngine::polish() noexcept {
  if (!fresh_ && set_.size() > 0) {
    set_.refresh(v0_.data());
    set_.set_slacks();
    move_values();
  }
  cv_values();
  fresh_ = true;
  for (int round = 0; round < 4 && set_.size() > 0; ++round) {
    const double residual = set_.refine(v0_.data(), v_, kResidual);
    if (residual <= kResidual) return;
    if (round == 1 && residual > kDrift) {
      for (Index i = 0; i < set_.size(); ++i) leave(set_.at(i));
      set_.rebuild();
      for (Index i = 0; i < set_.size(); ++i) enter(set_.at(i));
      set_.refresh(v0_.data());
    }
    set_.set_slacks();
    move_values();
    cv_values();
  }
}

MpcEngine::Found MpcEngine::found(const Limits& limits, Index offset, Index row, std::int32_t tier,
                                  double shift_low, double shift_high) noexcept {
  const double value = (offset >= shape_.u_at() ? u_ - shape_.u_at() : v_)[offset + row];
  const double over = value - (limits.scan_high[row] + shift_high);
  const double under = (limits.scan_low[row] - shift_low) - value;
  Constraint c{.row = offset + row, .slack = -1, .tier = tier};
  c.side = over > under ? 1.0 : -1.0;
  c.bound = over > under ? limits.high[row] : limits.low[row];
  if (tier >= 0 && is_soft(tier)) c.slack = slack_at(tier, row, c.side);
  return {c, c.side * (value - c.bound) - (over > under ? shift_high : shift_low), true};
}

MpcEngine::Found MpcEngine::worst_of_moves() noexcept {
  const double* w = model_->weights().data();
  const double noise = set_.noise();
  const Worst z =
      worst(v_, moves_.scan_low.data(), moves_.scan_high.data(), w, 0, 0, shape_.n4, noise);
  const Worst u = worst(u_, values_.scan_low.data(), values_.scan_high.data(), w + shape_.u_at(), 0,
                        0, shape_.n4, std::max(noise, z.value));
  if (u.at >= 0) return found(values_, shape_.u_at(), u.at, -1, 0, 0);
  if (z.at >= 0) return found(moves_, 0, z.at, -1, 0, 0);
  return {};
}

MpcEngine::Found MpcEngine::worst_of_cvs() noexcept {
  Found best;
  double value = set_.noise();
  for (std::size_t t = 0; t < tiers_.size(); ++t) {
    const auto tier = static_cast<std::int32_t>(t);
    const bool shifts = tiers_[t].soft && tiers_[t].slack != Shares::step;
    for (Index j = 0; j < shape_.cvs; ++j) {
      const Index from = j * shape_.p4;
      const double low = shifts ? set_.slack(slack_at(tier, from, -1)) : 0.0;
      const double high = shifts ? set_.slack(slack_at(tier, from, 1)) : 0.0;
      const Worst here =
          worst(y() + from, cvs_[t].scan_low.data() + from, cvs_[t].scan_high.data() + from,
                model_->weights().data() + shape_.y_at() + from, low, high, shape_.p4, value);
      if (here.at < 0) continue;
      value = here.value;
      best = found(cvs_[t], shape_.y_at(), from + here.at, tier, low, high);
    }
  }
  if (best.any) return best;
  for (Index s = 0; s < set_.slacks(); ++s) {
    if (set_.slack(s) < -kTolerance)
      return {{.row = -1, .slack = s, .tier = -1}, -set_.slack(s), true};
  }
  return best;
}

/// Every move within its limits and every value within its own, whatever the multipliers say.
void MpcEngine::clip(const double* u_prev) noexcept {
  if (v_ == v0_.data()) std::copy_n(v0_.data(), shape_.length(), work_.data());
  v_ = work_.data();
  u_ = v_ + shape_.u_at();
  for (Index p = 0; p < shape_.n; ++p) {
    const double before = p < shape_.mvs ? u_prev[p] : u_[p - shape_.mvs];
    const double low = std::max(moves_.low[p], values_.low[p] - before);
    const double high = std::min(moves_.high[p], values_.high[p] - before);
    v_[p] = std::clamp(v_[p], std::min(low, high), std::max(low, high));
    u_[p] = before + v_[p];
  }
  for (Index r = 0; r < shape_.rows; ++r) v_[shape_.y_at() + r] = 0;
}

}  // namespace flyball::optimise
