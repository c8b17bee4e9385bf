#pragma once
// What a user may say of a text table; everything has a default or is found.
#include <optional>
#include <string>
#include <vector>

#include "core/record.h"
#include "historian/table_tags.h"
#include "historian/text_table.h"

namespace flyball::historian {

/// Which of several rows at one time (long: of several of one tag at one time) is stored.
enum class OnDuplicate {
  last,
  first,
  mean,   ///< of the numbers of each tag; texts: the last
  refuse  ///< unless they are equal
};
constexpr auto enum_names(OnDuplicate) {
  return std::array<std::string_view, 4>{"last", "first", "mean", "refuse"};
}

struct ImportOptions {
  std::string line = "default", product = "default", recipe = "default";
  std::optional<std::string> run;
  std::vector<std::string> columns;
  std::optional<DurationUs> period;
  std::optional<TimeUs> start;
  std::optional<std::string> time_column, time_format, time_zone;
  DoubledHour doubled_hour = DoubledHour::refuse;
  std::optional<std::string> run_column, tag_column, value_column, unit_column;
  std::vector<std::string> quality_column;
  std::optional<QualityCodes> quality_codes;
  std::optional<Delimiter> delimiter;
  std::optional<Decimal> decimal;
  std::optional<Thousands> thousands;
  std::vector<std::string> bad_value;
  bool keep_index = false;
  std::optional<DurationUs> gap;
  std::optional<OnDuplicate> on_duplicate;
  double max_rejects = 0.01;
  plant::EvidenceSource evidence = plant::EvidenceSource::unassessed;

  static constexpr auto fields() {
    using O = ImportOptions;
    return FieldList{
        field("line", &O::line, "line the tags belong to"),
        field("product", &O::product, "product that was made"),
        field("recipe", &O::recipe, "recipe that was run"),
        field("run", &O::run,
              "run the rows belong to; default: run-1, or the next number that is free"),
        field("columns", &O::columns, "names of all columns, for a table without header")
            .max_length(kMostColumns),
        field("period", &O::period, "time between rows when no column holds the time")
            .range(1, 86'400e6)
            .unit("us"),
        field("start", &O::start, "time of the first row; only with a period").unit("us"),
        field("timeColumn", &O::time_column,
              "column that holds the time; two between a comma: date and time of day"),
        field("timeFormat", &O::time_format,
              "epoch-s, epoch-ms or epoch-us for numbers since 1970; else a pattern such as "
              "\"%d.%m.%Y %H:%M:%S\" (%Y %y %m %b %d %j %H %I %p %M %S %f %z)"),
        field("timeZone", &O::time_zone,
              "IANA zone of times without offset, such as Europe/Berlin or UTC"),
        field("doubledHour", &O::doubled_hour,
              "which reading of the hour that autumn repeats is meant, where the order of the rows "
              "does not tell"),
        field("runColumn", &O::run_column, "column that names the run of each row"),
        field("tagColumn", &O::tag_column, "long table: column that names the tag of each row"),
        field("valueColumn", &O::value_column, "long table: column that holds the values"),
        field("unitColumn", &O::unit_column, "long table: column that holds the units"),
        field("qualityColumn", &O::quality_column,
              "column that holds qualities, as COLUMN or TAG=COLUMN; repeat for more")
            .max_length(kMostColumns),
        field(
            "qualityCodes", &O::quality_codes,
            "numbers in quality columns: OPC UA status codes, OPC classic (192 is good), or flags "
            "(1 is good)"),
        field("delimiter", &O::delimiter, "what stands between cells"),
        field("decimal", &O::decimal, "decimal mark"),
        field("thousands", &O::thousands, "what stands between groups of three digits"),
        field("badValue", &O::bad_value,
              "number that means no value, as VALUE or TAG=VALUE; repeat for more")
            .max_length(kMostColumns),
        field("keepIndex", &O::keep_index, "a leading column that counts the rows is a tag too"),
        field("gap", &O::gap, "a longer time between rows begins a new run")
            .range(1, 3.2e14)
            .unit("us"),
        field("onDuplicate", &O::on_duplicate,
              "which of several values at one time is stored; default: the last, unless most rows "
              "collide"),
        field("maxRejects", &O::max_rejects, "largest share of rejected rows").range(0, 1),
        field("evidence", &O::evidence, "where the samples come from")};
  }
};

/// Throws IMPORT_OPTIONS_CONFLICT, FIELD_RANGE, NAME_INVALID.
void check_options(const ImportOptions& options);

LayoutRequest layout_request(const ImportOptions& options);

}  // namespace flyball::historian
