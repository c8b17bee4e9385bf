#pragma once
// From the columns of a table to tags: which there are, what kind they are of, what their cells are
// worth. All of it is decided by whole columns.
#include <optional>
#include <string>
#include <vector>

#include "historian/quality_codes.h"
#include "historian/text_table.h"
#include "plant/records.h"

namespace flyball::historian {

struct TableTag {
  plant::Tag tag;                 ///< what is known of it already, completed by the table
  std::size_t column;             ///< of table.columns
  std::vector<std::size_t> rows;  ///< of a long table: those that name it, in the order of the file
};

struct TagsRequest {
  std::string line;
  bool keep_index = false;              ///< a leading column 0, 1, 2, ... is a tag
  std::optional<QualityCodes> codes;    ///< what numbers in quality columns mean
  std::vector<std::string> bad_values;  ///< VALUE, or TAG=VALUE: numbers that mean no value
};

/// Changes the table too: texts of digital tags become codes, bad cells NaN with a flag; columns
/// left out have the role index or unused.
///
/// Left out, with a note: columns without name and without any cell, and a leading column without
/// name (or named index, no, row, ...) that counts rows. Digital: cells are mostly words, of 64
/// kinds at most; codes follow the order of first appearance behind those the tag has. A tag of
/// `known` keeps its kind. Where a quality column says bad, the value is NaN.
///
/// Throws UNIT_DIFFERS when the table has another unit than `known`, IMPORT_UNITS_MIXED,
/// IMPORT_BAD_VALUE, IMPORT_COLUMN_UNKNOWN, IMPORT_TOO_MANY_STATES, and what read_qualities()
/// throws.
std::vector<TableTag> find_tags(TextTable& table, const TagsRequest& request,
                                const std::vector<plant::Tag>& known, std::vector<Message>& notes);

/// Adds flags to a column, in any order, one per row; where a row has one, the new one stays unless
/// it is of better quality. Values of bad rows become NaN.
void add_flags(Column& column, std::vector<Flag> added);

}  // namespace flyball::historian
