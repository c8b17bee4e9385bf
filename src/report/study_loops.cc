#include <cmath>
#include <nlohmann/json.hpp>

#include "report/study_sections.h"
#include "report/text.h"

namespace flyball::report::study {
namespace {

constexpr double k95 = 1.96;

Html interval(const Json& g, const char* value, const char* error) {
  const double v = value_of(g, value), e = value_of(g, error);
  if (!std::isfinite(v)) return "–";
  if (!std::isfinite(e)) return number(v, 3);
  return number(v, 3) + "  (" + number(v - k95 * e, 3) + " … " + number(v + k95 * e, 3) + ")";
}

std::string percent(double share) {
  return std::isfinite(share)
             ? fixed(100 * share, share > 0.999 || share < 0.001 ? 2 : 1) + "\u00A0%"
             : "not tested";
}

Html verdict_of(const Json& f) {
  if (f.value("computedFromCvs", false)) return Html("✖ computed from the CVs");
  if (f.value("inLoop", false)) return Html("in a loop");
  const double p = value_of(f, "probability");
  if (!std::isfinite(p)) return "–";
  return p >= 0.5 ? Html("a loop or a direct answer") : Html("moves by itself");
}

std::string answer_of(const Json& f) {
  const std::string cv = f.value("cv", "");
  const auto direction = f.value("direction", 0);
  const double p = value_of(f, "probability");
  if (cv.empty() || direction == 0 || !(p >= 0.5)) return "–";
  return (direction > 0 ? "rises with " : "falls when ") + cv + (direction > 0 ? "" : " rises");
}

Html loop_table(const Json& feedback) {
  Table t{"Does the MV answer the CVs?",
          {{"MV", false},
           {"finding", false},
           {"probability of a loop", true},
           {"its own share of its moves", true},
           {"answer", false},
           {"set-point", false}},
          {},
          ""};
  for (const Json& f : feedback) {
    const std::string set_point = f.value("setPoint", "");
    t.rows.push_back({f["mv"].get<std::string>(), verdict_of(f),
                      percent(value_of(f, "probability")), percent(value_of(f, "varianceKept")),
                      answer_of(f), set_point.empty() ? "not given" : set_point});
  }
  return table(t);
}

Html gain_table(const Json& gains, const StudyPictures& pictures) {
  Table t{"Gains in a loop; in brackets 95 %",
          {{"MV", false},
           {"CV", false},
           {"sign", false},
           {"of the model", true},
           {"lags from one step on", true},
           {"from the set-point's moves", true},
           {"used", false}},
          {},
          ""};
  for (const Json& g : gains) {
    const std::string mv = g["mv"].get<std::string>(), cv = g["cv"].get<std::string>();
    const std::string unit = per_unit(unit_of(pictures, cv), unit_of(pictures, mv));
    const bool instrumental = g.value("used", "") == "instrumental";
    t.rows.push_back({mv, unit.empty() ? cv : cv + " (" + unit + ")",
                      mark(g.value("signKnown", false), "known", "cannot be told"),
                      interval(g, "model", "modelStdError"),
                      interval(g, "direct", "directStdError"),
                      interval(g, "instrumental", "instrumentalStdError"),
                      instrumental ? "set-point's moves" : "model"});
  }
  return table(t);
}

Html declared_table(const Json& declared) {
  Table t{"The model inside the declared controllers",
          {{"MV", false},
           {"CV", false},
           {"settles", false},
           {"largest pole", true},
           {"limit of the controller's gain", true}},
          {},
          ""};
  for (const Json& l : declared) {
    const double radius = value_of(l, "radius"), margin = value_of(l, "gainMargin");
    const std::string limit = std::isfinite(margin) ? number(margin, 3) + " times"
                              : radius < 1          ? "more than 100 times"
                                                    : "no gain settles";
    t.rows.push_back({l["mv"].get<std::string>(), l["cv"].get<std::string>(),
                      mark(radius < 1, "yes", "no"), number(radius, 4), limit});
  }
  return table(t);
}

}  // namespace

Html loops(const StudyReport& report, const StudyPictures& pictures) {
  const Json& found = report.identification;
  if (!found.is_object() || !found.contains("feedback") || found["feedback"].empty())
    return paragraph(say("REPORT_LOOPS_NONE"), "quiet");
  Html out = paragraph(say("REPORT_LOOPS_ABOUT")) + loop_table(found["feedback"]);
  if (found.contains("loopGains") && !found["loopGains"].empty())
    out += gain_table(found["loopGains"], pictures);
  if (found.contains("declaredLoops") && !found["declaredLoops"].empty())
    out += declared_table(found["declaredLoops"]);
  return out;
}

}  // namespace flyball::report::study
