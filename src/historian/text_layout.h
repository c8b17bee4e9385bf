#pragma once
// How a delimited text table is laid out: found from its first lines (the decimal mark and the
// order of day and month from all of it), each guess reported with its evidence, each overridable.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "historian/column_roles.h"
#include "historian/first_lines.h"

namespace flyball::historian {

/// What the user said; what is absent is found.
struct LayoutRequest : RolesRequest {
  std::optional<Delimiter> delimiter;
  std::optional<Decimal> decimal;
  std::optional<Thousands> thousands;
  std::vector<std::string> columns;  ///< names of all columns
};

struct Layout {
  Delimiter delimiter = Delimiter::comma;
  Decimal decimal = Decimal::point;
  bool decimal_was_given = false;
  std::optional<Thousands> thousands;
  std::vector<LayoutColumn> columns;  ///< names are unique, trimmed, UTF-8
  std::vector<bool> was_named;        ///< one per column: the header or --columns gave its name
  bool has_header = false;
  TimeSource time;
  std::size_t data_offset = 0;  ///< of the first line that may be a data row
  std::int64_t data_line = 1;   ///< its number in the file
  std::vector<Message> notes;   ///< guesses with their evidence

  [[nodiscard]] bool is_long() const;
  [[nodiscard]] std::vector<std::string> names() const;
};

/// `text` is a whole file, in UTF-8 (decode_text()). Throws IMPORT_EMPTY, IMPORT_LINE_TOO_LONG,
/// IMPORT_HEADER_ONLY, IMPORT_COLUMN_COUNT, IMPORT_COLUMN_REPEATED, IMPORT_COLUMN_NAME,
/// IMPORT_TOO_MANY_COLUMNS, IMPORT_DECIMAL_AMBIGUOUS, IMPORT_THOUSANDS, and what assign_roles()
/// throws.
Layout find_layout(std::string_view text, const LayoutRequest& request);

}  // namespace flyball::historian
