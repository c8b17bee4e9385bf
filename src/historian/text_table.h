#pragma once
// Reads one delimited text table into columns, in one pass over memory.
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/progress.h"
#include "core/time.h"
#include "historian/quality.h"
#include "historian/text_layout.h"

namespace flyball::historian {

struct BadCell {
  std::int64_t row;  ///< index into values
  Quality quality;
};

struct Column {
  std::string name, unit;
  std::vector<double> values;  ///< one per row; NaN where the cell is bad
  std::vector<BadCell> bad;    ///< ascending
};

enum class RejectReason { cells, time, time_no_offset, quote, run };

struct RejectedRow {
  std::int64_t line;  ///< in the file, from 1
  RejectReason reason;
  std::string found;  ///< the cell, or the number of cells

  /// In words; `expected` is the number of columns.
  [[nodiscard]] Message message(std::size_t expected) const;
};

/// Rows that were read, in the order of the file. rows_in = rows() + rejected.size().
struct TextTable {
  Layout layout;
  std::vector<Column> columns;  ///< those that become tags: without time and run
  std::vector<TimeUs> times;    ///< one per row when there is a time column, else empty
  std::vector<std::uint32_t>
      runs;  ///< one per row when there is a run column: index into run_names
  std::vector<std::string> run_names;
  std::vector<RejectedRow> rejected;
  std::int64_t rows_in = 0;

  [[nodiscard]] std::size_t rows() const {
    return static_cast<std::size_t>(rows_in) - rejected.size();
  }
};

/// Throws what find_layout() throws, IMPORT_DECIMAL_AMBIGUOUS for a quoted "1,5" between commas,
/// IMPORT_TOO_MANY_RUNS beyond 10 000 different texts in the run column, CANCELLED. Progress is of
/// stage "import".
TextTable read_table(std::string_view text, const LayoutRequest& request,
                     const ProgressFn& progress, const std::stop_token& stop);

}  // namespace flyball::historian
