#include "report/html.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "report/balanced.h"

namespace flyball::report {
namespace {

bool has(const Html& h, const std::string& text) {
  return h.markup().find(text) != std::string::npos;
}

TEST(Html, EscapesText) {
  EXPECT_EQ(Html("<b>").markup(), "&lt;b&gt;");
  EXPECT_EQ((element("p", "", "a & b") + Html("!")).markup(), "<p>a &amp; b</p>!");
}

TEST(Mark, SaysItInAWordToo) {
  EXPECT_TRUE(has(mark(true), "✔\u00A0pass"));
  EXPECT_TRUE(has(mark(false), "✖\u00A0fail"));
}

TEST(Table, HasCaptionScopesAndRowHeadings) {
  const Html t = table({"Gains & units", {{"CV", false}, {"gain", true}}, {{"y1", "0.5"}}, ""});
  EXPECT_EQ(markup_problem(t.markup()), "");
  EXPECT_TRUE(has(t, "<caption>Gains &amp; units</caption>"));
  EXPECT_TRUE(has(t, "<th scope=\"col\">CV</th>"));
  EXPECT_TRUE(has(t, "<th scope=\"row\">y1</th>"));
  EXPECT_TRUE(has(t, "<td class=\"n\">0.5</td>"));
}

TEST(Facts, ShowEveryValueOfANestedObject) {
  const Json j{{"historySteps", 32},
               {"note", nullptr},
               {"options", Json{{"split", Json::array({0.5, 0.25})}}},
               {"orders", Json::array({Json{{"na", 2}}, Json{{"na", 3}, {"why", "best"}}})},
               {"weights", std::vector<double>(500, 0.1)}};
  const Html h = facts(j, "Choices");
  EXPECT_EQ(markup_problem(h.markup()), "");
  for (const std::string text : {"history steps", "32", "options · split", "0.5, 0.25",
                                 "Choices: orders", "best", "500 values"}) {
    EXPECT_TRUE(has(h, text)) << text;
  }
}

TEST(Facts, OfObjectsWithTheSameFieldsAreOneTable) {
  const Html h = facts(Json{{"line/y1", Json{{"droppedSpike", 4}}},
                            {"line/y2", Json{{"droppedSpike", 0}, {"held", 2}}}},
                       "Cleaning");
  EXPECT_EQ(markup_problem(h.markup()), "");
  EXPECT_TRUE(has(h, "<th scope=\"col\" class=\"n\">dropped spike</th>"));
  EXPECT_TRUE(has(h, "<th scope=\"row\">line/y1</th>"));
  EXPECT_TRUE(has(h, "<td class=\"n\">–</td>"));
}

TEST(Facts, OfNothingAreNothing) {
  EXPECT_TRUE(facts(Json(), "x").empty());
  EXPECT_TRUE(facts(Json::object(), "x").empty());
  EXPECT_TRUE(facts(Json::array({1, 2}), "x").empty());
}

TEST(Page, LinksEverySection) {
  const std::string p =
      page("A <title>", paragraph("b"), {{"one", "One", paragraph("1")}, {"two", "Two", {}}});
  EXPECT_EQ(markup_problem(p), "");
  for (const std::string id : {"one", "two"}) {
    EXPECT_NE(p.find("href=\"#" + id + "\""), std::string::npos);
    EXPECT_NE(p.find("id=\"" + id + "\""), std::string::npos);
  }
}

/// Relative luminance and contrast of WCAG 2.1.
double luminance(const std::string& hex) {
  const std::string full =
      hex.size() == 3 ? std::string{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]} : hex;
  double sum = 0;
  const std::array weights{0.2126, 0.7152, 0.0722};
  for (std::size_t i = 0; i < 3; ++i) {
    const double c = std::stoi(full.substr(2 * i, 2), nullptr, 16) / 255.0;
    sum += weights[i] * (c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
  }
  return sum;
}

double contrast(const std::string& a, const std::string& b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

TEST(StyleSheet, TextHasContrastInLightAndDark) {
  const std::string css(style_sheet());
  const std::regex scheme(":root\\{([^}]*)\\}"), variable("--([a-z-]+):#([0-9a-f]+)");
  int schemes = 0;
  for (std::sregex_iterator s(css.begin(), css.end(), scheme), end; s != end; ++s, ++schemes) {
    const std::string body = (*s)[1];
    std::map<std::string, std::string> colour;
    for (std::sregex_iterator v(body.begin(), body.end(), variable); v != end; ++v)
      colour[(*v)[1]] = (*v)[2];
    for (const std::string text : {"ink", "quiet", "alarm"}) {
      for (const std::string ground : {"page", "soft"}) {
        EXPECT_GE(contrast(colour.at(text), colour.at(ground)), 4.5)
            << text << " on " << ground << " of scheme " << schemes;
      }
    }
    EXPECT_GE(contrast(colour.at("measured"), colour.at("soft")), 2.9) << schemes;
  }
  EXPECT_EQ(schemes, 3);
}

}  // namespace
}  // namespace flyball::report
