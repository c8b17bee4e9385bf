#pragma once
// What each column of a table is for.
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "historian/time_column.h"

namespace flyball::historian {

enum class ColumnRole {
  tag,  ///< values of the tag that it names; in a long table: of the tag that the row names
  time,
  run,
  tag_name,  ///< of a long table
  unit,      ///< of a long table
  quality,
  index,  ///< counts the rows
  unused  ///< what a long table holds besides, and columns without any cell
};
constexpr auto enum_names(ColumnRole) {
  return std::array<std::string_view, 8>{"tag",  "time",    "run",   "tagName",
                                         "unit", "quality", "index", "unused"};
}

struct LayoutColumn {
  std::string name;
  std::string unit = {};  ///< "" when unknown
  ColumnRole role = ColumnRole::tag;
  std::optional<std::size_t> of = {};  ///< of a quality: the column it judges; absent: all
};

/// What the user said; what is absent is found.
struct RolesRequest {
  TimeRequest time;
  std::optional<std::string> run_column, tag_column, value_column, unit_column;
  std::vector<std::string> quality_columns;  ///< COLUMN, or TAG=COLUMN
  bool evenly_spaced = false;                ///< no column is taken as time
};

/// Fills in the roles; gives where the time stands.
///
/// Long: a column is declared, or has a name such as tag or point and holds texts, and one of
/// numbers is left or has a name such as value. Quality: a name such as T.quality, T_status or T_q
/// beside a column T (bare, in a long table or beside a single tag) over cells that can be
/// qualities. Throws what find_time() throws, IMPORT_COLUMN_UNKNOWN, IMPORT_LONG_INCOMPLETE,
/// IMPORT_OPTIONS_CONFLICT when a column is given two meanings.
TimeSource assign_roles(std::vector<LayoutColumn>& columns, const TableHead& table,
                        const RolesRequest& request, std::vector<Message>& notes);

}  // namespace flyball::historian
