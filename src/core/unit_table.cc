#include "core/unit_table.h"

#include <algorithm>
#include <numbers>

namespace flyball {
namespace {

//                            L  M   T  I  θ  n  ∠ Vn pH
constexpr Dimension kNumber{};
constexpr Dimension kLength{{1}};
constexpr Dimension kVolume{{3}};
constexpr Dimension kMass{{0, 1}};
constexpr Dimension kTime{{0, 0, 1}};
constexpr Dimension kRate{{0, 0, -1}};
constexpr Dimension kCurrent{{0, 0, 0, 1}};
constexpr Dimension kTemperature{{0, 0, 0, 0, 1}};
constexpr Dimension kAmount{{0, 0, 0, 0, 0, 1}};
constexpr Dimension kAngle{{0, 0, 0, 0, 0, 0, 1}};
constexpr Dimension kNormalVolume{{0, 0, 0, 0, 0, 0, 0, 1}};
constexpr Dimension kPh{{0, 0, 0, 0, 0, 0, 0, 0, 1}};
constexpr Dimension kForce{{1, 1, -2}};
constexpr Dimension kPressure{{-1, 1, -2}};
constexpr Dimension kEnergy{{2, 1, -2}};
constexpr Dimension kPower{{2, 1, -3}};
constexpr Dimension kVoltage{{2, 1, -3, -1}};
constexpr Dimension kResistance{{2, 1, -3, -2}};
constexpr Dimension kConductance{{-2, -1, 3, 2}};
constexpr Dimension kViscosity{{-1, 1, -1}};
constexpr Dimension kKinematic{{2, 0, -1}};

constexpr UnitSymbol symbol(std::string_view spellings, Dimension dimension, double numerator,
                            double denominator = 1, double zero = 0) {
  return {spellings, {numerator, denominator, zero, dimension, false}};
}

// Numerator and denominator are both exact where the definition is, so that 1000 kPa are 10 bar.
constexpr UnitSymbol kSymbols[] = {
    symbol("% pct percent", kNumber, 1, 100),
    symbol("permille", kNumber, 1, 1000),
    symbol("ppm", kNumber, 1, 1e6),
    symbol("ppb", kNumber, 1, 1e9),

    symbol("K kelvin degK", kTemperature, 1),
    symbol("degC C celsius", kTemperature, 1, 1, 273.15),
    symbol("degF F fahrenheit", kTemperature, 5, 9, 459.67),

    symbol("Pa", kPressure, 1),
    symbol("hPa", kPressure, 100),
    symbol("kPa", kPressure, 1e3),
    symbol("MPa", kPressure, 1e6),
    symbol("mPa", kPressure, 1, 1e3),
    symbol("bar", kPressure, 1e5),
    symbol("mbar", kPressure, 100),
    symbol("psi", kPressure, 4.4482216152605, 0.00064516),
    symbol("mmHg", kPressure, 133.322387415),
    symbol("Torr", kPressure, 101325, 760),
    symbol("atm", kPressure, 101325),
    symbol("mH2O mWC mWS", kPressure, 9806.65),
    symbol("cmH2O", kPressure, 98.0665),
    symbol("mmH2O mmWC mmWS", kPressure, 9.80665),
    symbol("inH2O inWC", kPressure, 249.08891),

    symbol("m", kLength, 1),
    symbol("km", kLength, 1e3),
    symbol("cm", kLength, 1, 100),
    symbol("mm", kLength, 1, 1e3),
    symbol("um", kLength, 1, 1e6),
    symbol("nm", kLength, 1, 1e9),
    symbol("in inch", kLength, 254, 1e4),
    symbol("ft", kLength, 3048, 1e4),
    symbol("l liter litre", kVolume, 1, 1e3),
    symbol("dl", kVolume, 1, 1e4),
    symbol("ml", kVolume, 1, 1e6),
    symbol("hl", kVolume, 1, 10),
    symbol("Ml", kVolume, 1e3),
    symbol("Nl", kNormalVolume, 1, 1e3),

    symbol("s sec", kTime, 1),
    symbol("ms msec", kTime, 1, 1e3),
    symbol("us", kTime, 1, 1e6),
    symbol("min", kTime, 60),
    symbol("h hr hour", kTime, 3600),
    symbol("d day", kTime, 86400),
    symbol("Hz", kRate, 1),
    symbol("kHz", kRate, 1e3),
    symbol("rpm", kRate, 1, 60),

    symbol("kg", kMass, 1),
    symbol("g", kMass, 1, 1e3),
    symbol("mg", kMass, 1, 1e6),
    symbol("ug", kMass, 1, 1e9),
    symbol("t tonne", kMass, 1e3),
    symbol("kt", kMass, 1e6),
    symbol("lb", kMass, 45359237, 1e8),

    symbol("mol", kAmount, 1),
    symbol("kmol", kAmount, 1e3),
    symbol("mmol", kAmount, 1, 1e3),
    symbol("umol", kAmount, 1, 1e6),

    symbol("N", kForce, 1),
    symbol("kN", kForce, 1e3),
    symbol("kgf", kForce, 9.80665),
    symbol("Nm", kEnergy, 1),
    symbol("kNm", kEnergy, 1e3),
    symbol("J", kEnergy, 1),
    symbol("kJ", kEnergy, 1e3),
    symbol("MJ", kEnergy, 1e6),
    symbol("GJ", kEnergy, 1e9),
    symbol("mJ", kEnergy, 1, 1e3),
    symbol("kcal", kEnergy, 4184),
    symbol("Wh", kEnergy, 3600),
    symbol("kWh", kEnergy, 3.6e6),
    symbol("MWh", kEnergy, 3.6e9),
    symbol("GWh", kEnergy, 3.6e12),
    symbol("W", kPower, 1),
    symbol("kW", kPower, 1e3),
    symbol("MW", kPower, 1e6),
    symbol("mW", kPower, 1, 1e3),

    symbol("A", kCurrent, 1),
    symbol("kA", kCurrent, 1e3),
    symbol("mA", kCurrent, 1, 1e3),
    symbol("V", kVoltage, 1),
    symbol("kV", kVoltage, 1e3),
    symbol("mV", kVoltage, 1, 1e3),
    symbol("ohm", kResistance, 1),
    symbol("kohm", kResistance, 1e3),
    symbol("S", kConductance, 1),
    symbol("mS", kConductance, 1, 1e3),
    symbol("uS", kConductance, 1, 1e6),

    symbol("cP", kViscosity, 1, 1e3),
    symbol("cSt", kKinematic, 1, 1e6),
    symbol("rad", kAngle, 1),
    symbol("deg", kAngle, std::numbers::pi, 180),
    symbol("pH", kPh, 1),
};

struct NamedDimension {
  Dimension dimension;
  std::string_view words;
};

//  L  M   T  I  θ  n  ∠ Vn pH
constexpr NamedDimension kNamed[] = {
    {{}, "a pure number"},
    {{{1}}, "length"},
    {{{2}}, "area"},
    {{{3}}, "volume"},
    {{{0, 1}}, "mass"},
    {{{0, 0, 1}}, "time"},
    {{{0, 0, 0, 1}}, "electric current"},
    {{{0, 0, 0, 0, 1}}, "temperature"},
    {{{0, 0, 0, 0, 0, 1}}, "amount of substance"},
    {{{0, 0, 0, 0, 0, 0, 1}}, "angle"},
    {{{0, 0, 0, 0, 0, 0, 0, 1}}, "normal volume of a gas"},
    {{{0, 0, 0, 0, 0, 0, 0, 0, 1}}, "pH"},
    {{{0, 0, -1}}, "frequency"},
    {{{1, 0, -1}}, "speed"},
    {{{1, 0, -2}}, "acceleration"},
    {{{3, 0, -1}}, "volume flow"},
    {{{0, 1, -1}}, "mass flow"},
    {{{0, 0, -1, 0, 0, 1}}, "flow of substance"},
    {{{0, 0, -1, 0, 0, 0, 0, 1}}, "normal volume flow of a gas"},
    {{{-3, 1}}, "density"},
    {{{-3, 0, 0, 0, 0, 1}}, "concentration"},
    {{{1, 1, -2}}, "force"},
    {{{-1, 1, -2}}, "pressure"},
    {{{2, 1, -2}}, "energy or torque"},
    {{{2, 1, -3}}, "power"},
    {{{2, 1, -3, -1}}, "voltage"},
    {{{2, 1, -3, -2}}, "resistance"},
    {{{-2, -1, 3, 2}}, "conductance"},
    {{{-3, -1, 3, 2}}, "conductivity"},
    {{{-1, 1, -1}}, "viscosity"},
    {{{2, 0, -1}}, "kinematic viscosity"},
    {{{0, 0, -1, 0, 1}}, "rate of temperature"},
    {{{0, 1, -3, 0, -1}}, "heat transfer coefficient"},
    {{{2, 0, -2, 0, -1}}, "specific heat"},
    {{{0, 1, -3}}, "heat flux"},
    {{{2, 0, -2}}, "specific energy"},
};

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_letters(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, lower, lower);
}

template <class F>
void for_each_spelling(F&& f) {
  for (const UnitSymbol& s : kSymbols) {
    for (std::string_view rest = s.spellings; !rest.empty();) {
      const std::string_view word = rest.substr(0, rest.find(' '));
      if (!word.empty()) f(s, word);
      rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    }
  }
}

}  // namespace

