#include "testbed/plants.h"

#include "testbed/injection.h"

namespace flyball::testbed {
namespace {

constexpr double kMinute = 60;

ChannelSpec minutes(double gain, double tau, double dead_time) {
  return {.gain = gain, .tau1 = tau * kMinute, .dead_time = dead_time * kMinute};
}

}  // namespace

Plant wood_berry() {
  return {{{minutes(12.8, 16.7, 1), minutes(-18.9, 21, 3)},
           {minutes(6.6, 10.9, 7), minutes(-19.4, 14.4, 3)}},
          {1.95, 1.71},
          {96.25, 0.515}};
}

Plant shell_fractionator() {
  return {{{minutes(4.05, 50, 27), minutes(1.77, 60, 28), minutes(5.88, 50, 27)},
           {minutes(5.39, 50, 18), minutes(5.72, 60, 14), minutes(6.90, 40, 15)},
           {minutes(4.38, 33, 20), minutes(4.42, 44, 22), minutes(7.20, 19, 0)}},
          {0, 0, 0},
          {0, 0, 0}};
}

Plant quadruple_tank() {
  return {{{{.gain = 2.6, .tau1 = 62}, {.gain = 1.5, .tau1 = 62, .tau2 = 23}},
           {{.gain = 1.4, .tau1 = 90, .tau2 = 30}, {.gain = 2.8, .tau1 = 90}}},
          {3, 3},
          {12.4, 12.7}};
}

Plant injection_line() {
  const double cycle = InjectionLine::kCycle;
  const auto path = [&](double gain, double tau) {
    return ChannelSpec{.gain = gain, .tau1 = tau, .dead_time = cycle};
  };
  const double p = InjectionLine::kPressureTau, t = InjectionLine::kMeltTau;
  return {{{path(0.10, p), path(0.015, t)}, {path(-0.035, p), path(0.02, t)}},
          {62, 255},
          {InjectionLine::weight(62, 255), InjectionLine::sink(62, 255)}};
}

PlantTest injection_test() {
  return {"injection_line", injection_line(), InjectionLine::kCycle, 12, 4};
}

std::vector<PlantTest> literature_tests() {
  return {{"wood_berry", wood_berry(), kMinute, 15, 0.05},
          {"shell", shell_fractionator(), 4 * kMinute, 12, 0.1},
          {"quadruple_tank", quadruple_tank(), 15, 8, 0.3}};
}

SimulatedRecord simulate(const PlantTest& test, Index steps, std::optional<double> snr_db,
                         std::uint32_t seed) {
  return simulate(test.plant, {.steps = steps,
                               .period = test.period,
                               .switch_steps = test.switch_steps,
                               .amplitude = test.amplitude,
                               .snr_db = snr_db,
                               .seed = seed});
}

}  // namespace flyball::testbed
