#pragma once
// A dry run: everything an import does except storing.
#include "historian/import.h"

namespace flyball::historian {

struct PlannedColumn {
  std::string name, unit;
  ColumnRole role = ColumnRole::tag;
  std::optional<std::string> of;
  static constexpr auto fields() {
    using C = PlannedColumn;
    return FieldList{field("name", &C::name, "as the header or --columns says"),
                      field("unit", &C::unit, "unit; empty when unknown"),
                      field("role", &C::role, "what the column is for"),
                      field("of", &C::of, "of a quality column: the column it judges")};
  }
};

struct PlannedRow {
  std::string run, time;
  std::map<std::string, Json> values;
  static constexpr auto fields() {
    using R = PlannedRow;
    return FieldList{field("run", &R::run, "run it belongs to"),
                      field("time", &R::time, "RFC 3339"),
                      field("values", &R::values, "by tag: a number, a state, or null")};
  }
};

struct PlannedRunTimes {
  std::string run, from, to;
  std::int64_t rows = 0;
  static constexpr auto fields() {
    using R = PlannedRunTimes;
    return FieldList{field("run", &R::run, "name"), field("from", &R::from, "first sample"),
                      field("to", &R::to, "last sample"), field("rows", &R::rows, "rows")};
  }
};

struct ImportPlan {
  std::string delimiter, decimal;
  bool long_table = false;
  std::vector<PlannedColumn> columns;
  std::vector<PlannedRow> first_rows;
  std::vector<PlannedRunTimes> runs;
  ImportAccount account;
  static constexpr auto fields() {
    using P = ImportPlan;
    return FieldList{
        field("delimiter", &P::delimiter, "what stands between cells"),
        field("decimal", &P::decimal, "decimal mark"),
        field("longTable", &P::long_table, "one value a row, with its tag"),
        field("columns", &P::columns, "of the file"),
        field("firstRows", &P::first_rows,
              "the first 5 rows of the first run, as they would be stored"),
        field("runs", &P::runs, "runs the rows would go to"),
        field("account", &P::account,
              "as of the import, without what would replace samples that are stored already")};
  }
};

/// Throws what import_text() throws, without writing.
ImportPlan plan_text(std::string_view bytes, const ImportOptions& options,
                     const Historian& historian, const ProgressFn& progress = {},
                     const std::stop_token& stop = {}, const ImportSource& source = {});

}  // namespace flyball::historian
