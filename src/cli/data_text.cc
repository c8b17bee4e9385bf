#include "cli/data_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/operation_row.h"
#include "core/time.h"

namespace flyball::cli {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string head(const std::string& label) {
  return fmt::format("{:<10}", label);
}

/// The scalar at a path such as "values/mean"; "-" where there is none.
std::string at(const Json& record, const std::string& path) {
  const Json* value = &record;
  std::string key;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    key = path.substr(begin, end - begin);
    if (!value->is_object() || !value->contains(key)) return "-";
    value = &(*value)[key];
    begin = end + 1;
  }
  return value->is_structured() ? "-" : print_scalar(key, *value);
}

/// A number of microseconds as people write a duration.
std::string duration_at(const Json& record, const char* outer, const char* inner) {
  const Json& value = record.contains(outer) ? record[outer] : Json();
  if (!value.is_object() || !value.contains(inner) || !value[inner].is_number_integer()) return "-";
  return format_duration(value[inner].get<DurationUs>());
}

/// The dead time of a pair, where one was found.
std::string dead_time(const Json& pair) {
  const Json& d = pair["deadTime"];
  if (!d["found"].get<bool>()) return d["active"].get<bool>() ? "beyond the range" : "no answer";
  return fmt::format("{} steps ({}..{})", d["steps"].dump(), d["low"].dump(), d["high"].dump());
}

std::string pairs_table(const Json& pairs, const Style& style) {
  Rows cells{{"input", "cv", "dead time", "p", "strongest lag", "r"}};
  for (const Json& p : pairs) {
    const Json& d = p["deadTime"];
    cells.push_back({at(d, "input"), at(d, "cv"), dead_time(p),
                     fmt::format("{:.2g}", d["pValue"].get<double>()), at(p, "lag"),
                     at(p, "lagR")});
  }
  return style.dim("dead times (train)") + '\n' + print_table(cells);
}

struct Col {
  const char* title;
  const char* path;
};

std::string table(const Json& rows, const std::vector<Col>& columns, const Style& style,
                  const std::string& title) {
  if (!rows.is_array() || rows.empty()) return "";
  Rows cells(1);
  for (const Col& c : columns) cells.front().emplace_back(c.title);
  for (const Json& row : rows) {
    auto& line = cells.emplace_back();
    for (const Col& c : columns) line.push_back(at(row, c.path));
  }
  return style.dim(title) + '\n' + print_table(cells);
}

/// The flag, or the command that sets the field of a tag; nothing where there is none.
std::string applied_by(const Json& proposal) {
  const auto field = proposal["field"].get<std::string>();
  const auto value = proposal["value"].get<std::string>();
  const std::string end = (value.empty() ? "" : " " + value) + ")";
  if (field.starts_with("--")) return " (" + field + end;
  if (!field.starts_with("tag.") || proposal["tags"].empty()) return "";
  return " (flyball tags set " + proposal["tags"][0].get<std::string>() + " --" +
         app::kebab_case(field.substr(4)) + end;
}

std::string proposals_text(const Json& proposals) {
  if (proposals.empty()) return "nothing stands out\n";
  std::string out;
  for (const Json& p : proposals) {
    out += "- " + p["text"].get<std::string>();
    out += applied_by(p);
    out += '\n';
  }
  return out;
}

std::string report_text(const Json& r, const Style& style) {
  std::string out;
  out += head("parts") + fmt::format("train {}, val {}, test {} usable steps; {} windows\n",
                                     at(r, "rows/train"), at(r, "rows/val"), at(r, "rows/test"),
                                     at(r, "windowCount"));
  out += head("runs") + fmt::format("{} used\n", r["runsUsed"].size());
  for (const Json& d : r["runsDropped"])
    out += head("") + "left out: " + at(d, "runId") + ": " + at(d, "reason") + '\n';
  Rows cells{{"tag", "samples", "bad quality", "out of range", "spikes", "wrong mode", "held",
              "interpolated", "missing", "marked"}};
  for (const auto& [node, c] : r["cleaning"].items()) {
    cells.push_back({node, at(c, "total"), at(c, "droppedQuality"), at(c, "droppedRange"),
                     at(c, "droppedSpike"), at(c, "droppedMode"), at(c, "held"),
                     at(c, "interpolated"), at(c, "missing"), at(c, "marked")});
  }
  out += style.dim("cleaning") + '\n' + print_table(cells);
  out += table(r["nodeSummaries"],
               {{"tag", "nodeId"},
                {"role", "role"},
                {"mean", "mean"},
                {"std", "std"},
                {"min", "min"},
                {"5 %", "p05"},
                {"median", "p50"},
                {"95 %", "p95"},
                {"max", "max"}},
               style, "values");
  for (const Json& w : r["warnings"]) out += "note: " + w["text"].get<std::string>() + '\n';
  return out;
}

}  // namespace

