#include "historian/text_layout.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>

#include "core/record.h"
#include "historian/decimal_mark.h"
#include "historian/lines.h"
#include "historian/time_column.h"
#include "plant/names.h"

namespace flyball::historian {
namespace {

constexpr std::size_t kSampleLines = 200;

struct SampleLine {
  std::string_view text;
  std::int64_t number;
  std::size_t next_offset;
};

std::vector<SampleLine> first_lines(std::string_view text) {
  std::vector<SampleLine> out;
  Lines lines(text);
  for (std::string_view line; out.size() < kSampleLines && lines.next(line);) {
    if (!is_blank_line(line)) out.push_back({line, lines.number(), lines.offset()});
  }
  return out;
}

std::vector<Cell> split(std::string_view line, Delimiter delimiter) {
  std::vector<Cell> out;
  for (RowSplitter row(line, delimiter); !row.done() && out.size() <= kMostColumns;)
    out.push_back(row.next());
  return out;
}

void check_is_text(std::string_view text) {
  const bool utf16 = text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
  if (utf16 || text.substr(0, 1 << 16).find('\0') != std::string_view::npos) {
    throw Error("IMPORT_NOT_TEXT",
                {{"finding", utf16 ? "a UTF-16 byte-order mark" : "bytes of zero"}});
  }
}

/// "5 2" between commas: the blank separates, the comma is a decimal mark.
bool holds_blank_separated_numbers(std::string_view cell) {
  RowSplitter pieces(cell, Delimiter::blank);
  int count = 0;
  for (; !pieces.done(); ++count) {
    if (kind_of(pieces.next().text) != CellKind::number) return false;
  }
  return count > 1;
}

struct Fit {
  std::size_t cells = 0;  ///< most frequent number of cells
  std::size_t lines = 0;  ///< lines that have it
  bool mistaken = false;
};

Fit fit_of(const std::vector<SampleLine>& sample, Delimiter delimiter) {
  std::map<std::size_t, std::size_t> lines_by_cells;
  Fit fit;
  for (const SampleLine& line : sample) {
    const auto cells = split(line.text, delimiter);
    ++lines_by_cells[cells.size()];
    if (delimiter == Delimiter::semicolon) continue;
    for (const Cell& cell : cells)
      fit.mistaken = fit.mistaken || (!cell.quoted && holds_blank_separated_numbers(cell.text));
  }
  for (const auto& [cells, lines] : lines_by_cells) {
    if (lines >= fit.lines) fit = {cells, lines, fit.mistaken};
  }
  return fit;
}

Delimiter find_delimiter(const std::vector<SampleLine>& sample, std::vector<Message>& notes) {
  Delimiter found = Delimiter::blank;
  Fit fit = fit_of(sample, found);
  for (const Delimiter d : {Delimiter::semicolon, Delimiter::tab, Delimiter::comma}) {
    const Fit other = fit_of(sample, d);
    if (other.cells >= 2 && other.lines * 2 >= sample.size() && !other.mistaken) {
      found = d;
      fit = other;
      break;
    }
  }
  notes.push_back({"IMPORT_DELIMITER",
                   {{"delimiter", enum_name(found)},
                    {"lines", fit.lines},
                    {"of", sample.size()},
                    {"cells", fit.cells}}});
  return found;
}

/// Words that a historian writes where a value is bad: a row of these is data, not names or units.
bool is_state_word(std::string_view cell) {
  constexpr std::array<std::string_view, 10> kStates{
      "bad",    "error",   "fault",     "shutdown",    "offline",
      "failed", "invalid", "bad input", "i/o timeout", "comm fail"};
  std::string lower;
  for (const char c : cell) lower += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  return std::ranges::find(kStates, lower) != kStates.end();
}

/// A row of texts: of names or of units.
bool is_text_row(const std::vector<Cell>& row) {
  bool found = false;
  for (const Cell& cell : row) {
    const CellKind kind = kind_of(cell.text);
    if (kind != CellKind::text && kind != CellKind::missing) return false;
    found = found || (kind == CellKind::text && !is_state_word(cell.text));
  }
  return found;
}

/// Columns of the data rows: the most frequent number of cells, without the one behind a trailing
/// separator.
std::size_t data_columns(std::span<const SampleLine> data, Delimiter delimiter,
                         std::size_t header_cells, bool header_ends_empty) {
  std::map<std::size_t, std::pair<std::size_t, bool>>
      by_cells;  // lines, all end with an empty cell
  for (const SampleLine& line : data) {
    const auto cells = split(line.text, delimiter);
    auto& [lines, empty_end] = by_cells.try_emplace(cells.size(), 0, true).first->second;
    ++lines;
    empty_end = empty_end && !cells.empty() && cells.back().text.empty() && !cells.back().quoted;
  }
  const auto most =
      std::ranges::max_element(by_cells, {}, [](const auto& e) { return e.second.first; });
  const std::size_t cells = most->first - (most->second.second && most->first > 1 ? 1 : 0);
  if (header_cells == 0) return cells;
  return header_ends_empty && header_cells == cells + 1 ? cells : header_cells;
}

std::vector<std::string> names_of(const std::vector<Cell>& header, std::size_t columns) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < columns; ++i) {
    names.push_back(i < header.size() ? text_of(header[i]) : std::string());
    if (names.back().empty()) names.back() = "c" + std::to_string(i + 1);
  }
  return names;
}

