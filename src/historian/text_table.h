#pragma once
// Reads one delimited text table into columns, in one pass over memory.
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/progress.h"
#include "core/time.h"
#include "historian/quality.h"
#include "historian/text_encoding.h"
#include "historian/text_layout.h"
#include "historian/word_list.h"

namespace flyball::historian {

/// A cell whose quality is not good.
struct Flag {
  std::int64_t row;  ///< index into values
  Quality quality;
  std::uint32_t word = WordList::kFull;  ///< why: index into Column::words
};

/// The most texts of a digital tag. Beyond twice as many, those of a column are counted together.
inline constexpr std::size_t kMostStates = 64;

struct Column {
  std::string name, unit;
  std::vector<double> values;  ///< one per row; NaN where the cell is bad
  std::vector<Flag> flags;     ///< ascending in rows
  WordList words{2 * kMostStates};
};

/// A column of texts of few kinds: runs, names of tags, units, qualities.
struct WordColumn {
  std::string name;
  ColumnRole role;
  std::optional<std::size_t> of;  ///< of a quality: index into columns; absent: all
  WordList words;
  std::vector<std::uint32_t> ids;  ///< one per row
};

enum class RejectReason { cells, time, time_no_offset, time_left_out, quote, run, tag };

struct RejectedRow {
  std::int64_t line;  ///< in the file, from 1
  RejectReason reason;
  std::string found;      ///< the cell, or the number of cells
  std::string_view text;  ///< the line

  /// In words; `expected` is the number of columns.
  [[nodiscard]] Message message(std::size_t expected) const;
};

/// Rows that were read, in the order of the file. rows_in = rows() + rejected.size().
struct TextTable {
  std::unique_ptr<DecodedText> source;
  Layout layout;
  std::vector<Column> columns;          ///< those of role tag
  std::vector<std::size_t> of_columns;  ///< one per column: index into layout.columns
  std::vector<WordColumn> word_columns;
  std::vector<TimeUs> times;  ///< one per row when there is a time column, else empty
  std::vector<RejectedRow> rejected;
  std::int64_t rows_in = 0;
  std::int64_t blank_rows = 0;  ///< rows of empty cells in a table with times: they are no rows

  [[nodiscard]] std::size_t rows() const {
    return static_cast<std::size_t>(rows_in) - rejected.size();
  }
  /// The column of a role, null when there is none.
  [[nodiscard]] const WordColumn* words_of(ColumnRole role) const;
};

/// `bytes` must outlive the table. Throws what decode_text() and find_layout() throw,
/// IMPORT_DECIMAL_AMBIGUOUS for a quoted "1,5" between commas, IMPORT_TOO_MANY_RUNS beyond 10 000
/// different texts in the run column, IMPORT_TOO_MANY_TEXTS beyond 4 096 in another,
/// IMPORT_TIME_DOUBLED, CANCELLED. Progress is of stage "import".
TextTable read_table(std::string_view bytes, const LayoutRequest& request,
                     const ProgressFn& progress, const std::stop_token& stop);

}  // namespace flyball::historian
