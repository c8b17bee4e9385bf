#include "historian/text_table.h"

#include <algorithm>

#include "core/checks.h"
#include "historian/decimal_mark.h"
#include "historian/lines.h"
#include "historian/quality_codes.h"
#include "plant/names.h"

namespace flyball::historian {
namespace {

constexpr std::size_t kMostRuns = 10'000, kMostTexts = 4'096;
constexpr std::int64_t kLinesBetweenChecks = 1 << 14;
constexpr std::size_t kLongestState = 100;
constexpr std::size_t kBlockCells = 2048;  // 16 KiB: a block stays in the fastest cache

/// What is done with the cell of a column.
enum class Does : char { number, time, word, nothing };

class Reader {
 public:
  Reader(TextTable& table, const LayoutRequest& request)
      : table_(table), request_(request), time_(table.layout.time, request.time.zone) {
    const auto& columns = table.layout.columns;
    block_rows_ = std::max<std::size_t>(1, kBlockCells / std::max<std::size_t>(1, columns.size()));
    block_.resize(block_rows_ * columns.size());
    row_ = block_.data();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      does_.push_back(add(columns[i], i));
    }
    for (std::size_t i = 0; i < columns.size(); ++i) link_quality(columns[i], i);
    ids_.resize(table.word_columns.size());
    word_qualities_.resize(table.columns.size());
  }

  void read(const ProgressFn& progress, const std::stop_token& stop) {
    const std::string_view text = table_.source->text;
    Lines lines(text, table_.layout.data_offset, table_.layout.data_line - 1);
    std::int64_t until_check = 0;
    while (lines.next(line_)) {
      if (--until_check < 0) {
        check_stop(stop);
        const double share = static_cast<double>(lines.offset()) / static_cast<double>(text.size());
        if (progress) progress({"import", 0.9 * share, "reading"});
        until_check = kLinesBetweenChecks;
      }
      if (is_blank_line(line_)) continue;
      reserve_by_line();
      ++table_.rows_in;
      number_ = lines.number();
      if (read_row()) keep_row();
    }
    flush_block();
    resolve_doubled(table_.times, doubled_, sequences(), request_.time.doubled_hour,
                    request_.time.zone.value_or(""), table_.layout.notes);
  }

 private:
  Does add(const LayoutColumn& column, std::size_t at) {
    position_.push_back(0);
    switch (column.role) {
      case ColumnRole::tag:
        position_.back() = table_.columns.size();
        table_.columns.push_back({column.name, column.unit, {}, {}});
        table_.of_columns.push_back(at);
        return Does::number;
      case ColumnRole::time:
        position_.back() = at == table_.layout.time.columns.front() ? 0 : 1;
        return Does::time;
      case ColumnRole::unused:
        return Does::nothing;
      default:
        break;
    }
    position_.back() = table_.word_columns.size();
    const std::size_t limit = column.role == ColumnRole::run ? kMostRuns : kMostTexts;
    table_.word_columns.push_back({column.name, column.role, {}, WordList(limit), {}});
    return Does::word;
  }

  /// From a column of the file to one of the table.
  void link_quality(const LayoutColumn& column, std::size_t at) {
    if (column.role == ColumnRole::quality && column.of)
      table_.word_columns[position_[at]].of = position_[*column.of];
  }

  /// From the length of the first row, so that columns rarely move.
  void reserve_by_line() {
    if (table_.rows_in != 0) return;
    const std::size_t left = table_.source->text.size() - table_.layout.data_offset;
    const std::size_t rows = left / (line_.size() + 1) + 1;
    for (Column& column : table_.columns) column.values.reserve(rows + rows / 16);
  }

  bool read_row() {
    bad_.clear();
    const Layout& layout = table_.layout;
    RowSplitter row(line_, layout.delimiter, layout.decimal);
    std::size_t cells = 0;
    for (; !row.done(); ++cells) {
      if (cells >= does_.size()) return read_surplus(row, cells);
      if (does_[cells] == Does::number && row.number(row_[cells])) continue;
      const Cell cell = row.next();
      if (row.broken()) return reject(RejectReason::quote, readable(cell.text));
      if (!take_cell(cell, cells)) return false;
    }
    if (cells != does_.size()) return reject(RejectReason::cells, std::to_string(cells));
    return read_time();
  }

