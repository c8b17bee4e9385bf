// A static model on the page: its points, its curves, and what the surface says.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/study_sections.h"
#include "report/text.h"

namespace flyball::report::study {
namespace {

std::string num(const Json& v, int digits = 4) {
  return v.is_number() ? number(v.get<double>(), digits) : "–";
}

std::string text(const Json& v) {
  return v.is_string() ? v.get<std::string>() : "";
}

Html cloud_figure(const PointCloud& c) {
  Figure fig;
  fig.title = "Operating points of " + c.cv;
  fig.description = "Measured against predicted; a perfect model puts every point on the line.";
  fig.width = 320;
  fig.compact = true;
  fig.x.label = "predicted" + in_brackets(c.unit);
  RangeFinder both;
  for (const auto* v : {&c.train_predicted, &c.train_actual, &c.test_predicted, &c.test_actual})
    both.add(*v);
  Panel p;
  p.title = c.cv + ", measured";
  p.unit = c.unit;
  p.height = 230;
  if (!both.empty()) {
    const Range r = padded(both.range, 0.04);
    fig.x.range = r;
    p.y = r;
    p.lines = {{"", Ink::reference, {r.low, r.high}, {r.low, r.high}, false}};
  }
  p.dots = {{"train", c.train_predicted, c.train_actual, false},
            {"test", c.test_predicted, c.test_actual, true}};
  p.empty = told("REPORT_EMPTY");
  fig.panels = {std::move(p)};
  return figure(draw(fig), Html());
}

Html curve_figure(const ResponseCurve& c) {
  Figure fig;
  fig.title = fmt::format("{} against {}", c.cv, c.input);
  fig.description = "The other inputs at their mean; 95 % band of the surface; points moved there.";
  fig.width = 320;
  fig.compact = true;
  fig.x.label = c.input + in_brackets(c.input_unit);
  Panel p;
  p.title = c.cv;
  p.unit = c.cv_unit;
  p.height = 170;
  p.bands = {{"95 %", c.x, c.low, c.high}};
  p.lines = {{"", Ink::model, c.x, c.centre, false}};
  p.dots = {{"train", c.train_x, c.train_y, false}, {"test", c.test_x, c.test_y, true}};
  p.empty = told("REPORT_EMPTY");
  fig.panels = {std::move(p)};
  return figure(draw(fig), Html());
}

/// Of the catalogue, for the word that the findings hold.
std::string reason_code(std::string reason) {
  std::ranges::transform(reason, reason.begin(), [](unsigned char c) { return std::toupper(c); });
  return "STATIC_REASON_" + reason;
}

Html slices_figure(const ResponseSlices& s) {
  Figure fig;
  fig.title = fmt::format("{} against {} at values of {}", s.cv, s.input, s.other);
  fig.description = "Lines end where the model does not hold.";
  fig.x.label = s.input + in_brackets(s.input_unit);
  Panel p;
  p.title = s.cv;
  p.unit = s.cv_unit;
  p.height = 220;
  constexpr Ink kInks[] = {Ink::measured, Ink::model, Ink::reference};
  for (std::size_t i = 0; i < s.at.size(); ++i)
    p.lines.push_back({s.other + " " + number(s.at[i], 4), kInks[i % 3], s.x, s.y[i], false});
  p.empty = told("REPORT_EMPTY");
  fig.panels = {std::move(p)};
  return figure(draw(fig), Html(fmt::format("{} against {}; one line per value of {}{}.", s.cv,
                                            s.input, s.other, in_brackets(s.other_unit))));
}

Html coefficient_table(const Json& cv) {
  Table t{"Coefficients of " + text(cv["cv"]) + "; inputs as (u − mean)/std",
          {{"term", false}, {"value", true}, {"standard error", true}, {"p", true}},
          {},
          ""};
  for (const Json& term : cv["terms"])
    t.rows.push_back(
        {text(term["term"]), num(term["value"]), num(term["stdError"], 2), num(term["pValue"], 2)});
  return table(t);
}

Html gain_table(const Json& cv) {
  Table t{"Gains of " + text(cv["cv"]) + ", change of the CV per unit of the input",
          {{"input", false},
           {"at the mean", true},
           {"standard error", true},
           {"least", true},
           {"largest", true},
           {"sign", false},
           {"p", true},
           {"remark", false}},
          {},
          ""};
  for (const Json& g : cv["gains"]) {
    const bool active = g["active"].get<bool>();
    t.rows.push_back({text(g["input"]), num(g["centre"]), num(g["stdError"], 2), num(g["low"]),
                      num(g["high"]), text(g["sign"]), num(g["pValue"], 2),
                      active ? Html() : element("span", "remark", told("REPORT_GAIN_NONE"))});
  }
  return table(t);
}

std::string curvature_text(const Json& c) {
  const std::string kind = text(c["kind"]);
  if (kind == "none") return told("REPORT_CURVATURE_NONE");
  std::string values;
  for (const Json& v : c["eigenvalues"]) values += (values.empty() ? "" : ", ") + num(v, 3);
  if (c["stationary"].empty())
    return told("REPORT_CURVATURE_OPEN", {{"kind", kind}, {"values", values}});
  std::string at;
  for (const Json& v : c["stationary"]) at += (at.empty() ? "" : ", ") + num(v, 4);
  return told(c["inside"].get<bool>() ? "REPORT_CURVATURE_INSIDE" : "REPORT_CURVATURE_OUTSIDE",
              {{"kind", kind}, {"values", values}, {"at", at}, {"value", num(c["value"])}});
}

Html surface_facts(const Json& cv) {
  Table t{"Surface of " + text(cv["cv"]), {{"what", false}, {"value", false}}, {}, "facts"};
  const auto add = [&](const char* name, const std::string& value) {
    t.rows.push_back({name, value});
  };
  add("basis", fmt::format("{}, {} parameters from {} operating points", text(cv["basis"]),
                           cv["parameters"].get<std::int64_t>(), cv["points"].get<std::int64_t>()));
  add("error of groups left out / train std", num(cv["score"]));
  add("noise floor / train std", num(cv["noiseFloor"]));
  add("explained in train", num(cv["explained"]));
  add("largest leverage, where the model ends", num(cv["hMax"]));
  add("lack of fit", text(cv["lackOfFit"]["note"]));
  add("curvature", curvature_text(cv["curvature"]));
  std::string high;
  for (const Json& p : cv["highLeverage"]) {
    high += (high.empty() ? "" : "; ") + fmt::format("run {} row {} ({})", text(p["run"]),
                                                     p["firstStep"].get<std::int64_t>() + 1,
                                                     num(p["leverage"], 2));
  }
  add("points of high leverage", high.empty() ? "none" : shortened(high, 300));
  return table(t);
}

Html input_table(const Json& inputs) {
  Table t{"Inputs over the operating points of train",
          {{"input", false},
           {"lowest", true},
           {"highest", true},
           {"levels", true},
           {"VIF", true},
           {"moves with", false},
           {"remark", false}},
          {},
          ""};
  for (const Json& i : inputs) {
    const auto levels = i["levels"].get<std::int64_t>();
    const double explained = i["explained"].get<double>();
    const bool exact = i["vif"].is_null() && explained > 0;
    std::string remark;
    if (i["leftOut"].get<bool>()) {
      remark = told("REPORT_INPUT_STILL");
    } else if (explained >= 0.9) {
      remark = told("REPORT_INPUT_TOGETHER");
    } else if (levels == 2) {
      remark = told("REPORT_INPUT_TWO_LEVELS");
    }
    t.rows.push_back({text(i["input"]), num(i["low"]), num(i["high"]),
                      levels >= 11 ? "11 or more" : count(levels), exact ? "∞" : num(i["vif"], 3),
                      explained > 0.5 ? Html(text(i["with"])) : Html(),
                      remark.empty() ? Html() : element("span", "remark", remark)});
  }
  return table(t);
}

const Json* static_of(const StudyReport& report) {
  if (!report.identification.is_object()) return nullptr;
  const auto it = report.identification.find("static");
  return it == report.identification.end() ? nullptr : &*it;
}

}  // namespace

Html surface_points(const StudyReport& report, const StudyPictures& pictures) {
  std::vector<Html> cells;
  for (const PointCloud& c : pictures.point_clouds) cells.push_back(cloud_figure(c));
  Html out = paragraph(say("REPORT_POINTS_ABOUT")) + grid(cells);
  if (!report.evaluation.is_object()) return out;
  Table t{"Error at operating points / train standard deviation",
          {{"CV", false}, {"val", true}, {"test", true}, {"point before held, test", true}},
          {},
          ""};
  const Json &val = report.evaluation["oneStepVal"]["perTarget"],
             &test = report.evaluation["oneStepTest"]["perTarget"];
  const Json& held = report.evaluation["oneStepPersistenceTest"]["perTarget"];
  for (std::size_t j = 0; j < test.size(); ++j)
    t.rows.push_back(
        {text(test[j]["cv"]), num(val[j]["nrmse"]), num(test[j]["nrmse"]), num(held[j]["nrmse"])});
  return out + table(t);
}

Html surfaces(const StudyReport& report, const StudyPictures& pictures) {
  const Json* found = static_of(report);
  Html out = paragraph(say("REPORT_SURFACES_ABOUT"));
  if (found == nullptr) return out;
  for (const Json& cv : (*found)["cvs"]) {
    const std::string name = text(cv["cv"]);
    std::vector<Html> cells;
    for (const ResponseCurve& c : pictures.response_curves) {
      if (c.cv == name) cells.push_back(curve_figure(c));
    }
    out += element("h3", "", name) + grid(cells);
    for (const ResponseSlices& s : pictures.response_slices) {
      if (s.cv == name) out += slices_figure(s);
    }
    out += surface_facts(cv) + gain_table(cv) + coefficient_table(cv);
  }
  return out;
}

Html operating_points(const StudyReport& report) {
  const Json* found = static_of(report);
  if (found == nullptr) return paragraph(say("REPORT_POINTS_NONE"), "quiet");
  const Json& f = *found;
  Html out = paragraph(say("REPORT_POINTS_FOUND", {{"train", f["trainPoints"].get<std::int64_t>()},
                                                   {"val", f["valPoints"].get<std::int64_t>()},
                                                   {"test", f["testPoints"].get<std::int64_t>()},
                                                   {"points", text(f["rule"]["points"])}})) +
             input_table(f["inputs"]);
  Table t{
      "Stretches that gave no operating point",
      {{"part", false}, {"why", false}, {"variable", false}, {"stretches", true}, {"steps", true}},
      {},
      ""};
  for (const Json& r : f["refused"])
    t.rows.push_back({text(r["part"]),
                      told(reason_code(text(r["reason"])), {{"variable", text(r["variable"])}}),
                      text(r["variable"]), count(r["holds"].get<std::int64_t>()),
                      count(r["rows"].get<std::int64_t>())});
  if (!t.rows.empty()) out += table(t);
  return out + folded("The rule and its tolerances", facts(f["rule"], "Rule, from the train part"));
}

}  // namespace flyball::report::study
