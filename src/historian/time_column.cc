#include "historian/time_column.h"

#include <algorithm>
#include <array>

namespace flyball::historian {
namespace {

constexpr std::array<std::string_view, 12> kTimeNames{
    "time",      "timestamp",  "datetime",   "date",       "date time", "date_time",
    "date/time", "time stamp", "time_stamp", "timestamps", "times",     "ts"};

bool names_time(std::string_view name) {
  std::string lower;
  for (const char c : name) lower += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  return std::ranges::find(kTimeNames, lower) != kTimeNames.end();
}

/// How the cells of one column look in the sampled rows.
struct Look {
  std::size_t cells = 0;  ///< not missing
  std::array<std::size_t, 6> of{};
  std::array<std::string_view, 6> example{};
  bool named = false;

  [[nodiscard]] std::size_t count(CellKind kind) const {
    return of[static_cast<std::size_t>(kind)];
  }
  [[nodiscard]] bool mostly(CellKind kind) const { return cells > 0 && 2 * count(kind) >= cells; }
};

Look look_at(const std::vector<std::vector<Cell>>& rows, std::size_t column) {
  Look look;
  for (const auto& row : rows) {
    if (column >= row.size()) continue;
    const auto kind = static_cast<std::size_t>(kind_of(row[column].text));
    if (look.of[kind]++ == 0) look.example[kind] = row[column].text;
    if (kind != static_cast<std::size_t>(CellKind::missing)) ++look.cells;
  }
  return look;
}

/// Why a column that should hold the time cannot be taken.
[[noreturn]] void refuse(const std::string& name, const Look& look) {
  CellKind kind = look.mostly(CellKind::date) ? CellKind::date : CellKind::text;
  const char* code = "IMPORT_TIME_FORMAT";
  if (look.mostly(CellKind::time_no_offset)) {
    kind = CellKind::time_no_offset;
    code = "IMPORT_TIME_NO_OFFSET";
  } else if (look.mostly(CellKind::number)) {
    kind = CellKind::number;
    code = "IMPORT_TIME_IS_NUMBER";
  }
  throw Error(code,
              {{"column", name}, {"cell", readable(look.example[static_cast<std::size_t>(kind)])}});
}

}  // namespace

std::size_t find_time_column(const std::vector<std::string>& names,
                             const std::vector<std::vector<Cell>>& rows,
                             std::optional<std::size_t> named,
                             std::optional<std::size_t> run_column, std::vector<Message>& notes) {
  std::vector<Look> looks;
  for (std::size_t i = 0; i < names.size(); ++i) {
    looks.push_back(look_at(rows, i));
    looks.back().named = names_time(names[i]);
    if (run_column == i) looks.back() = Look{};
  }
  if (named) {
    if (!looks[*named].mostly(CellKind::time)) refuse(names[*named], looks[*named]);
    return *named;
  }
  for (const bool by_name : {true, false}) {
    for (std::size_t i = 0; i < looks.size(); ++i) {
      const Look& look = looks[i];
      if (!look.mostly(CellKind::time) || look.named != by_name) continue;
      notes.push_back({"IMPORT_TIME_COLUMN",
                       {{"column", names[i]},
                        {"cell", readable(look.example[static_cast<std::size_t>(CellKind::time)])},
                        {"times", look.count(CellKind::time)},
                        {"of", rows.size()}}});
      return i;
    }
  }
  const auto almost = [](const Look& look) {
    return look.mostly(CellKind::time_no_offset) || look.mostly(CellKind::date);
  };
  for (const bool by_name : {true, false}) {
    for (std::size_t i = 0; i < looks.size(); ++i) {
      if (by_name ? looks[i].named && looks[i].cells > 0 : almost(looks[i]))
        refuse(names[i], looks[i]);
    }
  }
  throw Error("IMPORT_NO_TIME_COLUMN");
}

}  // namespace flyball::historian