  /// A separator at the end of the row is none; anything else is a row of another shape.
  bool read_surplus(RowSplitter& row, std::size_t cells) {
    const Cell cell = row.next();
    ++cells;
    if (row.done() && cell.text.empty() && !cell.quoted) return read_time();
    for (; !row.done(); ++cells) row.next();
    return reject(RejectReason::cells, std::to_string(cells));
  }

  bool take_cell(const Cell& cell, std::size_t at) {
    switch (does_[at]) {
      case Does::number:
        read_number_cell(cell, at);
        return true;
      case Does::time:
        time_cells_[position_[at]] = cell.text;
        return true;
      case Does::word:
        return read_word(cell, table_.word_columns[position_[at]], ids_[position_[at]]);
      case Does::nothing:
        break;
    }
    return true;
  }

  bool read_time() {
    if (table_.layout.time.columns.empty()) return true;
    const TimeReading reading = time_.read(time_cells_);
    at_ = reading.at;
    second_ = reading.second;
    if (reading.fault == TimeFault::none) return true;
    const RejectReason reason = reading.fault == TimeFault::no_offset ? RejectReason::time_no_offset
                                : reading.fault == TimeFault::left_out ? RejectReason::time_left_out
                                                                       : RejectReason::time;
    return reject(reason, readable(time_text()));
  }

  [[nodiscard]] std::string time_text() const {
    std::string out(time_cells_[0]);
    if (table_.layout.time.columns.size() == 2) out.append(" ").append(time_cells_[1]);
    return out;
  }

  void read_number_cell(const Cell& cell, std::size_t at) {
    const Layout& layout = table_.layout;
    const Number number = layout.thousands
                              ? read_grouped_number(cell.text, layout.decimal, *layout.thousands)
                              : read_number(cell.text, layout.decimal);
    row_[at] = number.value;
    if (number.quality == kGood) return;
    if (number.quality == kBadNotANumber && cell.quoted && !layout.decimal_was_given &&
        layout.decimal == Decimal::point && mark_use(cell.text, ',') != MarkUse::none) {
      refuse_decimal(cell.text);
    }
    bad_.push_back({position_[at], number.quality, cell});
  }

  bool read_word(const Cell& cell, WordColumn& column, std::uint32_t& id) {
    if (column.role == ColumnRole::run && cell.text.empty()) return reject(RejectReason::run, "");
    if (column.role == ColumnRole::tag_name && !plant::is_tag_name(cell.text))
      return reject(RejectReason::tag, readable(cell.text));
    id = cell.quoted ? column.words.index_of(text_of(cell)) : column.words.index_of(cell.text);
    if (id != WordList::kFull) return true;
    if (column.role == ColumnRole::run)
      throw Error("IMPORT_TOO_MANY_RUNS", {{"column", column.name}, {"limit", kMostRuns}});
    throw Error("IMPORT_TOO_MANY_TEXTS", {{"column", column.name}, {"limit", kMostTexts}});
  }

  /// A row of nothing but separators is no row where times are: files are padded with them.
  bool reject(RejectReason reason, std::string found) {
    const bool blank = line_.find_first_not_of(",; \t\r") == std::string_view::npos;
    if (blank && !table_.layout.time.columns.empty()) {
      --table_.rows_in;
      ++table_.blank_rows;
    } else {
      table_.rejected.push_back({number_, reason, std::move(found), line_});
    }
    return false;
  }

  void keep_row() {
    const std::size_t at = table_.rows() - 1;
    if (++in_block_ == block_rows_) flush_block();
    row_ = block_.data() + in_block_ * does_.size();
    for (const BadInRow& bad : bad_) flag(bad, static_cast<std::int64_t>(at));
    for (std::size_t i = 0; i < ids_.size(); ++i) table_.word_columns[i].ids.push_back(ids_[i]);
    if (table_.layout.time.columns.empty()) return;
    if (second_) doubled_.push_back({at, *second_, number_, time_text()});
    table_.times.push_back(at_);
  }

