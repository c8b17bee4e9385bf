#include "historian/text_table.h"

#include <limits>
#include <unordered_map>

#include "core/checks.h"
#include "historian/decimal_mark.h"
#include "historian/lines.h"

namespace flyball::historian {
namespace {

constexpr std::int64_t kMostRuns = 10'000;
constexpr std::int64_t kLinesBetweenChecks = 1 << 14;

class Reader {
 public:
  Reader(std::string_view text, Layout layout) : text_(text) {
    const std::size_t n = layout.names.size();
    row_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      const bool is_tag = i != layout.time_column && i != layout.run_column;
      column_of_.push_back(is_tag ? static_cast<std::ptrdiff_t>(table_.columns.size()) : -1);
      if (is_tag) table_.columns.push_back({layout.names[i], layout.units[i], {}, {}});
    }
    fast_ = layout.decimal == Decimal::point;
    table_.layout = std::move(layout);
  }

  TextTable read(const ProgressFn& progress, const std::stop_token& stop) {
    const Layout& layout = table_.layout;
    Lines lines(text_, layout.data_offset, layout.data_line - 1);
    std::int64_t until_check = 0;
    for (std::string_view line; lines.next(line);) {
      if (--until_check < 0) {
        check_stop(stop);
        const double share =
            static_cast<double>(lines.offset()) / static_cast<double>(text_.size());
        if (progress) progress({"import", 0.9 * share, "reading"});
        until_check = kLinesBetweenChecks;
      }
      if (is_blank_line(line)) continue;
      reserve_by(line);
      ++table_.rows_in;
      if (read_row(line, lines.number())) keep_row();
    }
    return std::move(table_);
  }

 private:
  /// From the length of the first row, so that columns rarely move.
  void reserve_by(std::string_view line) {
    if (table_.rows_in != 0) return;
    const std::size_t rows = (text_.size() - table_.layout.data_offset) / (line.size() + 1) + 1;
    for (Column& column : table_.columns) column.values.reserve(rows + rows / 16);
  }

  bool read_row(std::string_view line, std::int64_t number) {
    bad_.clear();
    const Layout& layout = table_.layout;
    RowSplitter row(line, layout.delimiter);
    std::size_t cells = 0;
    for (; !row.done(); ++cells) {
      if (cells >= column_of_.size()) return read_surplus(row, cells, number);
      if (fast_ && column_of_[cells] >= 0 && row.number(row_[cells])) continue;
      const Cell cell = row.next();
      if (row.broken()) return reject(number, RejectReason::quote, readable(cell.text));
      if (cells == layout.time_column) {
        if (!read_time(cell, number)) return false;
      } else if (cells == layout.run_column) {
        if (cell.text.empty()) return reject(number, RejectReason::run, "");
        run_ = run_index(cell);
      } else {
        read_number_cell(cell, cells);
      }
    }
    if (cells != column_of_.size())
      return reject(number, RejectReason::cells, std::to_string(cells));
    return true;
  }

  /// A separator at the end of the row is none; anything else is a row of another shape.
  bool read_surplus(RowSplitter& row, std::size_t cells, std::int64_t number) {
    const Cell cell = row.next();
    ++cells;
    if (row.done() && cell.text.empty() && !cell.quoted) return true;
    for (; !row.done(); ++cells) row.next();
    return reject(number, RejectReason::cells, std::to_string(cells));
  }

  bool read_time(const Cell& cell, std::int64_t number) {
    if (try_parse_time(cell.text, time_)) return true;
    const bool almost = try_parse_time(cell.text, time_, false);
    return reject(number, almost ? RejectReason::time_no_offset : RejectReason::time,
                  readable(cell.text));
  }

  void read_number_cell(const Cell& cell, std::size_t at) {
    const Layout& layout = table_.layout;
    const Number number = read_number(cell.text, layout.decimal);
    row_[at] = number.value;
    if (number.quality == kGood) return;
    if (number.quality == kBadNotANumber && cell.quoted && !layout.decimal_was_given &&
        layout.decimal == Decimal::point && mark_use(cell.text, ',') != MarkUse::none) {
      refuse_decimal(cell.text);
    }
    bad_.push_back({column_of_[at], number.quality});
  }

  std::uint32_t run_index(const Cell& cell) {
    if (cell.text == last_run_text_ && !table_.run_names.empty()) return run_;
    last_run_text_ = cell.text;
    const std::string name = text_of(cell);
    const auto [it, fresh] =
        run_by_name_.emplace(name, static_cast<std::uint32_t>(table_.run_names.size()));
    if (fresh) {
      if (run_by_name_.size() > kMostRuns) {
        throw Error(
            "IMPORT_TOO_MANY_RUNS",
            {{"column", table_.layout.names[*table_.layout.run_column]}, {"limit", kMostRuns}});
      }
      table_.run_names.push_back(name);
    }
    return it->second;
  }

  bool reject(std::int64_t line, RejectReason reason, std::string found) {
    table_.rejected.push_back({line, reason, std::move(found)});
    return false;
  }

  void keep_row() {
    const auto at = static_cast<std::int64_t>(table_.rows()) - 1;
    for (std::size_t i = 0; i < row_.size(); ++i) {
      if (column_of_[i] >= 0)
        table_.columns[static_cast<std::size_t>(column_of_[i])].values.push_back(row_[i]);
    }
    for (const auto& [column, quality] : bad_) {
      table_.columns[static_cast<std::size_t>(column)].bad.push_back({at, quality});
    }
    if (table_.layout.time_column) table_.times.push_back(time_);
    if (table_.layout.run_column) table_.runs.push_back(run_);
  }

  struct BadInRow {
    std::ptrdiff_t column;
    Quality quality;
  };

  std::string_view text_;
  TextTable table_;
  std::vector<std::ptrdiff_t> column_of_;  ///< −1 for time and run
  bool fast_ = true;
  std::vector<double> row_;
  std::vector<BadInRow> bad_;
  TimeUs time_ = 0;
  std::uint32_t run_ = 0;
  std::string_view last_run_text_;
  std::unordered_map<std::string, std::uint32_t> run_by_name_;
};

}  // namespace

Message RejectedRow::message(std::size_t expected) const {
  switch (reason) {
    case RejectReason::cells:
      return {"ROW_CELLS", {{"line", line}, {"found", found}, {"expected", expected}}};
    case RejectReason::time:
      return {"ROW_TIME", {{"line", line}, {"cell", found}}};
    case RejectReason::time_no_offset:
      return {"ROW_TIME_NO_OFFSET", {{"line", line}, {"cell", found}}};
    case RejectReason::quote:
      return {"ROW_QUOTE", {{"line", line}, {"cell", found}}};
    case RejectReason::run:
      break;
  }
  return {"ROW_RUN", {{"line", line}}};
}

TextTable read_table(std::string_view text, const LayoutRequest& request,
                     const ProgressFn& progress, const std::stop_token& stop) {
  return Reader(text, find_layout(text, request)).read(progress, stop);
}

}  // namespace flyball::historian
