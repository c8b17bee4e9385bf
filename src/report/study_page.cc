#include "report/study_page.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "report/study_sections.h"
#include "report/study_terms.h"
#include "report/text.h"

namespace flyball::report {
namespace study {
namespace {

std::string grouped(const std::string& unit) {
  return unit.find_first_of("/ *") == std::string::npos && unit.find("·") == std::string::npos
             ? unit
             : "(" + unit + ")";
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(name);
}

}  // namespace

std::vector<std::string> inputs_of(const StudyReport& report, const StudyPictures& pictures) {
  std::vector<std::string> names = pictures.mvs;
  names.insert(names.end(), pictures.dvs.begin(), pictures.dvs.end());
  for (const StepAnswer& s : pictures.step_answers) add_once(names, s.input);
  for (const DeadTime& d : report.dead_times) add_once(names, d.mv);
  return names;
}

std::vector<std::string> cvs_of(const StudyReport& report, const StudyPictures& pictures) {
  std::vector<std::string> names = pictures.cvs;
  for (const evaluate::FreeRunFit& f : report.free_run_fit) add_once(names, f.cv);
  for (const DeadTime& d : report.dead_times) add_once(names, d.cv);
  for (const StepAnswer& s : pictures.step_answers) add_once(names, s.cv);
  return names;
}

std::string unit_of(const StudyPictures& pictures, const std::string& tag) {
  for (const StepAnswer& s : pictures.step_answers) {
    if (s.input == tag) return s.input_unit;
    if (s.cv == tag) return s.cv_unit;
  }
  return "";
}

std::string per_unit(const std::string& cv_unit, const std::string& input_unit) {
  if (input_unit.empty()) return cv_unit;
  return (cv_unit.empty() ? "1" : grouped(cv_unit)) + "/" + grouped(input_unit);
}

double value_of(const Json& object, const char* field) {
  const auto it = object.find(field);
  return it != object.end() && it->is_number() ? it->get<double>()
                                               : std::numeric_limits<double>::quiet_NaN();
}

std::string steps_text(std::int64_t steps) {
  return count(steps) + (steps == 1 ? "\u00A0step" : "\u00A0steps");
}

std::string dead_time_range(std::int64_t low, std::int64_t high, double beat_ms) {
  if (!(beat_ms > 0)) return "–";
  const double beat = beat_ms / 1000;
  const double from = beat * double(std::max<std::int64_t>(0, low - 1));
  const double to = beat * double(std::max<std::int64_t>(0, high));
  return duration(from) + " … " + duration(to);
}

std::vector<double> seconds_since(TimeUs origin, const std::vector<TimeUs>& t) {
  std::vector<double> out;
  out.reserve(t.size());
  for (const TimeUs at : t) out.push_back(double(at - origin) / double(kSecond));
  return out;
}

XAxis time_axis(const StudyPictures& pictures, TimeUs origin) {
  XAxis axis;
  axis.kind = pictures.elapsed_time ? XAxis::Kind::elapsed : XAxis::Kind::calendar;
  axis.origin = origin;
  return axis;
}

TimeUs origin_of(const StudyPictures& pictures, const std::string& run) {
  std::optional<TimeUs> first;
  const auto consider = [&](TimeUs t) { first = first ? std::min(*first, t) : t; };
  for (const PartSpan& p : pictures.parts) {
    if (p.run == run) consider(p.from);
  }
  for (const FreeRunTrace& f : pictures.free_run) {
    if (f.run == run && !f.t.empty()) consider(f.t.front());
  }
  for (const InputTrace& i : pictures.inputs) {
    if (i.run == run && !i.t.empty()) consider(i.t.front());
  }
  return first.value_or(0);
}

}  // namespace study

std::string render_study(const StudyReport& report, const StudyPictures& pictures) {
  const std::string title = pictures.title.empty() ? "Study" : pictures.title;
  if (!pictures.response_curves.empty()) {
    return page(title, study::verdict(report, pictures),
                {{"gates", "Gates", study::gate_table(report)},
                 {"points", "Predicted against actual", study::surface_points(report, pictures)},
                 {"surfaces", "Steady responses", study::surfaces(report, pictures)},
                 {"operating-points", "Operating points", study::operating_points(report)},
                 {"uncertainty", "Uncertainty", study::uncertainty(report, pictures)},
                 {"data", "Data quality", study::data(report, pictures)},
                 {"making", "How it was made", study::making(report, pictures)}});
  }
  std::vector<Section> sections{
      {"gates", "Gates", study::gate_table(report)},
      {"free-run", "Predicted against actual", study::free_run(report, pictures)},
      {"models", "Models tried", study::leaderboard(report)},
      {"steps", "Step responses", study::steps(report, pictures)},
      {"dead-times", "Dead times", study::dead_times(report, pictures)},
      {"loops", "Loops", study::loops(report, pictures)},
      {"tuning", "Models for tuning loops", study::tuning(report, pictures)},
      {"gain-matrix", "Gain matrix", study::gain_matrix(report)},
      {"ranges", "Per range of operation", study::ranges(report, pictures)},
      {"horizon", "Error by horizon", study::horizon(pictures)},
      {"residuals", "Residual tests", study::residuals(pictures)},
      {"uncertainty", "Uncertainty", study::uncertainty(report, pictures)},
      {"data", "Data quality", study::data(report, pictures)},
      {"making", "How it was made", study::making(report, pictures)}};
  if (Html terms = study::terms(report); !terms.empty()) {
    const auto tuning = std::ranges::find(sections, "tuning", &Section::id);
    sections.insert(tuning, {"terms", "Terms of the nonlinear model", std::move(terms)});
  }
  return page(title, study::verdict(report, pictures), sections);
}

}  // namespace flyball::report
