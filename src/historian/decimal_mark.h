#pragma once
// Which decimal mark a table uses.
#include <string_view>
#include <vector>

#include "core/error.h"
#include "historian/row_splitter.h"

namespace flyball::historian {

/// Looks at every number with a mark in `data` (all data rows) until one is clear. A
/// comma-separated table has decimal points. Throws IMPORT_DECIMAL_AMBIGUOUS when both marks occur,
/// or when every number with a comma (with semicolons: or a point) could as well have thousands
/// separators.
Decimal find_decimal(std::string_view data, Delimiter delimiter, std::vector<Message>& notes);

/// The refusal, naming the cell.
[[noreturn]] void refuse_decimal(std::string_view cell);

}  // namespace flyball::historian