std::string print_build(const Json& r, const Style& style) {
  const auto id = r["id"].get<std::string>();
  std::string out = head("dataset") + (id.empty() ? "has no hash before it is stored" : id);
  if (!r["stored"].get<bool>()) {
    out += " (dry run: nothing was stored)";
  } else {
    out += r["existed"].get<bool>() ? " (was there already) " : " ";
    out += at(r, "folder");
  }
  out += '\n' + head("sha256") + at(r, "sha256") + '\n';
  if (r["legacy"].get<bool>())
    out += head("legacy") + "format v1: never eligible for optimisation\n";
  return out + report_text(r["report"], style);
}

std::string print_stats(const Json& r, const Style& style) {
  std::string out = head("dataset") + at(r, "id") + '\n' + report_text(r["report"], style);
  if (!r.contains("survey")) return out;
  const Json& s = r["survey"];
  out += table(s["variables"],
               {{"variable", "variable"},
                {"role", "role"},
                {"moves", "excitation/moves"},
                {"levels", "excitation/levels"},
                {"excited", "excitation/excited"},
                {"held steps", "holdSteps"}},
               style, "excitation (train)");
  out += pairs_table(s["pairs"], style);
  out += table(s["correlations"]["strong"], {{"first", "first"}, {"second", "second"}, {"r", "r"}},
               style, "strong correlations");
  out += table(s["cvs"],
               {{"cv", "cv"},
                {"63 % after", "riseSteps"},
                {"main input", "mainInput"},
                {"may integrate", "mayIntegrate"}},
               style, "time scale");
  return out + style.dim("to look at") + '\n' + proposals_text(s["proposals"]);
}

std::string print_tag_survey(const Json& r, const Style& style) {
  Rows cells{{"tag", "unit", "samples", "bad", "step", "gaps", "mean", "std", "min", "max",
              "quantum", "stepped?", "hold", "frozen", "spikes"}};
  for (const Json& t : r["tags"]) {
    cells.push_back({at(t, "tag"), at(t, "unit"), at(t, "samples/total"), at(t, "samples/bad"),
                     duration_at(t, "sampling", "step"), at(t, "sampling/gaps"),
                     at(t, "values/mean"), at(t, "values/std"), at(t, "values/min"),
                     at(t, "values/max"), at(t, "values/quantum"), at(t, "shape/looksStepped"),
                     at(t, "shape/holdSteps"), at(t, "frozenCount"), at(t, "spikes")});
  }
  return style.dim("tags") + '\n' + print_table(cells) + style.dim("to look at") + '\n' +
         proposals_text(r["proposals"]);
}

std::string print_job(const Json& response, const Style& style) {
  const std::string state = response["state"];
  const bool good = state == "done", ended_badly = response["code"] != "";
  std::string out = fmt::format("job {}: {}, {}\n", response["id"].get<std::string>(),
                                response["title"].get<std::string>(),
                                good          ? style.good(state)
                                : ended_badly ? style.bad(state)
                                              : state);
  std::vector<std::vector<std::string>> pairs;
  for (const char* key : {"datasetId", "experimentId", "modelId", "reason"}) {
    if (response.contains(key) && response[key] != "")
      pairs.push_back({std::string("  ") + key, response[key].get<std::string>()});
  }
  for (const Json& gate : response["failedGates"])
    pairs.push_back({"  refused by", gate.get<std::string>()});
  if (response["attempts"].size() > 1)
    pairs.push_back({"  attempts", std::to_string(response["attempts"].size())});
  return out + print_table(pairs);
}

std::string print_log(const Json& response, const Style&) {
  std::string out;
  for (const Json& line : response["lines"]) out += line.get<std::string>() + '\n';
  return out;
}

}  // namespace flyball::cli
