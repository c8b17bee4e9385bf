#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/study_sections.h"
#include "report/text.h"

namespace flyball::report::study {
namespace {

/// First, middle and last step of each band, and how often test stayed within all of it.
Html step_bands(const Json& uq) {
  const Json bands = uq.value("stepBands", Json());
  if (!bands.is_array() || bands.empty()) return {};
  Table t{"Half-width by step ahead: a block stays inside at all its steps at once",
          {{"CV", false}, {"first step", true}, {"middle", true}, {"last", true}, {"test", true}},
          {},
          ""};
  for (const Json& band : bands) {
    const Json& half = band["halfWidth"];
    if (half.empty()) continue;
    const auto at = [&](std::size_t k) { return number(half[k].get<double>(), 3); };
    t.rows.push_back({band["cv"].get<std::string>(), at(0), at(half.size() / 2),
                      at(half.size() - 1),
                      fixed(100 * band["coverageTest"].get<double>(), 0) + "\u00A0%"});
  }
  return table(t);
}

Html picture_of(const UncertaintyFan& fan, double beat_ms) {
  const bool timed = beat_ms > 0;
  const auto scaled = [&](std::vector<double> steps) {
    for (double& s : steps) s *= timed ? beat_ms / 1000 : 1;
    return steps;
  };
  Figure fig;
  fig.title = "Prediction of " + fan.cv + " with its band";
  fig.description = "A window of the test part, run " + fan.run;
  fig.x.kind = timed ? XAxis::Kind::elapsed : XAxis::Kind::whole;
  fig.x.label = timed ? "after the last measured value" : "steps ahead";
  Panel p;
  p.title = fan.cv;
  p.unit = fan.unit;
  p.height = 150;
  const std::vector<double> ahead = scaled(fan.ahead);
  p.bands = {{"band", ahead, fan.low, fan.high}};
  p.lines = {{"measured", Ink::measured, scaled(fan.step), fan.actual, false},
             {"predicted", Ink::model, ahead, fan.predicted, false}};
  p.instants = {0};
  fig.panels = {std::move(p)};
  return figure(draw(fig), fig.title + ", in the middle of the test part.");
}

}  // namespace

Html uncertainty(const StudyReport& report, const StudyPictures& pictures) {
  if (!report.uq.is_object() || report.uq.empty()) {
    return paragraph(Html("✖ ") +
                     (report.uq_reason ? Html(*report.uq_reason) : say("REPORT_UQ_NONE")));
  }
  Json rest = report.uq;
  Html out = paragraph(say("REPORT_UQ_ABOUT"));
  const Json qhat = rest.value("qhatPerCv", Json());
  const Json names = rest.value("cvs", Json(cvs_of(report, pictures)));
  if (qhat.is_array() && names.is_array() && qhat.size() == names.size()) {
    Table t{"Half-width of the band per CV, in the units of the model",
            {{"CV", false}, {"qhat", true}},
            {},
            ""};
    for (std::size_t i = 0; i < qhat.size(); ++i) {
      t.rows.push_back({names[i].is_string() ? names[i].get<std::string>() : names[i].dump(),
                        qhat[i].is_number() ? number(qhat[i].get<double>(), 4) : "–"});
    }
    out += table(t);
    rest.erase("qhatPerCv");
    rest.erase("cvs");
  }
  out += step_bands(report.uq);
  for (const UncertaintyFan& fan : pictures.fans) out += picture_of(fan, pictures.beat_ms);
  rest.erase("stepBands");
  return out + facts(rest, "Evidence");
}

}  // namespace flyball::report::study
