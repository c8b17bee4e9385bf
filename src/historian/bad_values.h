#pragma once
// Numbers that stand for "no value", such as -9999: declared ones are taken out, others proposed.
#include <string>
#include <vector>

#include "historian/table_tags.h"

namespace flyball::historian {

/// Each item is VALUE or TAG=VALUE; cells that equal it become missing, the value being the reason.
/// Codes of digital tags are no values.
/// Throws IMPORT_BAD_VALUE for what is no number, IMPORT_COLUMN_UNKNOWN.
void apply_bad_values(TextTable& table, const std::vector<TableTag>& tags,
                      const std::vector<std::string>& items);

/// Notes values that look like it, changing nothing: the lowest or the highest whole number of a
/// tag, of at least two digits, that stands there 3 times or more beside 20 different others and
/// apart from them by more than a tenth of their range; or that is written in nines (-999, 9999,
/// ...) and apart by more than their range. One pass over the values.
void propose_bad_values(const TextTable& table, const std::vector<TableTag>& tags,
                        std::vector<Message>& notes);

}  // namespace flyball::historian
