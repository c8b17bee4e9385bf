#include <cmath>
#include <nlohmann/json.hpp>

#include "report/study_sections.h"
#include "report/text.h"

namespace flyball::report::study {
namespace {

/// A gain, or a length of time.
std::string amount(const Json& check, const char* field) {
  const double v = value_of(check, field);
  if (check["quantity"] == "gain" || !std::isfinite(v)) return number(v, 3);
  return v > 0 ? duration(v) : "0";
}

Html status(const std::string& name) {
  if (name == "impossible" || name == "violated") return mark(false, "", name);
  return name == "noAnswer" ? Html("no answer") : mark(true, name);
}

Html priors_table(const Json& priors) {
  Table t{"What was stated, and what the data alone say",
          {{"stated", false}, {"became", false}, {"estimate", true}, {"95 % range", true}},
          {},
          ""};
  for (const Json& p : priors) {
    const bool range = std::isfinite(value_of(p, "low")) && std::isfinite(value_of(p, "high"));
    t.rows.push_back({p["prior"].get<std::string>(), status(p["status"].get<std::string>()),
                      amount(p, "estimate"),
                      range ? amount(p, "low") + " … " + amount(p, "high") : "–"});
  }
  return paragraph(say("REPORT_PRIORS_ABOUT")) + table(t);
}

const Json* move_of(const Json& identification, const Json& mv) {
  const auto moves = identification.find("separatingMoves");
  if (moves == identification.end()) return nullptr;
  for (const Json& m : *moves) {
    if (m["mv"] == mv) return &m;
  }
  return nullptr;
}

Html together_table(const Json& identification, const StudyPictures& pictures) {
  Table t{"MVs that moved together",
          {{"MV", false},
           {"followed", false},
           {"explained", true},
           {"variance inflation", true},
           {"step it by", true},
           {"for", true},
           {"times", true},
           {"error of its gain, now → then", true},
           {"gains told apart", false}},
          {},
          ""};
  for (const Json& c : identification["collinear"]) {
    const std::string mv = c["mv"].get<std::string>();
    std::vector<Html> row{mv, c["combination"].get<std::string>(),
                          fixed(100 * value_of(c, "explained"), 1) + "\u00A0%",
                          number(value_of(c, "vif"), 3)};
    if (const Json* m = move_of(identification, c["mv"])) {
      row.emplace_back(with_unit(value_of(*m, "step"), unit_of(pictures, mv), 3));
      row.emplace_back(steps_text((*m)["steps"].get<std::int64_t>()));
      row.emplace_back(count((*m)["moves"].get<std::int64_t>()));
      row.emplace_back(number(value_of(*m, "gainStdErrorNow"), 2) + " → " +
                       number(value_of(*m, "gainStdErrorThen"), 2));
    } else {
      row.insert(row.end(), 4, Html("–"));
    }
    row.push_back(mark(!c["unseparable"].get<bool>(), "yes", "no"));
    t.rows.push_back(std::move(row));
  }
  return paragraph(say("REPORT_TOGETHER_ABOUT")) + table(t);
}

}  // namespace

Html stated(const StudyReport& report, const StudyPictures& pictures) {
  const Json& i = report.identification;
  Html out;
  if (i.is_object() && i.contains("priors") && !i["priors"].empty())
    out += priors_table(i["priors"]);
  if (i.is_object() && i.contains("collinear") && !i["collinear"].empty())
    out += together_table(i, pictures);
  return out.empty() ? paragraph(say("REPORT_STATED_NONE"), "quiet") : out;
}

}  // namespace flyball::report::study
