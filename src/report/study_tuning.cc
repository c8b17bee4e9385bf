#include <cmath>
#include <nlohmann/json.hpp>

#include "report/study_sections.h"
#include "report/text.h"

namespace flyball::report::study {
namespace {

constexpr double k95 = 1.96;

/// "2.1 (1.9 … 2.3)".
std::string with_range(double value, double error, std::string (*write)(double)) {
  if (!std::isfinite(value)) return "–";
  if (!std::isfinite(error)) return write(value);
  return write(value) + "  (" + write(value - k95 * error) + " … " + write(value + k95 * error) +
         ")";
}

std::string plain(double v) {
  return number(v, 3);
}

/// A length of time that cannot be below 0.
std::string span(double seconds) {
  return seconds > 0 ? duration(seconds) : "0";
}

}  // namespace

Html tuning(const StudyReport& report, const StudyPictures& pictures) {
  const auto lags = report.identification.find("lags");
  if (!report.identification.is_object() || lags == report.identification.end() || lags->empty())
    return paragraph(say("REPORT_TUNING_NONE"), "quiet");
  Table t{"First- and second-order models with dead time; in brackets 95 %",
          {{"input", false},
           {"CV", false},
           {"gain", true},
           {"time constant", true},
           {"second", true},
           {"dead time", true},
           {"fit of the CV, train", true}},
          {},
          ""};
  bool other_shape = false, untold = false;
  for (const Json& l : *lags) {
    const std::string input = l["input"].get<std::string>(), cv = l["cv"].get<std::string>();
    const std::string unit = per_unit(unit_of(pictures, cv), unit_of(pictures, input));
    const bool shaped = l.value("fits", true), told = l.value("told", true);
    if (!shaped || !told) {
      t.rows.push_back({input, cv, shaped ? "not told" : "another shape", "–", "–", "–",
                        fixed(value_of(l, "fit"), 1) + "\u00A0%"});
      (shaped ? untold : other_shape) = true;
      continue;
    }
    const double second = value_of(l, "secondTimeConstant");
    t.rows.push_back(
        {input, cv,
         with_range(value_of(l, "gain"), value_of(l, "gainStdError"), plain) + in_brackets(unit),
         with_range(value_of(l, "timeConstant"), value_of(l, "timeConstantStdError"), span),
         second > 0 ? with_range(second, value_of(l, "secondStdError"), span) : "–",
         with_range(value_of(l, "deadTime"), value_of(l, "deadTimeStdError"), span),
         fixed(value_of(l, "fit"), 1) + "\u00A0%"});
  }
  return paragraph(say("REPORT_TUNING_ABOUT")) + table(t) +
         (other_shape ? paragraph(say("REPORT_TUNING_SHAPE"), "quiet") : Html{}) +
         (untold ? paragraph(say("REPORT_TUNING_UNTOLD"), "quiet") : Html{});
}

}  // namespace flyball::report::study
