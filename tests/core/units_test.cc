#include "core/units.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"

namespace flyball {
namespace {

/// One of `from` in `to`: the scale.
double ratio(std::string_view from, std::string_view to) {
  return convert(from, to).scale;
}

TEST(Units, TemperatureScalesMeetAtTheirFixedPoints) {
  EXPECT_DOUBLE_EQ(convert("°C", "K").of(0), 273.15);
  EXPECT_NEAR(convert("degF", "degC").of(32), 0, 1e-12);
  EXPECT_NEAR(convert("degF", "degC").of(212), 100, 1e-12);
  EXPECT_NEAR(convert("°C", "°F").of(-40), -40, 1e-12);
  EXPECT_NEAR(convert("°F", "°C").of(64.4), 18.0, 1e-12);
}

TEST(Units, EveryConversionThereAndBackGivesTheValueBack) {
  const std::pair<const char*, const char*> kPairs[] = {
      {"°F", "°C"},     {"°C", "K"},       {"bar", "psi"},
      {"barg", "kPa"},  {"m3/h", "l/min"}, {"t/h", "kg/s"},
      {"mmHg", "Pa"},   {"kWh", "J"},      {"W/m2/K", "kW/(m2*degC)"},
      {"rpm", "Hz"},    {"%", "ppm"},      {"mS/m", "µS/cm"},
      {"g/l", "mg/m3"}, {"psig", "bar(a)"}};
  for (const auto& [a, b] : kPairs) {
    const Conversion there = convert(a, b), back = convert(b, a);
    for (const double v : {-40.0, 0.1, 1.0, 18.1, 64.4, 1013.25}) {
      EXPECT_NEAR(back.of(there.of(v)), v, 1e-12 * std::max(1.0, std::abs(v)))
          << v << " " << a << " " << b;
      EXPECT_NEAR(back.of_difference(there.of_difference(v)), v, 1e-12 * std::abs(v))
          << a << " " << b;
    }
  }
}

TEST(Units, RatiosAreThoseOfTheDefinitions) {
  EXPECT_EQ(ratio("bar", "kPa"), 100);
  EXPECT_EQ(ratio("MPa", "bar"), 10);
  EXPECT_EQ(ratio("kPa", "bar"), 0.01);
  EXPECT_EQ(ratio("atm", "mbar"), 1013.25);
  EXPECT_DOUBLE_EQ(ratio("psi", "Pa"), 6894.757293168361);
  EXPECT_EQ(ratio("mH2O", "Pa"), 9806.65);
  EXPECT_DOUBLE_EQ(ratio("m3/h", "l/min"), 1000.0 / 60);
  EXPECT_EQ(ratio("l/s", "m³/h"), 3.6);
  EXPECT_DOUBLE_EQ(ratio("t/h", "kg/s"), 1 / 3.6);
  EXPECT_EQ(ratio("g/min", "kg/h"), 0.06);
  EXPECT_EQ(ratio("%", "ppm"), 1e4);
  EXPECT_EQ(ratio("‰", "%"), 0.1);
  EXPECT_EQ(ratio("%", ""), 0.01);
  EXPECT_EQ(ratio("rpm", "1/min"), 1);
  EXPECT_EQ(ratio("Hz", "rpm"), 60);
  EXPECT_EQ(ratio("MWh", "GJ"), 3.6);
  EXPECT_EQ(ratio("kW h", "MJ"), 3.6);
  EXPECT_EQ(ratio("mol/l", "mol/m3"), 1000);
  EXPECT_EQ(ratio("µS/cm", "mS/m"), 0.1);
  EXPECT_EQ(ratio("kN*m", "Nm"), 1000);
  EXPECT_EQ(ratio("V*A", "W"), 1);
  EXPECT_EQ(ratio("N/m2", "Pa"), 1);
  EXPECT_EQ(ratio("d", "h"), 24);
  EXPECT_EQ(ratio("lb", "g"), 453.59237);
}

TEST(Units, OneUnitHasManySpellings) {
  const std::vector<std::vector<const char*>> kSame{
      {"°C", "degC", "deg C", "deg. C", "° C", "ºC", "℃", "[°C]", "C", "DEGC", " °C "},
      {"m³/h", "m3/h", "m^3/h", "m**3/h", "M3/H", "m³·h⁻¹", "m3 h-1", "m3/hr", "㎥/h"},
      {"kJ/(kg·K)", "kJ/(kg K)", "kJ/kg/K", "kJ*kg-1*K-1", "kJ/(kg*degC)", "J/(g.K)"},
      {"W/m2/K", "W/(m²·K)", "W·m⁻²·K⁻¹", "W/m^2/K"},
      {"l/min", "L/min", "L/MIN", "liter/min"},
      {"µS/cm", "μS/cm", "uS/cm"},
      {"bar", "Bar", "BAR", "bara", "bar(a)", "bar a", "bar abs", "bar (a)"},
      {"barg", "bar(g)", "bar g", "bar gauge", "BARG", "bar (g)", "bar(gauge)"},
      {"%", "％", "pct"},
      {"", "-", "1", "[-]", " "}};
  for (const auto& spellings : kSame) {
    for (const char* s : spellings)
      EXPECT_TRUE(convert(spellings.front(), s).is_identity()) << spellings.front() << " = " << s;
  }
}

TEST(Units, GaugePressureIsTheAbsoluteLessTheAirAndSaysSo) {
  const Conversion c = convert("barg", "bar");
  EXPECT_EQ(c.scale, 1);
  EXPECT_EQ(c.offset, 1.01325);
  ASSERT_TRUE(c.note);
  EXPECT_NE(c.note->text().find("1.01325 bar"), std::string::npos) << c.note->text();
  EXPECT_NEAR(convert("psig", "psi").of(0), 14.6959, 1e-4);
  EXPECT_NEAR(convert("kPa(g)", "barg").of(150), 1.5, 1e-12);
  EXPECT_FALSE(convert("psig", "barg").note);
  EXPECT_FALSE(convert("kPa", "mmHg").note);
}

TEST(Units, DifferencesConvertByScaleOnly) {
  EXPECT_DOUBLE_EQ(convert("°F", "°C").of_difference(9), 5);
  EXPECT_DOUBLE_EQ(convert("barg", "kPa").of_difference(1), 100);
  // Inside a quotient a temperature is a difference already.
  EXPECT_EQ(convert("°C/min", "K/min").offset, 0);
  EXPECT_DOUBLE_EQ(convert("°F/min", "K/min").scale, 5.0 / 9);
}

TEST(Units, AnotherDimensionIsRefusedInWords) {
  try {
    (void)convert("m3/h", "kg/h");
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), "UNIT_DIMENSION");
    EXPECT_NE(std::string(e.what()).find("volume flow"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("mass flow"), std::string::npos) << e.what();
  }
  const std::pair<const char*, const char*> kPairs[] = {
      {"Nm3/h", "m3/h"}, {"pH", ""}, {"°C", "bar"}, {"rad/s", "rpm"}, {"Nm", "Nm3"}, {"W", "Wh"}};
  for (const auto& [a, b] : kPairs) EXPECT_ERROR((void)convert(a, b), "UNIT_DIMENSION");
}

TEST(Units, ANormalVolumeIsNoVolume) {
  EXPECT_EQ(dimension_words(parse_unit("Nm³/h").dimension), "normal volume flow of a gas");
  EXPECT_EQ(ratio("Nm3/h", "Nl/h"), 1000);
  EXPECT_EQ(dimension_words(parse_unit("Nm").dimension), "energy or torque");
}

TEST(Units, WhatCaseOrBracketsWouldDecideIsAskedNotGuessed) {
  for (const char* text : {"mpa", "kJ/kg K", "kJ/kg·K", "KG/S", "nm3/h", "nl/min", "kn", "ML/d"})
    EXPECT_ERROR((void)parse_unit(text), "UNIT_AMBIGUOUS");
  EXPECT_EQ(ratio("MW", "mW"), 1e9);
  EXPECT_EQ(ratio("um", "nm"), 1000);
  EXPECT_EQ(dimension_words(parse_unit("NM").dimension), "energy or torque");
  EXPECT_EQ(ratio("S/m", "µS/cm"), 1e4);
}

TEST(Units, AnUnknownUnitNamesTheNearestThatIsKnown) {
  try {
    (void)parse_unit("barr");
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), "UNIT_UNKNOWN");
    EXPECT_NE(std::string(e.what()).find("\"bar\""), std::string::npos) << e.what();
  }
  for (const char* text : {"m3/", "/h", "m^", "m^0", "m10", "(m", "m)", "kg//h", "10 m", "1.5",
                           "Nm2", "кг", "\xff", "m^x", "()", "[", "deg°C", "furlong"}) {
    EXPECT_ERROR((void)parse_unit(text), "UNIT_UNKNOWN");
  }
}

TEST(Units, ATextOfAnyLengthIsReadOrRefused) {
  for (const std::string& text : {std::string(1'000'000, '('), std::string(101, ' '),
                                  std::string(99, '('), std::string("GWh9*GWh9*GWh9*GWh9"),
                                  std::string("1/GWh9/GWh9/GWh9/GWh9"), std::string(3, '\0')})
    EXPECT_ERROR((void)parse_unit(text), "UNIT_UNKNOWN");
  EXPECT_EQ(ratio("((((((m))))))", "mm"), 1000);
  EXPECT_TRUE(convert("\u2126", "Ω").is_identity());
}

TEST(Units, ADimensionWithoutANameIsSpelledOut) {
  EXPECT_EQ(dimension_words(parse_unit("kg*m/K").dimension), "length*mass*temperature^-1");
}

}  // namespace
}  // namespace flyball