void check_names(const std::vector<std::string>& names) {
  std::map<std::string_view, std::size_t> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!plant::is_tag_name(names[i])) {
      throw Error("IMPORT_COLUMN_NAME", {{"column", i + 1}, {"name", readable(names[i])}});
    }
    const auto [first, fresh] = seen.emplace(names[i], i + 1);
    if (!fresh) {
      throw Error("IMPORT_COLUMN_REPEATED",
                  {{"name", names[i]}, {"first", first->second}, {"second", i + 1}});
    }
  }
}

std::size_t column_named(const Layout& layout, const std::string& name) {
  const auto at = std::ranges::find(layout.names, name);
  if (at == layout.names.end()) {
    const std::vector<std::string_view> known(layout.names.begin(), layout.names.end());
    const std::string near = nearest(name, known);
    throw Error("IMPORT_COLUMN_UNKNOWN",
                {{"name", name},
                 {"suggestion", near.empty() ? near : ", did you mean \"" + near + "\"?"},
                 {"columns", readable(joined(layout.names), 200)}});
  }
  return static_cast<std::size_t>(at - layout.names.begin());
}

}  // namespace

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

Layout find_layout(std::string_view text, const LayoutRequest& request) {
  check_is_text(text);
  const std::vector<SampleLine> sample = first_lines(text);
  if (sample.empty()) throw Error("IMPORT_EMPTY");

  Layout layout;
  layout.delimiter = request.delimiter ? *request.delimiter : find_delimiter(sample, layout.notes);
  std::span<const SampleLine> data = sample;
  const auto take_line = [&] {
    layout.data_offset = data.front().next_offset;
    layout.data_line = data.front().number + 1;
    data = data.subspan(1);
  };

  std::vector<Cell> header = split(sample.front().text, layout.delimiter);
  if (header.size() > kMostColumns)
    throw Error("IMPORT_TOO_MANY_COLUMNS", {{"limit", kMostColumns}});
  const bool has_header = is_text_row(header);
  if (has_header) {
    take_line();
    if (data.empty()) throw Error("IMPORT_HEADER_ONLY");
  }
  const std::size_t columns = data_columns(data, layout.delimiter, has_header ? header.size() : 0,
                                           has_header && header.back().text.empty());
  if (!request.columns.empty() && request.columns.size() != columns) {
    throw Error("IMPORT_COLUMN_COUNT", {{"given", request.columns.size()}, {"found", columns}});
  }
  layout.names = names_of(has_header ? header : std::vector<Cell>{}, columns);
  if (!request.columns.empty()) layout.names = request.columns;
  layout.notes.push_back(
      {!has_header               ? "IMPORT_NO_HEADER"
       : request.columns.empty() ? "IMPORT_HEADER"
                                 : "IMPORT_HEADER_SKIPPED",
       {{"line", sample.front().number}, {"names", readable(joined(layout.names), 200)}}});
  check_names(layout.names);

  layout.units.resize(columns);
  const std::vector<Cell> second = split(data.front().text, layout.delimiter);
  if (has_header && is_text_row(second)) {
    for (std::size_t i = 0; i < columns && i < second.size(); ++i)
      layout.units[i] = readable(text_of(second[i]));
    layout.notes.push_back(
        {"IMPORT_UNITS_ROW",
         {{"line", data.front().number}, {"units", readable(joined(layout.units), 200)}}});
    take_line();
    if (data.empty()) throw Error("IMPORT_HEADER_ONLY");
  }

  if (request.run_column) layout.run_column = column_named(layout, *request.run_column);
  layout.decimal_was_given = request.decimal.has_value();
  layout.decimal = request.decimal ? *request.decimal
                                   : find_decimal(text.substr(layout.data_offset), layout.delimiter,
                                                  layout.notes);
  if (!request.evenly_spaced) {
    std::vector<std::vector<Cell>> rows;
    for (const SampleLine& line : data) rows.push_back(split(line.text, layout.delimiter));
    std::optional<std::size_t> named;
    if (request.time_column) named = column_named(layout, *request.time_column);
    layout.time_column =
        find_time_column(layout.names, rows, named, layout.run_column, layout.notes);
  }
  return layout;
}

}  // namespace flyball::historian
