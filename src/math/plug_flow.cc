#include "math/plug_flow.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace flyball::math {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kRounding = 1e-9;  ///< of what has flowed, that may be short at the first step

}  // namespace

PlugFlow plug_flow(const ConstVectorRef& u, const ConstVectorRef& q, double volume) {
  const Index n = u.size();
  PlugFlow f{Vector::Constant(n, kNan), Vector::Constant(n, kNan)};
  Vector flowed(n + 1);  // since the start of the stretch of known flow, up to before each step
  flowed.setZero();
  Index entry = 0;  // the step in which the first of what leaves entered
  for (Index t = 0; t < n; ++t) {
    if (!(q(t) >= 0)) {
      flowed(t + 1) = 0;
      entry = t + 1;
      continue;
    }
    flowed(t + 1) = flowed(t) + q(t);
    if (q(t) == 0) continue;
    const double from = flowed(t) - volume, to = flowed(t + 1) - volume;
    if (from < flowed(entry) - kRounding * flowed(t + 1)) continue;
    while (entry < t && flowed(entry + 1) <= from) ++entry;
    const double middle = (from + to) / 2;
    double sum = 0, part = 0;
    for (Index k = entry; k <= t && flowed(k) < to; ++k) {
      const double share = std::min(to, flowed(k + 1)) - std::max(from, flowed(k));
      if (!(share > kRounding * q(t))) continue;
      sum += share * u(k);
      part += share;
      if (middle >= flowed(k) && middle <= flowed(k + 1)) {
        const double at = static_cast<double>(k) + (middle - flowed(k)) / q(k);
        f.delay(t) = static_cast<double>(t) + 0.5 - at;
      }
    }
    f.out(t) = sum / part;
    if (!std::isfinite(f.out(t))) f.delay(t) = kNan;
  }
  return f;
}

}  // namespace flyball::math