std::vector<const UnitSymbol*> find_symbols(std::string_view word, bool capitals) {
  std::vector<const UnitSymbol*> written_so, alike;
  for_each_spelling([&](const UnitSymbol& s, std::string_view spelling) {
    if (spelling == word) written_so.push_back(&s);
    if (same_letters(spelling, word) && (alike.empty() || alike.back() != &s)) alike.push_back(&s);
  });
  return written_so.empty() || (capitals && word.size() == 1) ? alike : written_so;
}

std::vector<std::string_view> all_spellings() {
  std::vector<std::string_view> out;
  for_each_spelling([&](const UnitSymbol&, std::string_view word) { out.push_back(word); });
  return out;
}

std::string dimension_words(const Dimension& dimension) {
  const auto* named = std::ranges::find(kNamed, dimension, &NamedDimension::dimension);
  if (named != std::end(kNamed)) return std::string(named->words);
  constexpr std::string_view kBases[] = {
      "length", "mass", "time", "current", "temperature", "amount", "angle", "normal volume", "pH"};
  std::string out;
  for (std::size_t i = 0; i < Dimension::bases; ++i) {
    const int power = dimension.exponents[i];
    if (power == 0) continue;
    out += (out.empty() ? "" : "*") + std::string(kBases[i]);
    if (power != 1) out += "^" + std::to_string(power);
  }
  return out;
}

std::string_view usual_spelling(const UnitSymbol& symbol) {
  return symbol.spellings.substr(0, symbol.spellings.find(' '));
}

bool is_pressure(const Unit& unit) {
  return unit.dimension == kPressure;
}

}  // namespace flyball
