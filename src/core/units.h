#pragma once
// Units of measure: reading what plants write, and converting with a check of dimension.
//
//   value in SI = (value + zero)·numerator/denominator
//   value in `to` = value in `from` · scale + offset
//
// Read are symbols (°C, bar, m3, µS, ...), products ("kW*h", "kW·h", "kW h"), quotients ("W/m2/K",
// "kJ/(kg·K)") and powers ("m3", "m^3", "m³", "s-1"). A product after a quotient without brackets
// ("kJ/kg K") has two readings and is refused. Upper and lower case count where they tell units
// apart (mW, MW); else they do not.
//
// Temperatures: °C and °F alone are points on a scale and convert with an offset; inside a product
// or quotient (W/m2/°C, K/min) they are differences. A tag that is a difference of temperatures
// has the unit K. Differences of any tag (moves, σ, rates) convert by scale only.
// Pressures: bar is absolute, as bar(a); barg, "bar gauge", bar(g) are above the air, taken as
// 1.01325 bar; a conversion between the two says so in its note.
// Nm3 (normal cubic metre) has a dimension of its own: it is an amount of gas, and the volume that
// it fills depends on pressure and temperature. The same holds for pH, which is a logarithm.
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "core/error.h"

namespace flyball {

/// Exponents of the base quantities.
struct Dimension {
  enum Base { length, mass, time, current, temperature, amount, angle, normal_volume, ph, bases };
  std::array<int, bases> exponents{};
  bool operator==(const Dimension&) const = default;
};

/// "pressure", "volume flow"; what has no name is spelled out: "length^2*mass/time".
std::string dimension_words(const Dimension& dimension);

struct Unit {
  double numerator = 1, denominator = 1;
  double zero = 0;  ///< in this unit: 273.15 of °C, 1.01325 of barg
  Dimension dimension = {};
  bool gauge = false;
};

struct Conversion {
  double scale = 1, offset = 0;
  std::optional<Message> note;  ///< UNIT_ATMOSPHERE: gauge and absolute pressure are mixed
  [[nodiscard]] double of(double value) const { return value * scale + offset; }
  /// Of a move, a spread or a rate: without the offset.
  [[nodiscard]] double of_difference(double value) const { return value * scale; }
  [[nodiscard]] bool is_identity() const { return scale == 1 && offset == 0; }
};

/// "", "-" and "1" are units of pure numbers. Throws UNIT_UNKNOWN with the nearest that is known,
/// UNIT_AMBIGUOUS with the readings.
Unit parse_unit(std::string_view text);

/// Throws UNIT_DIMENSION with both dimensions in words, and what parse_unit() throws.
Conversion convert(std::string_view from, std::string_view to);

}  // namespace flyball
