#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/study_sections.h"
#include "report/text.h"

namespace flyball::report::study {
namespace {

constexpr std::array<std::string_view, 3> kBlocks{"test", "val", "train"};
constexpr std::size_t kMostTraces = 24;  ///< drawn of one block
constexpr std::size_t kDetailSteps = 300;
constexpr std::size_t kDetailFrom = 1200;  ///< longer traces also show their worst stretch

std::string label_of(const std::string& cv, const std::string& block, const std::string& run) {
  return run.empty() ? fmt::format("{}, {}", cv, block)
                     : fmt::format("{}, {}, run {}", cv, block, run);
}

std::optional<double> fit_of(const StudyReport& report, const std::string& cv,
                             const std::string& block) {
  for (const evaluate::FreeRunFit& f : report.free_run_fit) {
    if (f.cv == cv && enum_name(f.block) == block) return f.percent;
  }
  return std::nullopt;
}

Html fit_table(const StudyReport& report, const StudyPictures& pictures) {
  Table t{"Free-run fit per CV", {{"CV", false}}, {}, ""};
  std::vector<std::string_view> blocks;
  for (const auto block : {kBlocks[2], kBlocks[1], kBlocks[0]}) {
    if (std::ranges::any_of(report.free_run_fit, [&](const evaluate::FreeRunFit& f) {
          return enum_name(f.block) == block;
        })) {
      blocks.push_back(block);
      t.columns.push_back({fmt::format("{} [%]", block), true});
    }
  }
  for (const auto& cv : cvs_of(report, pictures)) {
    std::vector<Html> row{cv};
    for (const auto block : blocks)
      row.emplace_back(fixed(fit_of(report, cv, std::string(block)), 1));
    t.rows.push_back(std::move(row));
  }
  return blocks.empty() ? Html() : table(t);
}

/// What is shown of y: all that was measured, and the prediction as far as three times that.
Range shown_range(const std::vector<double>& actual, const std::vector<double>& predicted,
                  bool& leaves) {
  RangeFinder measured, both;
  measured.add(actual);
  both.add(actual);
  both.add(predicted);
  if (measured.empty() || both.empty())
    return both.empty() ? Range{0, 1} : padded(both.range, 0.05);
  const Range m = padded(measured.range, 0);
  const Range allowed{m.low - m.span(), m.high + m.span()};
  leaves = both.range.low < allowed.low || both.range.high > allowed.high;
  return padded({std::max(both.range.low, allowed.low), std::min(both.range.high, allowed.high)},
                0.05);
}

struct Stretch {
  std::vector<double> x, actual, predicted, error;
};

Stretch stretch_of(const FreeRunTrace& f, TimeUs origin) {
  Stretch s{seconds_since(origin, f.t), f.actual, f.predicted, {}};
  const std::size_t n = std::min({s.x.size(), s.actual.size(), s.predicted.size()});
  for (std::size_t i = 0; i < n; ++i) s.error.push_back(s.actual[i] - s.predicted[i]);
  return s;
}

/// First row of the kDetailSteps rows with the largest sum of squared errors.
std::size_t worst_stretch(const std::vector<double>& error) {
  const auto square = [&](std::size_t i) {
    return std::isfinite(error[i]) ? error[i] * error[i] : 0.0;
  };
  double sum = 0, largest = -1;
  std::size_t at = 0;
  for (std::size_t i = 0; i < error.size(); ++i) {
    sum += square(i);
    if (i >= kDetailSteps) sum -= square(i - kDetailSteps);
    if (i + 1 >= kDetailSteps && sum > largest) {
      largest = sum;
      at = i + 1 - kDetailSteps;
    }
  }
  return at;
}

Stretch part_of(const Stretch& s, std::size_t first, std::size_t length) {
  const auto cut = [&](const std::vector<double>& v) {
    const std::size_t end = std::min(v.size(), first + length);
    return std::vector<double>(v.begin() + std::ptrdiff_t(std::min(first, end)),
                               v.begin() + std::ptrdiff_t(end));
  };
  return {cut(s.x), cut(s.actual), cut(s.predicted), cut(s.error)};
}

std::string picture(const FreeRunTrace& f, const Stretch& s, const XAxis& axis,
                    const std::string& title, bool& leaves) {
  Panel values;
  values.title = f.cv;
  values.unit = f.unit;
  values.height = 190;
  values.y = shown_range(s.actual, s.predicted, leaves);
  values.lines = {{"measured", Ink::measured, s.x, s.actual, false},
                  {"predicted", Ink::model, s.x, s.predicted, false}};
  values.empty = told("REPORT_EMPTY_FREE_RUN");
  Panel error;
  error.title = "measured − predicted";
  error.unit = f.unit;
  error.height = 70;
  error.zero = true;
  error.lines = {{"", Ink::input, s.x, s.error, false}};
  if (leaves) {
    const double span = values.y->span();
    error.y = Range{-span, span};
  }
  error.empty = values.empty;
  return draw({title,
               "Upper panel: measured and predicted values. Lower panel: their difference.",
               880,
               false,
               axis,
               {values, error}});
}

Html trace_figure(const StudyReport& report, const StudyPictures& pictures, const FreeRunTrace& f,
                  std::size_t runs) {
  const TimeUs origin = origin_of(pictures, f.run);
  const Stretch s = stretch_of(f, origin);
  const std::string name = label_of(f.cv, f.block, f.run);
  bool leaves = false;
  const std::string svg =
      picture(f, s, time_axis(pictures, origin), "Measured and predicted " + name, leaves);
  Html caption = element("strong", "", name) + Html(": ");
  const auto fit = fit_of(report, f.cv, f.block);
  caption += fit ? Html(fmt::format("free-run fit {} %{}. ", fixed(fit, 1),
                                    runs > 1 ? " over all runs of the part" : ""))
                 : say("REPORT_FIT_NONE") + Html(" ");
  caption += fmt::format("{}.", steps_text(std::int64_t(s.x.size())));
  if (leaves) caption += Html(" ") + say("REPORT_LEAVES_PICTURE");
  Html out = figure(svg, caption);
  if (s.error.size() > kDetailFrom) {
    const Stretch worst = part_of(s, worst_stretch(s.error), kDetailSteps);
    bool ignored = false;
    out +=
        figure(picture(f, worst, time_axis(pictures, origin), "Worst stretch of " + name, ignored),
               say("REPORT_WORST_STRETCH", {{"steps", kDetailSteps}, {"name", name}}));
  }
  return out;
}

/// All inputs of a block and run under one time axis.
Html inputs_figure(const StudyPictures& pictures, std::string_view block, const std::string& run) {
  Figure fig;
  fig.title = fmt::format("Inputs, {}{}", block, run.empty() ? "" : ", run " + run);
  fig.description = "One panel per input over the same time as the predictions.";
  const TimeUs origin = origin_of(pictures, run);
  fig.x = time_axis(pictures, origin);
  for (const InputTrace& i : pictures.inputs) {
    if (i.block != block || i.run != run) continue;
    Panel p;
    p.title = i.tag;
    p.unit = i.unit;
    p.height = 56;
    p.lines = {{"", Ink::input, seconds_since(origin, i.t), i.value, i.stepped}};
    p.empty = told("REPORT_EMPTY");
    fig.panels.push_back(std::move(p));
  }
  return fig.panels.empty() ? Html() : figure(draw(fig), fig.title + ".");
}

Html block_pictures(const StudyReport& report, const StudyPictures& pictures,
                    std::string_view block) {
  std::vector<std::string> runs;
  for (const FreeRunTrace& f : pictures.free_run) {
    if (f.block == block && std::ranges::find(runs, f.run) == runs.end()) runs.push_back(f.run);
  }
  Html out;
  std::size_t drawn = 0, left_out = 0;
  for (const auto& run : runs) {
    const bool room = drawn < kMostTraces;
    for (const FreeRunTrace& f : pictures.free_run) {
      if (f.block != block || f.run != run) continue;
      ++(room ? drawn : left_out);
      if (room) out += trace_figure(report, pictures, f, runs.size());
    }
    if (room) out += inputs_figure(pictures, block, run);
  }
  if (left_out > 0)
    out += paragraph(say("REPORT_TRACES_LEFT_OUT", {{"count", left_out}, {"limit", kMostTraces}}),
                     "quiet");
  return out;
}

}  // namespace

Html free_run(const StudyReport& report, const StudyPictures& pictures) {
  Html out = paragraph(say("REPORT_FREE_RUN_ABOUT")) + fit_table(report, pictures);
  bool any = false;
  for (const auto block : kBlocks) {
    const Html pictures_of_block = block_pictures(report, pictures, block);
    if (pictures_of_block.empty()) continue;
    any = true;
    out += block == "test" ? pictures_of_block
                           : folded(fmt::format("The same on {} data", block), pictures_of_block);
  }
  return any ? out : out + paragraph(say("REPORT_EMPTY_FREE_RUN"), "quiet");
}

}  // namespace flyball::report::study
