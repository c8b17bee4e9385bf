#pragma once
// Plants of the literature with several inputs and outputs, and how a test of each is recorded.
#include <string>
#include <vector>

#include "testbed/testbed.h"

namespace flyball::testbed {

/// Methanol and water column (Wood and Berry 1973): reflux and steam [lb/min] to top and bottom
/// composition [%]; times in the paper are minutes.
Plant wood_berry();

/// Heavy oil fractionator, the 3×3 part of Shell's control problem (Prett and Morari 1987): top
/// draw, side draw and bottoms reflux duty to top end point, side end point and bottoms reflux
/// temperature.
Plant shell_fractionator();

/// Quadruple-tank process (Johansson 2000), minimum phase, linear around its point: two pump
/// voltages to two levels [cm]; the paths through an upper tank are of second order.
Plant quadruple_tank();

/// Injection moulding line, linear around hold pressure 62 bar and melt set temperature 255 °C:
/// part weight [g] and sink marks [%]. The linear part of InjectionLine (injection.h), which holds
/// while the pressure is below 70 bar and the melt above 250 °C.
Plant injection_line();

/// A plant with a beat and a switching time that suit its settling.
struct PlantTest {
  std::string name;
  Plant plant;
  double period = 1;         ///< seconds
  double switch_steps = 15;  ///< mean of the binary noise
  double amplitude = 1;
};

/// The first three of them.
std::vector<PlantTest> literature_tests();

/// The line with a beat of one machine cycle.
PlantTest injection_test();

/// The plant of a row of tests, `steps` of binary noise on every input at once.
SimulatedRecord simulate(const PlantTest& test, Index steps, std::optional<double> snr_db,
                         std::uint32_t seed);

}  // namespace flyball::testbed
