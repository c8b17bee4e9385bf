#pragma once
// From the text of a table to samples in a historian, with an account of every row.
//
//   rows_in = stored + rejected + merged
//
// rejected: another number of cells, an unreadable time, no run. merged: repeats a time (the last
// row wins). stored: everything else, also rows with bad cells; a bad cell is stored with its
// quality, never as zero. Nothing is stored when anything is refused.
#include <array>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/progress.h"
#include "core/record.h"
#include "historian/historian.h"
#include "historian/text_table.h"

namespace flyball::historian {

struct ImportOptions {
  std::string line = "default", product = "default", recipe = "default";
  std::optional<std::string> run;    ///< default: run-1, or the next number that is free
  std::vector<std::string> columns;  ///< names of all columns
  std::optional<DurationUs> period;  ///< rows are evenly spaced; no column is taken as time
  std::optional<TimeUs> start;       ///< of the first row; only with period
  std::optional<std::string> time_column, run_column;
  std::optional<Delimiter> delimiter;
  std::optional<Decimal> decimal;
  double max_rejects = 0.01;
  plant::EvidenceSource evidence = plant::EvidenceSource::unassessed;

  static constexpr auto fields() {
    using O = ImportOptions;
    return std::tuple{
        field("line", &O::line, "line the tags belong to"),
        field("product", &O::product, "product that was made"),
        field("recipe", &O::recipe, "recipe that was run"),
        field("run", &O::run,
              "run the rows belong to; default: run-1, or the next number that is free"),
        field("columns", &O::columns, "names of all columns, for a table without header")
            .max_length(kMostColumns),
        field("period", &O::period, "time between rows when no column holds the time")
            .range(1, 86'400e6)
            .unit("us"),
        field("start", &O::start, "time of the first row; only with a period").unit("us"),
        field("timeColumn", &O::time_column, "column that holds the time"),
        field("runColumn", &O::run_column, "column that names the run of each row"),
        field("delimiter", &O::delimiter, "what stands between cells"),
        field("decimal", &O::decimal, "decimal mark"),
        field("maxRejects", &O::max_rejects, "largest share of rejected rows").range(0, 1),
        field("evidence", &O::evidence, "where the samples come from")};
  }
};

/// Over the stored rows: good + uncertain + bad + missing = rows stored.
struct TagAccount {
  std::string tag, unit;
  std::int64_t good = 0, uncertain = 0;
  std::int64_t bad = 0;            ///< cells that held something else than a finite number
  std::int64_t missing = 0;        ///< cells that were empty or said so
  std::optional<double> min, max;  ///< of the good
};

struct ImportResult {
  std::int64_t rows_in = 0, stored = 0, rejected = 0, merged = 0;
  std::vector<TagAccount> tags;        ///< in the order of the columns
  std::vector<std::string> runs;       ///< in the order of the file
  std::vector<Message> rejected_rows;  ///< line and reason, all of them
  std::vector<Message> notes;          ///< guesses with their evidence, and what was repaired
  std::optional<DurationUs> step;      ///< the period, else the median time between rows of a run
  std::optional<Interval> times;       ///< first to last + 1 µs
};

/// Throws what read_table() throws; IMPORT_TOO_MANY_REJECTS (counts and first reasons),
/// IMPORT_ONE_ROW, IMPORT_ALL_BAD, IMPORT_OPTIONS_CONFLICT, IMPORT_NO_TAGS, NAME_INVALID,
/// CANCELLED. The text must outlive the call only.
ImportResult import_text(std::string_view text, const ImportOptions& options, Historian& historian,
                         const ProgressFn& progress = {}, const std::stop_token& stop = {});

}  // namespace flyball::historian