  /// From rows to columns.
  void flush_block() {
    for (std::size_t i = 0; i < does_.size(); ++i) {
      if (does_[i] != Does::number) continue;
      std::vector<double>& values = table_.columns[position_[i]].values;
      const std::size_t before = values.size();
      values.resize(before + in_block_);
      for (std::size_t row = 0; row < in_block_; ++row)
        values[before + row] = block_[row * does_.size() + i];
    }
    in_block_ = 0;
  }

  struct BadInRow {
    std::size_t column;
    Quality quality;
    Cell cell;
  };

  void flag(const BadInRow& bad, std::int64_t row) {
    Column& column = table_.columns[bad.column];
    Flag out{row, bad.quality};
    if (!bad.cell.text.empty()) out.word = word_of(bad.cell, column.words);
    if (bad.quality == kBadNotANumber && out.word != WordList::kFull)
      out.quality = quality_of(bad.column, out.word);
    column.flags.push_back(out);
  }

  static std::uint32_t word_of(const Cell& cell, WordList& words) {
    const std::uint32_t known = cell.quoted ? WordList::kFull : words.find(cell.text);
    if (known != WordList::kFull) return known;
    return words.index_of(readable(text_of(cell), kLongestState));
  }

  /// Each different text is looked up once.
  Quality quality_of(std::size_t column, std::uint32_t word) {
    std::vector<Quality>& known = word_qualities_[column];
    const auto& words = table_.columns[column].words.words();
    while (known.size() < words.size()) known.push_back(quality_of_state(words[known.size()]));
    return known[word];
  }

  /// Rows that run through time together: those of one run and one tag.
  [[nodiscard]] std::vector<std::uint64_t> sequences() const {
    std::vector<std::uint64_t> out;
    if (doubled_.empty()) return out;
    const WordColumn* run = table_.words_of(ColumnRole::run);
    const WordColumn* tag = table_.words_of(ColumnRole::tag_name);
    if (run == nullptr && tag == nullptr) return out;
    for (std::size_t row = 0; row < table_.times.size(); ++row) {
      const std::uint64_t high = run == nullptr ? 0 : run->ids[row];
      out.push_back(high << 32 | (tag == nullptr ? 0 : tag->ids[row]));
    }
    return out;
  }

  TextTable& table_;
  const LayoutRequest& request_;
  TimeReader time_;
  std::vector<Does> does_;                            ///< one per column of the file
  std::vector<std::vector<Quality>> word_qualities_;  ///< per column of the table, by word
  std::vector<std::size_t> position_;                 ///< of each among those that do the same

  std::string_view line_;
  std::int64_t number_ = 0;
  std::vector<double> block_;  ///< numbers of the last rows, row by row
  std::size_t block_rows_ = 1, in_block_ = 0;
  double* row_ = nullptr;  ///< of the block: the row that is being read
  std::vector<BadInRow> bad_;
  std::array<std::string_view, 2> time_cells_;
  std::vector<std::uint32_t> ids_;
  TimeUs at_ = 0;
  std::optional<TimeUs> second_;
  std::vector<DoubledTime> doubled_;
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
    case RejectReason::time_left_out:
      return {"ROW_TIME_LEFT_OUT", {{"line", line}, {"cell", found}}};
    case RejectReason::quote:
      return {"ROW_QUOTE", {{"line", line}, {"cell", found}}};
    case RejectReason::tag:
      return {"ROW_TAG", {{"line", line}, {"cell", found}}};
    case RejectReason::run:
      break;
  }
  return {"ROW_RUN", {{"line", line}}};
}

const WordColumn* TextTable::words_of(ColumnRole role) const {
  const auto at = std::ranges::find(word_columns, role, &WordColumn::role);
  return at == word_columns.end() ? nullptr : &*at;
}

TextTable read_table(std::string_view bytes, const LayoutRequest& request,
                     const ProgressFn& progress, const std::stop_token& stop) {
  TextTable table;
  table.source = std::make_unique<DecodedText>();
  decode_text(bytes, *table.source);
  table.layout = find_layout(table.source->text, request);
  Reader(table, request).read(progress, stop);
  return table;
}

}  // namespace flyball::historian
