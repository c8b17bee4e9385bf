#include "historian/first_lines.h"

#include <map>

#include "core/record.h"
#include "historian/lines.h"

namespace flyball::historian {
namespace {

constexpr std::size_t kSampleLines = 200;

/// What spreadsheets write to say the separator: "sep=;".
bool names_separator(std::string_view line) {
  return line.size() <= 6 && (line.starts_with("sep=") || line.starts_with("\"sep="));
}

bool is_comment(std::string_view line) {
  const bool marked = line.starts_with('#') || line.starts_with('%') || names_separator(line);
  return marked && !lower_case(line.substr(0, 4)).starts_with("#n/a") &&
         !lower_case(line.substr(0, 3)).starts_with("#na");
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

}  // namespace

Comments leading_comments(std::string_view text) {
  Comments out;
  Lines lines(text);
  out.offset = lines.offset();
  for (std::string_view line; lines.next(line);) {
    if (is_comment(line)) {
      out.lines.push_back({line, lines.number(), lines.offset()});
    } else if (!is_blank_line(line)) {
      break;
    }
    out.offset = lines.offset();
    out.last_line = lines.number();
  }
  return out;
}

std::vector<SampleLine> first_lines(std::string_view text, const Comments& comments) {
  std::vector<SampleLine> out;
  Lines lines(text, comments.offset, comments.last_line);
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

}  // namespace flyball::historian
