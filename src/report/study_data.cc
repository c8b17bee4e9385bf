#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/study_sections.h"
#include "report/text.h"

namespace flyball::report::study {
namespace {

Html import_tables(const ImportSummary& import) {
  const bool adds_up = import.rows_in == import.stored + import.rejected + import.merged;
  Html out = paragraph(
      Html(fmt::format("{} rows in = {} stored + {} rejected + {} merged. ", count(import.rows_in),
                       count(import.stored), count(import.rejected), count(import.merged))) +
      mark(adds_up, "adds up", "does not add up"));
  Table t{"Samples per tag",
          {{"tag", false},
           {"unit", false},
           {"good", true},
           {"uncertain", true},
           {"bad", true},
           {"missing", true},
           {"lowest good", true},
           {"highest good", true}},
          {},
          ""};
  for (const TagSummary& s : import.tags) {
    t.rows.push_back({s.tag, s.unit.empty() ? "not given" : s.unit, count(s.good),
                      count(s.uncertain), count(s.bad), count(s.missing), number(s.min, 5),
                      number(s.max, 5)});
  }
  return import.tags.empty() ? out : out + table(t);
}

Html dataset_tables(const DatasetSummary& dataset) {
  std::string used;
  for (const auto& run : dataset.runs_used) used += (used.empty() ? "" : ", ") + run;
  const std::string runs_text = fmt::format("{} {}", dataset.runs_used.size(),
                                            dataset.runs_used.size() == 1 ? "run" : "runs");
  Html out = paragraph(fmt::format("Dataset {}: {} usable time steps from {}{}.", dataset.id,
                                   count(dataset.row_count), runs_text,
                                   used.empty() ? "" : ": " + shortened(used, 400)));
  if (dataset.runs_dropped.empty()) return out + paragraph(say("REPORT_RUNS_ALL_USED"), "quiet");
  Table t{"Runs left out", {{"run", false}, {"reason", false}}, {}, ""};
  constexpr std::size_t kMostRows = 200;
  for (const RunDropped& r : dataset.runs_dropped) {
    if (t.rows.size() < kMostRows) t.rows.push_back({r.run, r.reason});
  }
  out += table(t);
  const std::size_t more = dataset.runs_dropped.size() - t.rows.size();
  return more == 0 ? out : out + paragraph(say("REPORT_MORE_ROWS", {{"count", more}}), "quiet");
}

/// One bar per run: which stretch of time was train, val, test, and what the purge took.
Html part_strip(const StudyPictures& pictures) {
  std::vector<std::string> runs;
  for (const PartSpan& p : pictures.parts) {
    if (std::ranges::find(runs, p.run) == runs.end()) runs.push_back(p.run);
  }
  constexpr std::size_t kMostRuns = 40;
  if (runs.empty()) return {};
  DurationUs longest = 1;
  for (const PartSpan& p : pictures.parts)
    longest = std::max(longest, p.to - origin_of(pictures, p.run));
  constexpr double kLeft = 110, kWidth = 750, kRow = 30;
  std::string body;
  for (std::size_t r = 0; r < std::min(runs.size(), kMostRuns); ++r) {
    const double y = kRow * double(r) + 4;
    body += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>", kLeft - 8, y + 15,
                        escape(shortened(runs[r], 15)));
    const TimeUs origin = origin_of(pictures, runs[r]);
    for (const PartSpan& p : pictures.parts) {
      if (p.run != runs[r] || p.to <= p.from) continue;
      const bool known = p.part == "train" || p.part == "val" || p.part == "test";
      const double x = kLeft + kWidth * double(p.from - origin) / double(longest);
      const double w = kWidth * double(p.to - p.from) / double(longest);
      body += fmt::format(
          "<rect class=\"part {}\" x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"20\"/>",
          known ? p.part : "out", x, y, std::max(1.0, w));
      const std::string words =
          fmt::format("{} {}", p.part, duration(double(p.to - p.from) / double(kSecond)));
      if (w > 7 * double(code_points(words))) {
        body += fmt::format(
            "<text class=\"on-{}\" x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            known ? p.part : "out", x + w / 2, y + 15, escape(words));
      }
    }
  }
  const double height = kRow * double(std::min(runs.size(), kMostRuns)) + 4;
  const std::string svg = fmt::format(
      "<svg class=\"chart\" role=\"img\" viewBox=\"0 0 870 {0}\" width=\"870\" "
      "height=\"{0}\"><title>Use of the time of each run</title>"
      "<desc>Bars of train, val and test; the gaps between them were left out.</desc>{1}</svg>",
      height, body);
  return figure(svg, say("REPORT_PARTS_ABOUT",
                         {{"shown", std::min(runs.size(), kMostRuns)}, {"count", runs.size()}}));
}

}  // namespace

Html data(const StudyReport& report, const StudyPictures& pictures) {
  Html out;
  out +=
      report.import ? import_tables(*report.import) : paragraph(say("REPORT_IMPORT_NONE"), "quiet");
  out += report.dataset ? dataset_tables(*report.dataset)
                        : paragraph(say("REPORT_DATASET_NONE"), "quiet");
  out += part_strip(pictures);
  const Html cleaned = facts(report.cleaning, "What cleaning left out");
  out += cleaned.empty() ? paragraph(say("REPORT_CLEANING_NONE"), "quiet") : cleaned;
  if (!report.notes.empty()) {
    Html items;
    for (const Words& n : report.notes) items += element("li", "", n.text);
    out += element("h3", "", "Noticed on the way") + element("ul", "", items);
  }
  return out;
}

Html making(const StudyReport& report, const StudyPictures& pictures) {
  Html out;
  Table hashes{"Identity", {{"what", false}, {"value", false}}, {}, "facts"};
  if (report.dataset) {
    hashes.rows.push_back({"dataset", report.dataset->id});
    hashes.rows.push_back({"dataset sha256", element("code", "", report.dataset->sha256)});
  }
  if (report.model) {
    hashes.rows.push_back({"model", report.model->id.value_or("not registered")});
    hashes.rows.push_back({"artifact kind", report.model->artifact_kind});
    hashes.rows.push_back({"artifact sha256", element("code", "", report.model->artifact_hash)});
  }
  if (report.gates)
    hashes.rows.push_back({"settings version", std::to_string(report.gates->settings_version)});
  if (pictures.beat_ms > 0) hashes.rows.push_back({"beat", duration(pictures.beat_ms / 1000)});
  if (!hashes.rows.empty()) out += table(hashes);
  if (!pictures.candidates.empty()) {
    Table t{"Structures tried, lower scores are better",
            {{"structure", false}, {"score", true}, {"choice", false}, {"remark", false}},
            {},
            ""};
    for (const Candidate& c : pictures.candidates)
      t.rows.push_back(
          {c.structure, fixed(c.score, 4), c.chosen ? Html("◆ chosen") : Html(), c.note});
    const Html candidates = table(t);
    out += pictures.candidates.size() > 20
               ? folded(fmt::format("{} structures were tried", pictures.candidates.size()),
                        candidates)
               : candidates;
  }
  const Html choices = facts(report.identification, "Choices of the identification");
  if (!choices.empty()) out += folded("Choices of the identification", choices);
  out += facts(report.provenance, "Options and versions");
  return out.empty() ? paragraph(say("REPORT_MAKING_NONE"), "quiet") : out;
}

}  // namespace flyball::report::study
