#pragma once
// Which rows of a table belong to which run, and when they were taken.
#include <vector>

#include "historian/historian.h"
#include "historian/import.h"
#include "historian/text_table.h"

namespace flyball::historian {

struct PlannedRun {
  plant::Run run;
  std::vector<std::size_t> rows;  ///< of the table, ascending in time
  std::vector<TimeUs> times;      ///< one per row, strictly ascending
};

struct RunPlan {
  std::vector<PlannedRun> runs;  ///< in the order of the file, none empty
  std::int64_t merged = 0;       ///< rows left out because a later one has their time
  std::optional<DurationUs> step;
  std::vector<Message> notes;
};

/// Without a time column the first run starts at options.start, else at 1970-01-01T00:00:00Z when
/// the line has no sample yet; every other run at the UTC midnight after the line's newest sample.
/// Throws NAME_INVALID, RUN_MISMATCH, and FIELD_RANGE when rows would lie beyond the year 9999.
RunPlan plan_runs(const TextTable& table, const ImportOptions& options, const Historian& historian);

}  // namespace flyball::historian
