#pragma once
// Which column holds the time.
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "historian/row_splitter.h"

namespace flyball::historian {

/// The column `named`, else one whose cells are mostly ISO times with offset: by name (time,
/// timestamp, datetime, date, ...) first, then the first by content. Throws, naming column and
/// cell: IMPORT_TIME_NO_OFFSET, IMPORT_TIME_IS_NUMBER, IMPORT_TIME_FORMAT for a time that cannot be
/// taken as it is, IMPORT_NO_TIME_COLUMN when nothing looks like one.
std::size_t find_time_column(const std::vector<std::string>& names,
                             const std::vector<std::vector<Cell>>& rows,
                             std::optional<std::size_t> named,
                             std::optional<std::size_t> run_column, std::vector<Message>& notes);

}  // namespace flyball::historian
