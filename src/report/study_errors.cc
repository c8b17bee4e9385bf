#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/study_sections.h"
#include "report/text.h"

namespace flyball::report::study {
namespace {

Html horizon_figure(const HorizonCurve& h) {
  std::vector<double> k;
  for (std::size_t i = 0; i < std::max(h.model.size(), h.persistence.size()); ++i)
    k.push_back(double(i + 1));
  Figure fig;
  fig.title = fmt::format("Error of {} by steps ahead, {}", h.cv, h.block);
  fig.description =
      "Normalised error of the model and of persistence from one step ahead to the horizon.";
  fig.width = 320;
  fig.compact = true;
  fig.x.kind = XAxis::Kind::whole;
  fig.x.label = "steps ahead";
  Panel p;
  p.title = h.cv + ", " + h.block;
  p.height = 130;
  p.zero = true;
  p.lines = {{"model", Ink::model, k, h.model, false},
             {"persistence", Ink::reference, k, h.persistence, false}};
  if (h.noise_floor) p.levels = {*h.noise_floor};
  p.empty = told("REPORT_EMPTY");
  fig.panels = {std::move(p)};
  const auto last = [](const std::vector<double>& v) {
    return v.empty() ? std::string("–") : fixed(v.back(), 3);
  };
  const auto first = [](const std::vector<double>& v) {
    return v.empty() ? std::string("–") : fixed(v.front(), 3);
  };
  return figure(
      draw(fig),
      fmt::format("One step: {}, persistence {}. {} steps: {}, persistence {}.{}", first(h.model),
                  first(h.persistence), k.size(), last(h.model), last(h.persistence),
                  h.noise_floor ? " Noise floor " + fixed(h.noise_floor, 3) + "." : ""));
}

std::int64_t outside(const Correlation& c) {
  std::int64_t n = 0;
  for (std::size_t i = 0; i < c.values.size(); ++i) {
    const bool trivial = c.input.empty() && c.first_lag + std::int64_t(i) == 0;
    n += !trivial && std::isfinite(c.values[i]) && std::abs(c.values[i]) > c.bound;
  }
  return n;
}

Html correlation_figure(const Correlation& c) {
  Figure fig;
  fig.title = c.input.empty()
                  ? "Autocorrelation of the residuals of " + c.cv
                  : fmt::format("Correlation of {} with the residuals of {}", c.input, c.cv);
  fig.description = fmt::format("{} lags outside ±{}.", outside(c), number(c.bound, 3));
  fig.width = 320;
  fig.compact = true;
  fig.x.kind = XAxis::Kind::whole;
  fig.x.label = "lag [steps]";
  Panel p;
  p.title = c.input.empty() ? c.cv : c.input + " → " + c.cv;
  p.height = 96;
  Stems s;
  s.bound = c.bound;
  for (std::size_t i = 0; i < c.values.size(); ++i) {
    const std::int64_t lag = c.first_lag + std::int64_t(i);
    if (c.input.empty() && lag == 0) continue;
    s.x.push_back(double(lag));
    s.y.push_back(c.values[i]);
  }
  p.stems = {std::move(s)};
  if (!c.input.empty()) p.instants = {0.0};
  p.empty = told("REPORT_EMPTY");
  fig.panels = {std::move(p)};
  Html caption;
  if (c.pass)
    caption += mark(*c.pass, c.input.empty() ? "white" : "pass",
                    c.input.empty() ? "not white" : "dynamics missed") +
               Html(". ");
  caption += fmt::format("{} of {} lags outside ±{} ({}\u00A0%).", outside(c),
                         fig.panels[0].stems[0].x.size(), number(c.bound, 3),
                         number(c.confidence_percent, 3));
  return figure(draw(fig), caption);
}

}  // namespace

Html horizon(const StudyPictures& pictures) {
  if (pictures.horizon.empty()) return paragraph(say("REPORT_HORIZON_NONE"), "quiet");
  std::vector<Html> test, others;
  for (const HorizonCurve& h : pictures.horizon)
    (h.block == "test" ? test : others).push_back(horizon_figure(h));
  Html out = paragraph(say("REPORT_HORIZON_ABOUT"));
  if (!test.empty()) out += grid(test);
  if (!others.empty()) out += folded("The same on other data", grid(others));
  return out;
}

Html residuals(const StudyPictures& pictures) {
  if (pictures.residual_tests.empty()) return paragraph(say("REPORT_RESIDUALS_NONE"), "quiet");
  std::vector<Html> own, cross;
  for (const Correlation& c : pictures.residual_tests)
    (c.input.empty() ? own : cross).push_back(correlation_figure(c));
  Html out = paragraph(say("REPORT_RESIDUALS_ABOUT"));
  if (!own.empty()) out += element("h3", "", "Autocorrelation") + grid(own);
  if (!cross.empty()) out += element("h3", "", "Correlation with the inputs") + grid(cross);
  return out;
}

}  // namespace flyball::report::study
