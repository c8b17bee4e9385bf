#include "cli/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/time.h"

namespace flyball::cli {
namespace {

bool is_time_key(const std::string& key) {
  return key == "at" || key == "from" || key == "to" || (key.size() > 2 && key.ends_with("At")) ||
         key == "validUntil";
}

std::string coloured(bool on, const char* code, const std::string& text) {
  return on ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
}

bool is_table(const Json& v) {
  return v.is_array() && !v.empty() && v.front().is_object();
}

/// A record of scalars.
bool is_flat(const Json& v) {
  return v.is_object() && !v.empty() &&
         std::ranges::none_of(v, [](const Json& item) { return item.is_structured(); });
}

std::vector<std::string> keys_of(const Json& rows, const std::vector<std::string_view>& columns) {
  std::vector<std::string> keys;
  for (const std::string_view column : columns) {
    const std::string key(column);
    if (std::ranges::any_of(rows, [&](const Json& row) { return row.contains(key); }))
      keys.push_back(key);
  }
  if (!keys.empty()) return keys;
  for (const auto& [key, value] : rows.front().items()) {
    if (!value.is_structured()) keys.push_back(key);
  }
  std::ranges::stable_partition(keys, [](const std::string& key) {
    return key == "id" || key == "key" || key == "cv" || key == "tag" || key == "name";
  });
  return keys;
}

std::string table_of(const Json& rows, const std::vector<std::string_view>& columns) {
  const std::vector<std::string> keys = keys_of(rows, columns);
  std::vector<std::vector<std::string>> cells{keys};
  for (const Json& row : rows) {
    auto& line = cells.emplace_back();
    for (const auto& key : keys) line.push_back(print_scalar(key, row.value(key, Json())));
  }
  return print_table(cells);
}

struct Columns {
  std::string_view operation;
  std::vector<std::string_view> names;
};

const std::vector<Columns>& column_table() {
  static const std::vector<Columns> kTable{
      {"datasets.list", {"id", "lineId", "productId", "recipeId", "rowCount", "createdAt"}},
      {"experiments.list", {"id", "datasetId", "trainer", "status", "createdAt"}},
      {"models.list",
       {"id", "stage", "lineId", "productId", "recipeId", "artifactKind", "createdAt"}},
      {"models.find", {"id", "stage", "label", "artifactKind", "score", "createdAt"}},
      {"jobs.list",
       {"id", "kind", "state", "attempt", "stage", "title", "submittedBy", "submittedAt", "modelId",
        "code"}},
      {"config.show", {"key", "value", "unit", "source", "default", "min", "max", "doc"}},
      {"lines.list", {"id", "description"}},
      {"products.list", {"id", "lineId", "description"}},
      {"recipes.list", {"id", "productId", "lineId", "version", "description"}},
      {"tags.list",
       {"name", "lineId", "unit", "kind", "role", "stepped", "min", "max", "description"}},
      {"runs.list", {"id", "lineId", "productId", "recipeId", "startedAt", "endedAt", "evidence"}},
      {"segments.list",
       {"segmentId", "runId", "recipeId", "recipeVersion", "status", "confirmedBy", "from", "to"}},
      {"advice.list", {"id", "bindingId", "statusLabel", "noChange", "createdAt", "validUntil"}},
      {"bindings.list", {"id", "revision", "profileId", "profileVersion", "lineId", "enabled"}},
      {"profiles.list", {"id", "version", "status", "lineId", "recipeId", "createdBy"}},
      {"solves.list", {"id", "bindingId", "status", "reason", "startedAt"}},
      {"marks.list", {"id", "lineId", "kind", "tag", "from", "to", "by", "reason"}},
      {"samples.list", {"time", "value", "state", "quality"}},
      {"samples.aggregate", {"from", "count", "mean", "min", "max", "goodShare"}},
      {"users.list", {"id", "displayName", "kind", "allLines", "disabled", "createdAt"}},
      {"tokens.list",
       {"id", "name", "userId", "createdAt", "expiresAt", "lastUsedAt", "revokedAt"}},
      {"approvals.list", {"id", "kind", "object", "lineId", "status", "requestedBy", "expiresAt"}},
      {"audit.list",
       {"number", "at", "actor", "action", "targetId", "lineId", "outcome", "reason"}},
      {"imports.list", {"at", "lineId", "source", "rowsIn", "stored", "rejected", "merged"}},
  };
  return kTable;
}

}  // namespace

std::string Style::good(const std::string& text) const {
  return coloured(colour, "32", text);
}
std::string Style::bad(const std::string& text) const {
  return coloured(colour, "31", text);
}
std::string Style::dim(const std::string& text) const {
  return coloured(colour, "2", text);
}

std::size_t width(std::string_view text) {
  std::size_t n = 0;
  for (const char c : text) n += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return n;
}

std::string print_scalar(const std::string& key, const Json& value) {
  if (value.is_null()) return "-";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_integer() && is_time_key(key)) return format_time(value.get<TimeUs>());
  if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
  return value.dump();
}

