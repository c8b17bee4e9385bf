#include "testbed/channel.h"

#include <cmath>

namespace flyball::testbed {
namespace {

/// Whole periods in θ; what is within 1e-9 of a whole number counts as one.
double whole_periods(double dead_time, double period) {
  return std::floor(dead_time / period + 1e-9);
}

}  // namespace

std::int64_t ChannelSpec::dead_steps(double period) const {
  return static_cast<std::int64_t>(whole_periods(dead_time, period)) + 1;
}

Channel::Channel(const ChannelSpec& spec, double period)
    : spec_(spec),
      period_(period),
      fraction_(std::max(0.0, spec.dead_time - period * whole_periods(spec.dead_time, period))),
      waiting_(static_cast<std::size_t>(whole_periods(spec.dead_time, period)) + 1, 0.0) {
  if (fraction_ < 1e-9 * period) fraction_ = 0;
}

double Channel::output() const {
  if (spec_.integrating) return x1_;
  return spec_.gain * (spec_.tau2 > 0 ? x2_ : x1_);
}

void Channel::advance(double u) {
  // The ring holds u(t−d−1) at next_ and u(t−d) after it, d whole periods of dead time.
  const double older = waiting_[next_];
  waiting_[next_] = u;
  next_ = (next_ + 1) % waiting_.size();
  flow(older, fraction_);
  flow(waiting_[next_], period_ - fraction_);
}

/// Exact for constant u. With τ₁ = τ₂ the second state has the limit form t/τ·e^(−t/τ).
void Channel::flow(double u, double seconds) {
  if (seconds <= 0 || spec_.gain == 0) return;
  if (spec_.integrating) {
    x1_ += spec_.gain * u * seconds;
    return;
  }
  const double e1 = std::exp(-seconds / spec_.tau1);
  const double gap1 = x1_ - u;
  if (spec_.tau2 > 0) {
    const double e2 = std::exp(-seconds / spec_.tau2);
    const double difference = spec_.tau1 - spec_.tau2;
    const double carried = std::abs(difference) < 1e-9 * spec_.tau1
                               ? seconds / spec_.tau1 * e1
                               : spec_.tau1 / difference * (e1 - e2);
    x2_ = u + (x2_ - u) * e2 + gap1 * carried;
  }
  x1_ = u + gap1 * e1;
}

}  // namespace flyball::testbed
