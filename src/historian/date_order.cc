#include "historian/date_order.h"

#include <algorithm>
#include <optional>

#include "historian/lines.h"
#include "historian/time_column.h"

namespace flyball::historian {
namespace {

struct Seen {
  std::int64_t line = 0;
  std::string cell;
};

/// The first date that could be read both ways, and the first of each that could not.
struct Evidence {
  std::optional<Seen> open, day_first, month_first;
};

std::optional<Cell> cell_of(std::string_view line, Delimiter delimiter, std::size_t column) {
  RowSplitter row(line, delimiter);
  for (std::size_t i = 0; !row.done(); ++i) {
    const Cell cell = row.next();
    if (i == column) return cell;
  }
  return std::nullopt;
}

Evidence look_at_all(const TableHead& table, std::size_t column) {
  Evidence out;
  Lines lines(table.data, 0, table.first_line - 1);
  for (std::string_view line; lines.next(line);) {
    const auto cell = cell_of(line, table.delimiter, column);
    if (!cell) continue;
    const DateLook look = date_look(cell->text);
    if (look.shape != DateShape::numbers) continue;
    auto& seen = look.first > 12 ? out.day_first : look.second > 12 ? out.month_first : out.open;
    if (!seen) seen = Seen{lines.number(), readable(cell->text)};
  }
  return out;
}

/// A clock as a part of a pattern, after the look of one: "18.00.00" is %H.%M.%S.
std::string clock_pattern(std::string_view clock) {
  const auto first = clock.find_first_not_of("0123456789");
  if (!is_clock(clock)) return "%H:%M:%S";
  const char mark = clock[first];
  const bool half = clock.back() == 'm' || clock.back() == 'M';
  std::string out = half ? "%I" : "%H";
  out.append(1, mark).append("%M");
  const auto second = clock.find(mark, first + 1);
  if (second != std::string_view::npos) {
    out.append(1, mark).append("%S");
    const auto fraction = clock.find_first_of(".,", second + 1);
    if (fraction != std::string_view::npos) out.append(1, clock[fraction]).append("%f");
  }
  return half ? out + " %p" : out;
}

/// As a pattern for --time-format; the clock stands behind the date or in a column of its own.
std::string pattern_of(std::string_view cell, std::string_view clock, DateOrder order) {
  const char mark = cell[cell.find_first_not_of("0123456789")];
  std::string out = order == DateOrder::day_first ? "%d?%m?%Y" : "%m?%d?%Y";
  std::ranges::replace(out, '?', mark);
  const auto behind = cell.find_first_of(" T,");
  if (clock.empty() && behind == std::string_view::npos) return out;
  if (!clock.empty()) return out + " " + clock_pattern(clock);
  return out + cell[behind] + clock_pattern(trim(cell.substr(behind + 1)));
}

[[noreturn]] void refuse(const std::string& name, const Seen& seen, const Seen& other,
                         std::string_view clock) {
  throw Error("IMPORT_DATE_ORDER",
              {{"column", name},
               {"cell", seen.cell},
               {"line", seen.line},
               {"other", other.cell},
               {"otherLine", other.line},
               {"dayFirst", pattern_of(seen.cell, clock, DateOrder::day_first)},
               {"monthFirst", pattern_of(seen.cell, clock, DateOrder::month_first)}});
}

/// The first cell of the column of clocks, when there is one.
std::string_view first_clock(const TableHead& table, const std::vector<std::size_t>& columns) {
  if (columns.size() < 2) return {};
  for (const auto& row : table.rows) {
    if (columns[1] < row.size() && !row[columns[1]].text.empty()) return row[columns[1]].text;
  }
  return {};
}

}  // namespace

DateOrder find_date_order(const TableHead& table, const std::vector<std::size_t>& columns,
                          std::vector<Message>& notes) {
  const std::size_t column = columns.front();
  const bool any = std::ranges::any_of(table.rows, [&](const auto& row) {
    return column < row.size() && date_look(row[column].text).shape == DateShape::numbers;
  });
  if (!any) return DateOrder::day_first;
  const Evidence found = look_at_all(table, column);
  const std::string& name = table.names[column];
  const std::string_view clock = first_clock(table, columns);
  if (found.day_first && found.month_first)
    refuse(name, *found.day_first, *found.month_first, clock);
  if (!found.day_first && !found.month_first) refuse(name, *found.open, *found.open, clock);
  const DateOrder order = found.day_first ? DateOrder::day_first : DateOrder::month_first;
  const Seen& seen = found.day_first ? *found.day_first : *found.month_first;
  notes.push_back({"IMPORT_DATE_ORDER_FOUND",
                   {{"order", enum_names(DateOrder{})[static_cast<std::size_t>(order)]},
                    {"line", seen.line},
                    {"cell", seen.cell}}});
  return order;
}

}  // namespace flyball::historian
