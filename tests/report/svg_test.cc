#include "report/svg.h"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "report/balanced.h"

namespace flyball::report {
namespace {

std::size_t occurrences(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size()))
    ++n;
  return n;
}

Figure one_line(std::vector<double> x, std::vector<double> y) {
  Figure f{.title = "Level", .description = "a line", .x = {}, .panels = {}};
  Panel p;
  p.title = "level";
  p.unit = "m";
  p.lines = {{"measured", Ink::measured, std::move(x), std::move(y), false}};
  p.empty = "nothing there";
  f.panels = {std::move(p)};
  return f;
}

TEST(Draw, TellsTitleDescriptionAndUnit) {
  const std::string svg = draw(one_line({0, 1, 2}, {1, 3, 2}));
  EXPECT_EQ(markup_problem(svg), "");
  EXPECT_EQ(occurrences(svg, "<title>Level</title><desc>a line</desc>"), 1U);
  EXPECT_EQ(occurrences(svg, "role=\"img\""), 1U);
  EXPECT_EQ(occurrences(svg, "level [m]"), 1U);
}

TEST(Draw, ExplainsAnEmptyPanel) {
  for (const auto& y :
       {std::vector<double>{}, std::vector<double>{NAN, NAN, NAN}, std::vector<double>{INFINITY}}) {
    const std::string svg = draw(one_line({0, 1, 2}, y));
    EXPECT_EQ(markup_problem(svg), "");
    EXPECT_EQ(occurrences(svg, "nothing there"), 1U);
    EXPECT_EQ(occurrences(svg, "nan"), 0U);
  }
}

TEST(Draw, SurvivesConstantAndSinglePoints) {
  for (const double v : {0.0, 1e-300, 5.0, -1e12}) {
    EXPECT_EQ(markup_problem(draw(one_line({0}, {v}))), "");
    EXPECT_EQ(markup_problem(draw(one_line({0, 1}, {v, v}))), "");
  }
}

TEST(Draw, MarksStemsBeyondTheBoundByShapeAndClass) {
  Figure f{.title = "r", .description = "", .x = {}, .panels = {}};
  Panel p;
  p.stems = {{{1, 2, 3}, {0.05, 0.4, -0.3}, 0.1}};
  f.panels = {p};
  const std::string svg = draw(f);
  EXPECT_EQ(occurrences(svg, "stem beyond"), 1U);
  EXPECT_EQ(occurrences(svg, "beyond-mark"), 1U);
  EXPECT_EQ(occurrences(svg, "l3 3l-3 3l-3 -3z"), 2U);
  EXPECT_EQ(occurrences(svg, "class=\"level\""), 2U);
}

TEST(Draw, LeavesOutWhatWouldHideTheTitle) {
  Figure f = one_line({0, 1}, {0, 1});
  f.width = 200;
  f.panels[0].title = "a title that takes the whole width";
  EXPECT_EQ(occurrences(draw(f), ">measured<"), 0U);
  f.panels[0].title = "y";
  EXPECT_EQ(occurrences(draw(f), ">measured<"), 1U);
}

TEST(Draw, KeepsHundredThousandPointsBelowHundredKilobytes) {
  std::vector<double> x, y;
  for (int i = 0; i < 100'000; ++i) {
    x.push_back(i);
    y.push_back(std::sin(i * 0.7) + std::cos(i * 0.0011));
  }
  EXPECT_LT(draw(one_line(x, y)).size(), 100'000U);
}

TEST(Draw, ShowsLevelsAndInstants) {
  Figure f = one_line({0, 1}, {0, 1});
  f.panels[0].levels = {0.5, 2.0};
  f.panels[0].instants = {0.25};
  const std::string svg = draw(f);
  EXPECT_EQ(occurrences(svg, "class=\"level\""), 2U);
  EXPECT_EQ(occurrences(svg, "class=\"instant\""), 1U);
  EXPECT_EQ(occurrences(svg, ">2.0<"), 1U);
}

TEST(Draw, EscapesWhatItWrites) {
  Figure f = one_line({0, 1}, {0, 1});
  f.title = f.description = f.panels[0].title = f.panels[0].unit = "<b>&\"";
  f.panels[0].lines[0].name = "<i>";
  EXPECT_EQ(markup_problem(draw(f)), "");
}

TEST(Draw, CountsElapsedTimeOfALateStretchFromItsStart) {
  Figure f = one_line({}, {});
  f.x.kind = XAxis::Kind::elapsed;
  f.panels[0].lines[0].x = {4'000'000.0, 4'018'000.0};
  f.panels[0].lines[0].y = {0, 1};
  EXPECT_EQ(occurrences(draw(f), "elapsed time after 46.30 d [h]"), 1U);
  f.panels[0].lines[0].x = {0, 90};
  EXPECT_EQ(occurrences(draw(f), "elapsed time [s]"), 1U);
}

TEST(Draw, KeepsTimeLabelsApart) {
  Figure f = one_line({}, {});
  f.x.kind = XAxis::Kind::calendar;
  f.x.origin = parse_time("2026-03-01T07:13:00Z");
  for (double span = 20; span < 1e8; span *= 1.7) {
    f.panels[0].lines[0].x = {0, span};
    f.panels[0].lines[0].y = {0, 1};
    const std::string svg = draw(f);
    const std::regex label("<text x=\"([0-9.]+)\" y=\"222\" text-anchor=\"middle\">([^<]+)<");
    double last_end = -1;
    for (std::sregex_iterator it(svg.begin(), svg.end(), label), end; it != end; ++it) {
      const double half = 6.7 * double((*it)[2].length()) / 2;
      const double at = std::stod((*it)[1]);
      EXPECT_GT(at - half, last_end) << span;
      last_end = at + half;
    }
  }
}

}  // namespace
}  // namespace flyball::report
