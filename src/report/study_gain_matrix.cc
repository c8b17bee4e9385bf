#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/study_sections.h"
#include "report/text.h"

namespace flyball::report::study {
namespace {

using Rows = std::vector<std::vector<double>>;

Rows rows_of(const Json& matrix, const char* field) {
  Rows out;
  for (const Json& row : matrix[field]) {
    auto& values = out.emplace_back();
    for (const Json& v : row) values.push_back(v.is_number() ? v.get<double>() : std::nan(""));
  }
  return out;
}

/// Shade by the size of a value against the largest: 0 … 4.
std::string_view shade(double value, double largest) {
  static constexpr std::string_view kShades[] = {"heat0", "heat1", "heat2", "heat3", "heat4"};
  const double share = largest > 0 ? std::abs(value) / largest : 0;
  return kShades[static_cast<std::size_t>(std::clamp(std::ceil(share * 4 - 0.2), 0.0, 4.0))];
}

Html heat(double value, double largest, const std::string& below) {
  return element(
      "div", shade(value, largest),
      Html(number(value, 3)) + (below.empty() ? Html() : element("span", "origin", below)));
}

Table matrix_table(const Json& m, std::string caption) {
  Table t{std::move(caption), {{"CV", false}}, {}, "heat"};
  for (const Json& mv : m["mvs"]) t.columns.push_back({mv.get<std::string>(), true});
  return t;
}

Html scaled(const Json& m) {
  const Rows values = rows_of(m, "scaled"), gains = rows_of(m, "gains");
  double largest = 0;
  for (const auto& row : values) {
    for (const double v : row) largest = std::max(largest, std::abs(v));
  }
  Table t = matrix_table(m, "Gains in standard deviations; below, in units of the plant");
  for (std::size_t j = 0; j < values.size(); ++j) {
    std::vector<Html> row{m["cvs"][j].get<std::string>()};
    for (std::size_t i = 0; i < values[j].size(); ++i)
      row.push_back(heat(values[j][i], largest, number(gains[j][i], 3)));
    t.rows.push_back(std::move(row));
  }
  return table(t);
}

Html relative(const Json& m) {
  constexpr double kLarge = 5;  ///< pairings above it are hard to control
  const Rows values = rows_of(m, "relative"), low = rows_of(m, "relativeLow"),
             high = rows_of(m, "relativeHigh");
  Table t = matrix_table(m, "Relative gains; below, the 95 % range");
  for (std::size_t j = 0; j < values.size(); ++j) {
    std::vector<Html> row{m["cvs"][j].get<std::string>()};
    for (std::size_t i = 0; i < values[j].size(); ++i) {
      row.push_back(
          heat(values[j][i], kLarge, number(low[j][i], 2) + " … " + number(high[j][i], 2)));
    }
    t.rows.push_back(std::move(row));
  }
  return table(t);
}

Html condition(const Json& m) {
  const double value = value_of(m, "condition"), high = value_of(m, "conditionHigh");
  return say("REPORT_CONDITION", {{"value", std::isfinite(value) ? number(value, 3) : "∞"},
                                  {"low", number(value_of(m, "conditionLow"), 3)},
                                  {"high", std::isfinite(high) ? number(high, 3) : "∞"}});
}

Html weak(const Json& m) {
  if (m["weak"].empty()) return paragraph(say("REPORT_GAINS_NO_WEAK"));
  Table t{"Combinations that the CVs hardly answer",
          {{"MVs together", false},
           {"CVs that it moves", false},
           {"singular value", true},
           {"standard error", true},
           {"told from 0", false}},
          {},
          ""};
  for (const Json& w : m["weak"]) {
    t.rows.push_back({w["moves"].get<std::string>(), w["answer"].get<std::string>(),
                      number(value_of(w, "singularValue"), 3), number(value_of(w, "stdError"), 2),
                      mark(w["certain"].get<bool>(), "yes", "no")});
  }
  return table(t);
}

}  // namespace

Html gain_matrix(const StudyReport& report) {
  const auto m = report.identification.find("gainMatrix");
  if (!report.identification.is_object() || m == report.identification.end() || m->is_null())
    return paragraph(say("REPORT_GAINS_NONE"), "quiet");
  return paragraph(say("REPORT_GAINS_ABOUT")) + paragraph(condition(*m)) + scaled(*m) +
         relative(*m) + weak(*m);
}

}  // namespace flyball::report::study
