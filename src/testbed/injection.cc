#include "testbed/injection.h"

#include <cmath>

namespace flyball::testbed {

InjectionLine::InjectionLine(double hold, double melt, double batch, double weight_noise,
                             double sink_noise)
    : pressure_(hold),
      melt_(melt),
      batch_(batch),
      weight_noise_(weight_noise),
      sink_noise_(sink_noise),
      waiting_(made()) {}

InjectionLine::Part InjectionLine::made() const {
  return {weight(pressure_, melt_, batch_), flash(pressure_), sink(pressure_, melt_)};
}

InjectionLine::Part InjectionLine::step(double hold, double melt, math::Random& random) {
  Part out = waiting_;
  waiting_ = made();
  out.weight += weight_noise_ * random.normal();
  out.sink += sink_noise_ * random.normal();
  pressure_ += (1 - std::exp(-kCycle / kPressureTau)) * (hold - pressure_);
  melt_ += (1 - std::exp(-kCycle / kMeltTau)) * (melt - melt_);
  return out;
}

}  // namespace flyball::testbed
