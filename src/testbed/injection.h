#pragma once
// An injection moulding line, grey-box: what a machine's hold pressure and melt temperature make of
// the parts, cycle by cycle.
//
//   p' = (hold − p)/5 s,  T' = (melt − T)/25 s
//   weight = 31.8 + 0.10 (p − 60) + 0.015 (T − 247) + 0.25 (batch − 1)         g
//   flash  = max(0, 0.12 (p − 78))                                             %
//   sink   = max(0, 0.035 (70 − p) + 0.02 (T − 250))                           %
//
// A part is weighed one cycle after it was made. Modelled on platform.md's injection-greybox-v1 and
// its injection-line preset (§2.15, §2.20): 32.5 ± 0.35 g, flash ≤ 0.4 %, sink ≤ 1.5 %.
#include <array>

#include "math/random.h"

namespace flyball::testbed {

class InjectionLine {
 public:
  static constexpr double kCycle = 2.5;  ///< seconds, the beat
  static constexpr double kPressureTau = 5, kMeltTau = 25;

  static double weight(double pressure, double melt, double batch = 1) {
    return 31.8 + 0.10 * (pressure - 60) + 0.015 * (melt - 247) + 0.25 * (batch - 1);
  }
  static double flash(double pressure) { return pressure > 78 ? 0.12 * (pressure - 78) : 0.0; }
  static double sink(double pressure, double melt) {
    const double s = 0.035 * (70 - pressure) + 0.02 * (melt - 250);
    return s > 0 ? s : 0.0;
  }

  struct Part {
    double weight = 0, flash = 0, sink = 0;
  };

  /// At rest at a hold pressure and melt temperature. `weight_noise`, `sink_noise`: standard
  /// deviations of white noise on what is measured; `batch`: of the material.
  InjectionLine(double hold, double melt, double batch = 1, double weight_noise = 0,
                double sink_noise = 0);

  /// The part that is weighed now (made a cycle ago), then one cycle at these settings.
  Part step(double hold, double melt, math::Random& random);

 private:
  [[nodiscard]] Part made() const;
  double pressure_, melt_, batch_;
  double weight_noise_, sink_noise_;
  Part waiting_;
};

}  // namespace flyball::testbed
