#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/study_sections.h"
#include "report/text.h"

namespace flyball::report::study {
namespace {

const StepAnswer* answer_of(const StudyPictures& pictures, const std::string& cv,
                            const std::string& input) {
  const auto it = std::ranges::find_if(
      pictures.step_answers, [&](const StepAnswer& s) { return s.cv == cv && s.input == input; });
  return it == pictures.step_answers.end() ? nullptr : &*it;
}

const DeadTime* dead_time_of(const StudyReport& report, const std::string& cv,
                             const std::string& input) {
  const auto it = std::ranges::find_if(
      report.dead_times, [&](const DeadTime& d) { return d.cv == cv && d.mv == input; });
  return it == report.dead_times.end() ? nullptr : &*it;
}

/// In the unit of the picture's axis, so that the cells can be compared.
std::string settling_text(const StepAnswer& s, double beat_ms) {
  if (!s.settling_steps) return "not in the picture";
  if (!(beat_ms > 0)) return steps_text(*s.settling_steps);
  const double beat = beat_ms / 1000;
  const TimeUnit unit = time_unit(beat * double(s.centre.size() - 1));
  return number(beat * double(*s.settling_steps) / unit.seconds, 3) + "\u00A0" + unit.name;
}

std::string gain_text(const StepAnswer& s) {
  return with_unit(s.gain, per_unit(s.cv_unit, s.input_unit), 3);
}

bool has_gain_range(const StepAnswer& s) {
  return s.gain_low && s.gain_high && std::isfinite(*s.gain_low) && std::isfinite(*s.gain_high);
}

/// "low … high" of the gain over blocks of rows drawn again; empty where there is none.
std::string drawn_range(const StudyReport& report, const std::string& cv,
                        const std::string& input) {
  const Json all = report.identification.is_object()
                       ? report.identification.value("stepResponses", Json::array())
                       : Json::array();
  for (const Json& s : all) {
    if (s.value("cv", "") != cv || s.value("input", "") != input) continue;
    if (!s.contains("gainBootstrapLow") || !s.contains("gainBootstrapHigh")) break;
    return number(s["gainBootstrapLow"].get<double>(), 3) + " … " +
           number(s["gainBootstrapHigh"].get<double>(), 3);
  }
  return "";
}

bool draws(const StepAnswer* s) {
  return s != nullptr && std::ranges::any_of(s->centre, [](double v) { return std::isfinite(v); });
}

std::string cell_picture(const StepAnswer& s, const StudyPictures& pictures) {
  const double beat = pictures.beat_ms > 0 ? pictures.beat_ms / 1000 : 1;
  std::vector<double> x;
  for (std::size_t k = 0; k < s.centre.size(); ++k) x.push_back(beat * double(k));
  Figure fig;
  fig.title = fmt::format("Answer of {} to a step of {}", s.cv, s.input);
  fig.description = "Gain " + gain_text(s);
  fig.width = 190;
  fig.compact = true;
  fig.x.kind = pictures.beat_ms > 0 ? XAxis::Kind::elapsed : XAxis::Kind::whole;
  fig.x.label = pictures.beat_ms > 0 ? "after" : "steps";
  Panel p;
  p.height = 84;
  p.zero = true;
  if (!s.low.empty()) p.bands = {{"", x, s.low, s.high}};
  p.lines = {{"", Ink::model, x, s.centre, false}};
  fig.panels = {std::move(p)};
  return draw(fig);
}

Html cell(const StudyReport& report, const StudyPictures& pictures, const std::string& cv,
          const std::string& input) {
  const StepAnswer* s = answer_of(pictures, cv, input);
  const DeadTime* d = dead_time_of(report, cv, input);
  if (!draws(s)) {
    const std::string why = s != nullptr && !s->note.empty() ? s->note
                            : d != nullptr                   ? d->note
                                                             : "";
    return element("div", "none", why.empty() ? say("REPORT_STEP_NONE") : Html(why));
  }
  Html facts_list;
  const auto add = [&](std::string_view name, const std::string& value) {
    facts_list += element("dt", "", name) + element("dd", "", value);
  };
  add("gain", gain_text(*s));
  if (has_gain_range(*s)) add("95 %", number(s->gain_low, 3) + " … " + number(s->gain_high, 3));
  if (const std::string drawn = drawn_range(report, cv, input); !drawn.empty())
    add("by blocks", drawn);
  if (d != nullptr && d->steps) add("dead", steps_text(*d->steps));
  add("settles", settling_text(*s, pictures.beat_ms));
  Html out = Html::raw(cell_picture(*s, pictures)) + element("dl", "", facts_list);
  return s->note.empty() ? out : out + element("div", "none", s->note);
}

}  // namespace

Html steps(const StudyReport& report, const StudyPictures& pictures) {
  if (pictures.step_answers.empty()) return paragraph(say("REPORT_STEPS_NONE"), "quiet");
  const auto inputs = inputs_of(report, pictures);
  Table t{"Answers to a unit step; rows are CVs, columns inputs", {{"CV", false}}, {}, "matrix"};
  for (const auto& input : inputs) {
    const auto it = std::ranges::find(pictures.step_answers, input, &StepAnswer::input);
    t.columns.push_back(
        {input + (it == pictures.step_answers.end() ? "" : in_brackets(it->input_unit)), false});
  }
  for (const auto& cv : cvs_of(report, pictures)) {
    const auto it = std::ranges::find(pictures.step_answers, cv, &StepAnswer::cv);
    std::vector<Html> row{cv + (it == pictures.step_answers.end() ? "" : in_brackets(it->cv_unit))};
    for (const auto& input : inputs) row.push_back(cell(report, pictures, cv, input));
    t.rows.push_back(std::move(row));
  }
  return paragraph(say("REPORT_STEPS_ABOUT")) + table(t);
}

Html dead_times(const StudyReport& report, const StudyPictures& pictures) {
  if (report.dead_times.empty()) return paragraph(say("REPORT_DEAD_TIMES_NONE"), "quiet");
  Table t{"Dead times per input and CV",
          {{"input", false},
           {"CV", false},
           {"first answer at lag [steps]", true},
           {"95 % range [steps]", true},
           {"dead time", true},
           {"95 % range", true},
           {"remark", false}},
          {},
          ""};
  for (const DeadTime& d : report.dead_times) {
    const auto low = d.low ? d.low : d.steps;
    const auto high = d.high ? d.high : d.steps;
    t.rows.push_back({d.mv, d.cv, d.steps ? count(*d.steps) : "–",
                      d.low && d.high ? count(*d.low) + " … " + count(*d.high) : "–",
                      d.steps ? dead_time_range(*d.steps, *d.steps, pictures.beat_ms) : "–",
                      d.steps && low && high ? dead_time_range(*low, *high, pictures.beat_ms) : "–",
                      d.note.empty() ? Html() : element("span", "remark", d.note)});
  }
  return paragraph(say("REPORT_DEAD_TIMES_ABOUT")) + table(t);
}

}  // namespace flyball::report::study
