#pragma once
// Which rows of a table belong to which run, and when they were taken.
#include <vector>

#include "historian/historian.h"
#include "historian/import_options.h"

namespace flyball::historian {

/// Rows of one run in the order of time: of all tags, or of one tag of a long table.
struct Series {
  std::vector<std::size_t> tags;  ///< indices into the tags of the table
  std::vector<std::size_t> rows;  ///< of the table, ascending in time
  std::vector<TimeUs> times;      ///< one per row, strictly ascending
};

struct PlannedRun {
  plant::Run run;
  std::vector<Series> series;  ///< none empty
};

struct RunPlan {
  std::vector<PlannedRun> runs;  ///< in the order of the file, none empty
  std::int64_t merged = 0;       ///< rows left out because another has their time
  std::int64_t conflicts = 0;    ///< of them, those that hold other values
  std::optional<DurationUs> step;
  std::vector<Message> notes;
};

/// `again`: the runs that the same file went to before; its rows go there again. Without a time
/// column the first run starts at options.start, else at 1970-01-01T00:00:00Z when the line has no
/// sample yet; every other run at the UTC midnight after the line's newest sample; a run of `again`
/// where it started. A known run keeps its evidence unless another one is given (RUN_EVIDENCE).
/// With options.gap a run is cut where no row stands for longer. Changes values under
/// OnDuplicate::mean only. Throws NAME_INVALID, RUN_MISMATCH, IMPORT_TIMES_CONFLICT,
/// IMPORT_RUN_NAMES_CLASH, IMPORT_RUN_HAS_SAMPLES (a known run, and rows without times), and
/// FIELD_RANGE when rows would lie beyond the year 9999.
RunPlan plan_runs(TextTable& table, const std::vector<TableTag>& tags, const ImportOptions& options,
                  const Historian& historian, const std::vector<std::string>& again = {});

}  // namespace flyball::historian
