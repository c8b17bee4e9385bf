#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/study_sections.h"
#include "report/text.h"

namespace flyball::report::study {
namespace {

constexpr double k95 = 1.96;

std::string p_text(double p) {
  return p < 0.001 ? "< 0.001" : fixed(p, 3);
}

/// "u1 ×2.0 ± 0.1".
std::string gains_text(const Json& gains) {
  std::string out;
  for (const Json& g : gains) {
    out += (out.empty() ? "" : ", ") + g["input"].get<std::string>() + " ×" +
           number(value_of(g, "ratio"), 3) + " ± " + number(k95 * value_of(g, "stdError"), 2);
  }
  return out.empty() ? "–" : out;
}

std::string pair_text(const Json& test, const char* field, int digits) {
  return number(value_of(test["below"], field), digits) + " / " +
         number(value_of(test["above"], field), digits);
}

Html verdict_of(const Json& test) {
  if (test["material"].get<bool>()) return mark(false, "", "differs");
  if (test["detected"].get<bool>()) return "differs a little";
  return mark(true, "same");
}

Html tests_table(const Json& tests, const StudyPictures& pictures) {
  Table t{"Below and above a level of each signal; p corrected for all tests",
          {{"CV", false},
           {"signal", false},
           {"level", true},
           {"result", false},
           {"p", true},
           {"gain above / below", false},
           {"mean error", true},
           {"spread of the error", true},
           {"p of the spread", true},
           {"use the model in", false}},
          {},
          ""};
  for (const Json& test : tests) {
    const std::string by = test["by"].get<std::string>();
    const bool limited = std::isfinite(value_of(test, "validFrom"));
    t.rows.push_back(
        {test["cv"].get<std::string>(), by,
         with_unit(value_of(test, "level"), unit_of(pictures, by), 3), verdict_of(test),
         p_text(value_of(test, "pValue")), gains_text(test["gains"]), pair_text(test, "bias", 2),
         pair_text(test, "spread", 3), p_text(value_of(test, "pSpread")),
         limited
             ? number(value_of(test, "validFrom"), 3) + " … " + number(value_of(test, "validTo"), 3)
             : "all"});
  }
  return table(t);
}

Html saturation_table(const Json& list, const StudyPictures& pictures) {
  Table t{"Share of train that each MV stood at its limits",
          {{"MV", false},
           {"at the lower", true},
           {"lower limit", true},
           {"at the upper", true},
           {"upper limit", true},
           {"result", false}},
          {},
          ""};
  for (const Json& s : list) {
    const std::string mv = s["mv"].get<std::string>(), unit = unit_of(pictures, mv);
    t.rows.push_back({mv, fixed(100 * value_of(s, "atLow"), 1) + "\u00A0%",
                      with_unit(value_of(s, "low"), unit, 3),
                      fixed(100 * value_of(s, "atHigh"), 1) + "\u00A0%",
                      with_unit(value_of(s, "high"), unit, 3),
                      mark(!s["saturated"].get<bool>(), "free", "saturated")});
  }
  return table(t);
}

}  // namespace

Html ranges(const StudyReport& report, const StudyPictures& pictures) {
  const Json& i = report.identification;
  Html out;
  if (i.is_object() && i.contains("regimes") && !i["regimes"].empty()) {
    out += paragraph(say("REPORT_RANGES_ABOUT")) + tests_table(i["regimes"], pictures);
  } else {
    out += paragraph(say("REPORT_RANGES_NONE"), "quiet");
  }
  if (i.is_object() && i.contains("saturation") && !i["saturation"].empty())
    out += saturation_table(i["saturation"], pictures);
  return out;
}

}  // namespace flyball::report::study
