#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/study_sections.h"
#include "report/text.h"

namespace flyball::report::study {
namespace {

constexpr std::size_t kShownPerCv = 6;

std::string family(const std::string& trainer) {
  std::string words = trainer;
  std::ranges::replace(words, '_', ' ');
  return words;
}

std::vector<Html> row_of(const Json& r) {
  const bool chosen = r["reason"] == "chosen";
  const bool differenced = r.value("differenced", false);
  return {r["cv"].get<std::string>(),
          family(r["trainer"].get<std::string>()) + (differenced ? ", in differences" : ""),
          std::to_string(r["order"].get<std::int64_t>()),
          std::to_string(r["parameters"].get<std::int64_t>()),
          fixed(value_of(r, "score"), 4),
          fixed(value_of(r, "freeRun"), 4),
          fixed(value_of(r, "oneStep"), 4),
          fixed(value_of(r, "loss"), 4),
          chosen ? Html("◆ chosen") : Html(r["reason"].get<std::string>())};
}

Table table_of(std::string caption) {
  return {std::move(caption),
          {{"CV", false},
           {"family", false},
           {"order", true},
           {"parameters", true},
           {"F steps", true},
           {"free run", true},
           {"one step", true},
           {"loss", true},
           {"choice", false}},
          {},
          ""};
}

}  // namespace

Html leaderboard(const StudyReport& report) {
  const Json& found = report.identification;
  if (!found.is_object() || !found.contains("leaderboard") || found["leaderboard"].empty())
    return paragraph(say("REPORT_LEADERBOARD_NONE"), "quiet");
  Table best = table_of("The best of each CV, least loss first");
  Table all = table_of("Every model that was tried");
  std::string cv;
  std::size_t shown = 0;
  for (const Json& row : found["leaderboard"]) {
    if (row["cv"] != cv) {
      cv = row["cv"].get<std::string>();
      shown = 0;
    }
    all.rows.push_back(row_of(row));
    if (shown < kShownPerCv || row["reason"] == "chosen") best.rows.push_back(row_of(row));
    ++shown;
  }
  Html out = paragraph(say("REPORT_LEADERBOARD_ABOUT")) + table(best);
  if (all.rows.size() > best.rows.size())
    out += folded("All " + std::to_string(all.rows.size()) + " models", table(all));
  return out;
}

}  // namespace flyball::report::study
