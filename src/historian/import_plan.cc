#include "historian/import_plan.h"

#include <algorithm>
#include <cmath>

#include "historian/prepared_import.h"

namespace flyball::historian {
namespace {

constexpr std::size_t kRowsShown = 5;

Json value_of(const PreparedImport& import, std::size_t tag, std::size_t row) {
  const double v = import.table.columns[import.tags[tag].column].values[row];
  if (std::isnan(v)) return {};
  const plant::Tag& known = import.tags[tag].tag;
  if (known.kind == plant::TagKind::number) return v;
  return known.states.at(static_cast<std::size_t>(v));
}

/// The rows of the first run that come first in the file.
std::vector<PlannedRow> first_rows(const PreparedImport& import) {
  struct Place {
    std::size_t row;
    const Series* series;
    TimeUs time;
  };
  const PlannedRun& planned = import.plan.runs.front();
  std::vector<Place> places;
  for (const Series& series : planned.series) {
    std::vector<Place> all;
    for (std::size_t i = 0; i < series.rows.size(); ++i)
      all.push_back({series.rows[i], &series, series.times[i]});
    const auto count = static_cast<std::ptrdiff_t>(std::min(kRowsShown, all.size()));
    std::ranges::partial_sort(all, all.begin() + count, {}, &Place::row);
    places.insert(places.end(), all.begin(), all.begin() + count);
  }
  std::ranges::sort(places, {}, &Place::row);
  places.resize(std::min(kRowsShown, places.size()));
  std::vector<PlannedRow> out;
  for (const Place& place : places) {
    PlannedRow& row = out.emplace_back();
    row.run = planned.run.id;
    row.time = format_time(place.time);
    for (const std::size_t tag : place.series->tags)
      row.values[import.tags[tag].tag.name] = value_of(import, tag, place.row);
  }
  return out;
}

std::vector<PlannedRunTimes> run_times(const PreparedImport& import) {
  std::vector<PlannedRunTimes> out;
  for (const PlannedRun& planned : import.plan.runs) {
    TimeUs from = INT64_MAX, to = INT64_MIN;
    std::int64_t rows = 0;
    for (const Series& series : planned.series) {
      from = std::min(from, series.times.front());
      to = std::max(to, series.times.back());
      rows += std::ssize(series.rows);
    }
    out.push_back({planned.run.id, format_time(from), format_time(to), rows});
  }
  return out;
}

}  // namespace

ImportPlan plan_text(std::string_view bytes, const ImportOptions& options,
                     const Historian& historian, const ProgressFn& progress,
                     const std::stop_token& stop, const ImportSource& source) {
  const PreparedImport import = prepare_import(bytes, options, historian, progress, stop, source);
  const Layout& layout = import.table.layout;
  ImportPlan out;
  out.delimiter = enum_name(layout.delimiter);
  out.decimal = enum_name(layout.decimal);
  out.long_table = layout.is_long();
  for (const LayoutColumn& column : layout.columns) {
    PlannedColumn& planned = out.columns.emplace_back();
    planned.name = column.name;
    planned.unit = column.unit;
    planned.role = column.role;
    if (column.of) planned.of = layout.columns[*column.of].name;
  }
  out.first_rows = first_rows(import);
  out.runs = run_times(import);
  out.account = account_of(import.result);
  if (progress) progress({"import", 1.0, "planned"});
  return out;
}

}  // namespace flyball::historian
