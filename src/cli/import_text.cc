#include "cli/import_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace flyball::cli {
namespace {

std::string head(const std::string& label) {
  return fmt::format("{:<10}", label);
}

std::string text_of(const Json& record, const char* key) {
  return record.contains(key) ? print_scalar(key, record[key]) : "";
}

/// "Shutdown ×3, empty ×2".
std::string reasons_of(const Json& tag) {
  std::string out;
  for (const Json& r : tag["reasons"]) {
    const auto text = r["text"].get<std::string>();
    out += fmt::format("{}{} ×{}", out.empty() ? "" : ", ", text.empty() ? "empty" : text,
                       r["count"].dump());
  }
  return out;
}

std::string tag_table(const Json& tags) {
  std::vector<std::vector<std::string>> rows{
      {"tag", "unit", "kind", "good", "uncertain", "bad", "missing", "min", "max", "not good"}};
  for (const Json& t : tags) {
    rows.push_back({text_of(t, "tag"), text_of(t, "unit"), text_of(t, "kind"), text_of(t, "good"),
                    text_of(t, "uncertain"), text_of(t, "bad"), text_of(t, "missing"),
                    text_of(t, "min"), text_of(t, "max"), reasons_of(t)});
  }
  return print_table(rows);
}

std::string columns_text(const Json& plan, const Style& style) {
  std::vector<std::vector<std::string>> rows{{"column", "unit", "role"}};
  for (const Json& c : plan["columns"]) {
    const std::string of = c.contains("of") ? " of " + c["of"].get<std::string>() : "";
    rows.push_back({text_of(c, "name"), text_of(c, "unit"), text_of(c, "role") + of});
  }
  return style.dim("columns") + '\n' + print_table(rows);
}

std::string first_rows_text(const Json& plan, const Style& style) {
  const Json& first = plan["firstRows"];
  if (first.empty()) return "";
  std::vector<std::vector<std::string>> rows{{"run", "time"}};
  for (const auto& [tag, value] : first.front()["values"].items()) rows.front().push_back(tag);
  for (const Json& row : first) {
    auto& line = rows.emplace_back();
    line = {text_of(row, "run"), text_of(row, "time")};
    for (std::size_t i = 2; i < rows.front().size(); ++i)
      line.push_back(print_scalar("", row["values"].value(rows.front()[i], Json())));
  }
  return style.dim("first rows") + '\n' + print_table(rows);
}

std::string runs_text(const Json& plan, const Style& style) {
  std::vector<std::vector<std::string>> rows{{"run", "from", "to", "rows"}};
  for (const Json& r : plan["runs"])
    rows.push_back({text_of(r, "run"), text_of(r, "from"), text_of(r, "to"), text_of(r, "rows")});
  return style.dim("runs") + '\n' + print_table(rows);
}

std::string names(const Json& list) {
  std::string out;
  for (std::size_t i = 0; i < list.size() && i < 10; ++i)
    out += (i > 0 ? ", " : "") + list[i].get<std::string>();
  return list.size() > 10 ? fmt::format("{}, … ({})", out, list.size()) : out;
}

}  // namespace

std::string print_import(const Json& r, const Style& style) {
  const Json& a = r["account"];
  std::string out =
      head("rows") + fmt::format("{} in = {} stored + {} rejected + {} merged{}\n",
                                 a["rowsIn"].dump(), a["stored"].dump(), a["rejected"].dump(),
                                 a["merged"].dump(),
                                 r["dryRun"].get<bool>() ? " (dry run: nothing was stored)" : "");
  if (a.contains("from"))
    out += head("covers") + text_of(a, "from") + " to " + text_of(a, "to") + '\n';
  out += head("line") + text_of(r, "line") + ", runs " + names(a["runs"]) + '\n';
  for (const Json& s : r["shadow"]) {
    out += fmt::format("{}{}: {} new predictions scored{}\n", head("shadow"), text_of(s, "modelId"),
                       text_of(s, "predictions"),
                       s.contains("problem") ? "; " + text_of(s["problem"], "text") : "");
  }
  if (!r["created"].empty()) out += head("new") + names(r["created"]) + '\n';
  if (!r["segments"].empty()) out += head("context") + names(r["segments"]) + '\n';
  if (r.contains("plan")) {
    out += columns_text(r["plan"], style) + runs_text(r["plan"], style) +
           first_rows_text(r["plan"], style);
  }
  out += style.dim("tags") + '\n' + tag_table(a["tags"]);
  for (const Json& note : a["notes"]) out += "note: " + note["text"].get<std::string>() + '\n';
  for (const Json& row : a["rejectedRows"])
    out += style.bad("rejected") + ": " + row["text"].get<std::string>() + '\n';
  if (r.contains("rejects")) out += head("rejects") + text_of(r, "rejects") + '\n';
  return out;
}

}  // namespace flyball::cli
