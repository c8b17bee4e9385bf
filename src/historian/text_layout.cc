#include "historian/text_layout.h"

#include <algorithm>
#include <map>
#include <span>

#include "historian/decimal_mark.h"
#include "historian/quality_codes.h"
#include "plant/names.h"

namespace flyball::historian {
namespace {

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

void check_names(const std::vector<LayoutColumn>& columns) {
  std::map<std::string_view, std::size_t> seen;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string& name = columns[i].name;
    if (!plant::is_tag_name(name))
      throw Error("IMPORT_COLUMN_NAME", {{"column", i + 1}, {"name", readable(name)}});
    const auto [first, fresh] = seen.emplace(name, i + 1);
    if (!fresh) {
      throw Error("IMPORT_COLUMN_REPEATED",
                  {{"name", name}, {"first", first->second}, {"second", i + 1}});
    }
  }
}

/// Finds the parts of a Layout one after the other, each from what the earlier ones left.
class Finder {
 public:
  Finder(std::string_view text, const LayoutRequest& request)
      : text_(text),
        request_(request),
        comments_(leading_comments(text)),
        sample_(first_lines(text, comments_)),
        data_(sample_) {
    if (sample_.empty()) throw Error("IMPORT_EMPTY");
    layout_.data_offset = comments_.offset;
    layout_.data_line = comments_.last_line + 1;
  }

  Layout find() {
    layout_.delimiter =
        request_.delimiter ? *request_.delimiter : find_delimiter(sample_, layout_.notes);
    if (!comments_.lines.empty())
      layout_.notes.push_back({"IMPORT_COMMENTS", {{"lines", comments_.lines.size()}}});
    find_names();
    take_units_row();
    find_decimal_mark();
    std::vector<std::vector<Cell>> rows;
    for (const SampleLine& line : data_) rows.push_back(split(line.text, layout_.delimiter));
    const std::vector<std::string> names = layout_.names();
    const TableHead head{names, rows, text_.substr(layout_.data_offset), layout_.data_line,
                         layout_.delimiter};
    layout_.time = assign_roles(layout_.columns, head, request_, layout_.notes);
    return std::move(layout_);
  }

 private:
  void take_line() {
    layout_.data_offset = data_.front().next_offset;
    layout_.data_line = data_.front().number + 1;
    data_ = data_.subspan(1);
    if (data_.empty()) throw Error("IMPORT_HEADER_ONLY");
  }

  void find_names() {
    std::vector<Cell> header = split(sample_.front().text, layout_.delimiter);
    std::int64_t line = sample_.front().number;
    if (header.size() > kMostColumns)
      throw Error("IMPORT_TOO_MANY_COLUMNS", {{"limit", kMostColumns}});
    layout_.has_header = is_text_row(header);
    if (layout_.has_header) take_line();
    const std::size_t columns =
        data_columns(data_, layout_.delimiter, layout_.has_header ? header.size() : 0,
                     layout_.has_header && header.back().text.empty());
    if (!layout_.has_header) {
      header = header_in_comments(columns);
      layout_.has_header = !header.empty();
      if (layout_.has_header) line = comments_.lines.back().number;
    }
    name_columns(header, columns);
    layout_.notes.push_back({!layout_.has_header        ? "IMPORT_NO_HEADER"
                             : request_.columns.empty() ? "IMPORT_HEADER"
                                                        : "IMPORT_HEADER_SKIPPED",
                             {{"line", line}, {"names", readable(joined(layout_.names()), 200)}}});
    check_names(layout_.columns);
  }

  /// The last comment, when it holds as many names as there are columns.
  [[nodiscard]] std::vector<Cell> header_in_comments(std::size_t columns) const {
    if (comments_.lines.empty()) return {};
    std::vector<Cell> out = split(comments_.lines.back().text.substr(1), layout_.delimiter);
    if (out.size() != columns || !is_text_row(out)) return {};
    return out;
  }

  void name_columns(const std::vector<Cell>& header, std::size_t columns) {
    const auto& given = request_.columns;
    if (!given.empty() && given.size() != columns)
      throw Error("IMPORT_COLUMN_COUNT", {{"given", given.size()}, {"found", columns}});
    for (std::size_t i = 0; i < columns; ++i) {
      std::string name = i < header.size() ? text_of(header[i]) : std::string();
      if (!given.empty()) name = given[i];
      layout_.was_named.push_back(!name.empty());
      layout_.columns.push_back({name.empty() ? "c" + std::to_string(i + 1) : name});
    }
  }

  /// A second row of texts holds the units, unless all rows are texts.
  void take_units_row() {
    const std::vector<Cell> second = split(data_.front().text, layout_.delimiter);
    if (!layout_.has_header || !is_text_row(second)) return;
    if (data_.size() > 1 && is_text_row(split(data_[1].text, layout_.delimiter))) return;
    std::vector<std::string> units;
    for (std::size_t i = 0; i < layout_.columns.size(); ++i) {
      units.push_back(i < second.size() ? readable(text_of(second[i])) : "");
      layout_.columns[i].unit = units.back();
    }
    layout_.notes.push_back(
        {"IMPORT_UNITS_ROW",
         {{"line", data_.front().number}, {"units", readable(joined(units), 200)}}});
    take_line();
  }

  void find_decimal_mark() {
    layout_.decimal_was_given = request_.decimal || request_.thousands;
    layout_.thousands = request_.thousands;
    if (request_.decimal) {
      layout_.decimal = *request_.decimal;
    } else if (request_.thousands == Thousands::comma || request_.thousands == Thousands::point) {
      layout_.decimal = request_.thousands == Thousands::comma ? Decimal::point : Decimal::comma;
    } else {
      layout_.decimal =
          find_decimal(text_.substr(layout_.data_offset), layout_.delimiter, layout_.notes);
    }
    check_thousands();
  }

  void check_thousands() const {
    if (!layout_.thousands) return;
    const bool decimal =
        (layout_.thousands == Thousands::comma && layout_.decimal == Decimal::comma) ||
        (layout_.thousands == Thousands::point && layout_.decimal == Decimal::point);
    const bool delimiter =
        layout_.thousands == Thousands::blank && layout_.delimiter == Delimiter::blank;
    if (decimal || delimiter)
      throw Error("IMPORT_THOUSANDS", {{"other", decimal ? "the decimal mark" : "the delimiter"}},
                  "/thousands");
  }

  std::string_view text_;
  const LayoutRequest& request_;
  Comments comments_;
  std::vector<SampleLine> sample_;
  std::span<const SampleLine> data_;  ///< lines of the sample that follow header and units
  Layout layout_;
};

}  // namespace

bool Layout::is_long() const {
  return std::ranges::find(columns, ColumnRole::tag_name, &LayoutColumn::role) != columns.end();
}

std::vector<std::string> Layout::names() const {
  std::vector<std::string> out;
  for (const LayoutColumn& column : columns) out.push_back(column.name);
  return out;
}

Layout find_layout(std::string_view text, const LayoutRequest& request) {
  return Finder(text, request).find();
}

}  // namespace flyball::historian