std::string print_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 < row.size()) line.append(widths[i] - width(row[i]) + 2, ' ');
    }
    out += line + '\n';
  }
  return out;
}

std::string print_forecast(const Json& answer, const Style&) {
  std::vector<std::vector<std::string>> rows{{"step"}};
  for (std::size_t k = 1; k <= answer["steps"].get<std::size_t>(); ++k)
    rows.push_back({std::to_string(k)});
  for (const Json& cv : answer["forecast"]) {
    const auto unit = cv["unit"].get<std::string>();
    rows[0].push_back(cv["cv"].get<std::string>() + (unit.empty() ? "" : " [" + unit + "]"));
    for (std::size_t k = 0; k + 1 < rows.size(); ++k) {
      std::string cell = print_scalar("", cv["values"][k]);
      if (cv["lower"].is_array())
        cell += " (" + print_scalar("", cv["lower"][k]) + " .. " +
                print_scalar("", cv["upper"][k]) + ")";
      rows[k + 1].push_back(cell);
    }
  }
  std::string out = print_table(rows) + "distance " + print_scalar("", answer["inputDistance"]) +
                    " standard deviations from the train mean\n" +
                    answer["intervalNote"].get<std::string>() + '\n';
  for (const Json& warning : answer["warnings"])
    out += "warning: " + warning.get<std::string>() + '\n';
  return out;
}

std::vector<std::string_view> columns_of(std::string_view operation) {
  for (const Columns& c : column_table()) {
    if (c.operation == operation) return c.names;
  }
  return {};
}

std::string print_answer(const Json& answer, const Style& style,
                         const std::vector<std::string_view>& columns) {
  if (!answer.is_object()) return print_scalar("", answer) + '\n';
  std::vector<std::vector<std::string>> pairs;
  std::string rest;
  for (const auto& [key, value] : answer.items()) {
    if (is_table(value)) {
      rest += style.dim(key) + '\n' + table_of(value, columns);
    } else if (value.is_array() && value.empty()) {
      pairs.push_back({key, "none"});
    } else if (is_flat(value)) {
      std::vector<std::vector<std::string>> inner;
      for (const auto& [name, item] : value.items())
        inner.push_back({"  " + name, print_scalar(name, item)});
      rest += style.dim(key) + '\n' + print_table(inner);
    } else if (value.is_array() && std::ranges::all_of(value, &Json::is_string)) {
      std::string list;
      for (const Json& item : value) list += (list.empty() ? "" : ", ") + item.get<std::string>();
      pairs.push_back({key, list});
    } else if (value.is_structured()) {
      rest += style.dim(key) + '\n' + pretty(value);
    } else {
      pairs.push_back({key, print_scalar(key, value)});
    }
  }
  return print_table(pairs) + rest;
}

}  // namespace flyball::cli
