#pragma once
// Several rows at one time: a tag has one value at one time, whatever the run.
#include <vector>

#include "historian/import_options.h"

namespace flyball::historian {

struct RepeatedTimes {
  std::vector<char> left_out;  ///< one per row of the table; empty when no time repeats
  std::int64_t merged = 0;     ///< rows left out
  std::int64_t conflicts = 0;  ///< of them, those that hold other values than the row kept
  std::vector<TimeUs> first;   ///< the first 5 times of conflicts, else of repetitions
};

/// Finds them among the rows of each tag of a long table, else among all rows; `mean` changes the
/// values of the rows kept. Without a policy it is `last`. Throws IMPORT_TIMES_CONFLICT under
/// `refuse`, and IMPORT_ROWS_COLLIDE without a policy when more than half of the rows, or 10 and a
/// tenth of them, would be lost to conflicts: such a table is long, or of several runs. O(rows)
/// when they rise, else O(rows log rows).
RepeatedTimes merge_repeated(TextTable& table, const std::vector<TableTag>& tags,
                             std::optional<OnDuplicate> policy);

/// More than half of the rows, or 10 and more than a tenth: other data, not a correction.
bool many_conflicts(std::int64_t conflicts, std::int64_t rows);

}  // namespace flyball::historian
