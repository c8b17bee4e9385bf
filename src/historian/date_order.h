#pragma once
// Which number of 01/02/2026 is the day.
#include <vector>

#include "core/error.h"
#include "historian/civil_time.h"

namespace flyball::historian {

struct TableHead;

/// Decided by all rows: a number beyond 12 is a day. day_first when no date of the first rows
/// leaves it open. Throws IMPORT_DATE_ORDER when no row decides, or rows decide against each other.
/// One pass over the text.
DateOrder find_date_order(const TableHead& table, const std::vector<std::size_t>& columns,
                          std::vector<Message>& notes);

}  // namespace flyball::historian
