#include "historian/import_options.h"

#include "plant/names.h"

namespace flyball::historian {
namespace {

void check_positive(const std::optional<DurationUs>& value, const char* pointer) {
  if (value && *value < 1)
    throw Error("FIELD_RANGE", {{"value", *value, "us"}, {"limits", "1 us or more"}}, pointer);
}

}  // namespace

void check_options(const ImportOptions& o) {
  const auto conflict = [](bool both, const char* first, const char* second) {
    if (both) throw Error("IMPORT_OPTIONS_CONFLICT", {{"first", first}, {"second", second}});
  };
  conflict(o.period && o.time_column, "--period", "--time-column");
  conflict(o.period && o.time_format, "--period", "--time-format");
  conflict(o.period && o.time_zone, "--period", "--time-zone");
  conflict(o.period && o.gap, "--period", "--gap");
  conflict(o.period && (o.tag_column || o.value_column), "--period",
           "--tag-column and --value-column");
  conflict(o.run && o.run_column, "--run", "--run-column");
  conflict(o.start && !o.period, "--start", "a time column");
  conflict(o.run_column && o.run_column == o.time_column, "--run-column", "--time-column");
  check_positive(o.period, "/period");
  check_positive(o.gap, "/gap");
  plant::check_slug("line", o.line);
  plant::check_slug("product", o.product);
  plant::check_slug("recipe", o.recipe);
}

LayoutRequest layout_request(const ImportOptions& o) {
  LayoutRequest out;
  out.time = {o.time_column, o.time_format, o.time_zone, o.doubled_hour};
  out.run_column = o.run_column;
  out.tag_column = o.tag_column;
  out.value_column = o.value_column;
  out.unit_column = o.unit_column;
  out.quality_columns = o.quality_column;
  out.evenly_spaced = o.period.has_value();
  out.delimiter = o.delimiter;
  out.decimal = o.decimal;
  out.thousands = o.thousands;
  out.columns = o.columns;
  return out;
}

}  // namespace flyball::historian
