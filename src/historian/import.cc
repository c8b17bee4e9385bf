#include "historian/import.h"

#include <algorithm>
#include <cmath>

#include "core/checks.h"
#include "historian/run_plan.h"
#include "plant/names.h"

namespace flyball::historian {
namespace {

constexpr std::size_t kReasonsShown = 5;

void check_options(const ImportOptions& options) {
  const auto conflict = [](bool both, const char* first, const char* second) {
    if (both) throw Error("IMPORT_OPTIONS_CONFLICT", {{"first", first}, {"second", second}});
  };
  conflict(options.period && options.time_column, "--period", "--time-column");
  conflict(options.run && options.run_column, "--run", "--run-column");
  conflict(options.start && !options.period, "--start", "a time column");
  conflict(options.run_column && options.run_column == options.time_column, "--run-column",
           "--time-column");
  if (options.period && *options.period < 1) {
    throw Error("FIELD_RANGE", {{"value", *options.period, "us"}, {"limits", "1 us or more"}},
                "/period");
  }
  plant::check_slug("line", options.line);
  plant::check_slug("product", options.product);
  plant::check_slug("recipe", options.recipe);
}

std::string reasons(const TextTable& table) {
  std::string out;
  for (std::size_t i = 0; i < table.rejected.size() && i < kReasonsShown; ++i) {
    out += (i == 0 ? "" : "; ") + table.rejected[i].message(table.layout.names.size()).text();
  }
  return table.rejected.size() > kReasonsShown ? out + "; …" : out;
}

void check_usable(const TextTable& table, const ImportOptions& options) {
  if (static_cast<double>(table.rejected.size()) >
      options.max_rejects * static_cast<double>(table.rows_in)) {
    throw Error("IMPORT_TOO_MANY_REJECTS", {{"rejected", table.rejected.size()},
                                            {"rows", table.rows_in},
                                            {"limit", 100 * options.max_rejects, "%"},
                                            {"reasons", reasons(table)}});
  }
  if (table.columns.empty())
    throw Error("IMPORT_NO_TAGS", {{"columns", joined(table.layout.names)}});
  if (table.rows() < 2) throw Error("IMPORT_ONE_ROW", {{"rows", table.rows()}});
  const auto all_bad = [&](const Column& c) { return c.bad.size() == table.rows(); };
  if (std::ranges::all_of(table.columns, all_bad)) {
    throw Error("IMPORT_ALL_BAD", {{"rows", table.rows_in}, {"tags", table.columns.size()}});
  }
}

/// Samples of one column in one run.
std::vector<Sample> samples_of(const Column& column, const PlannedRun& planned) {
  std::vector<Sample> out;
  out.reserve(planned.rows.size());
  for (std::size_t i = 0; i < planned.rows.size(); ++i) {
    const double value = column.values[planned.rows[i]];
    Quality quality = kGood;
    if (std::isnan(value)) {
      const auto row = static_cast<std::int64_t>(planned.rows[i]);
      quality = std::ranges::lower_bound(column.bad, row, {}, &BadCell::row)->quality;
    }
    out.push_back({planned.times[i], value, quality});
  }
  return out;
}

void count(std::span<const Sample> samples, TagAccount& account) {
  for (const Sample& s : samples) {
    if (s.quality == kBadNoData) {
      ++account.missing;
    } else if (s.quality.bad()) {
      ++account.bad;
    } else {
      ++account.good;
      account.min = std::min(account.min.value_or(s.value), s.value);
      account.max = std::max(account.max.value_or(s.value), s.value);
    }
  }
}

/// Appends every tag of every run; how many rows replaced rows that were stored before.
std::int64_t store(const TextTable& table, const RunPlan& plan, ImportResult& result,
                   Historian& historian, const ProgressFn& progress) {
  std::int64_t replaced = 0;
  std::size_t done = 0;
  for (const PlannedRun& planned : plan.runs) {
    std::int64_t replaced_here = 0;
    for (std::size_t i = 0; i < table.columns.size(); ++i, ++done) {
      if (progress) {
        const auto all = static_cast<double>(plan.runs.size() * table.columns.size());
        progress({"import", 0.9 + 0.1 * static_cast<double>(done) / all, "storing"});
      }
      const std::vector<Sample> samples = samples_of(table.columns[i], planned);
      count(samples, result.tags[i]);
      const std::string node_id = planned.run.line_id + "/" + table.columns[i].name;
      replaced_here =
          std::max(replaced_here, historian.append(planned.run, node_id, samples).merged);
    }
    replaced += replaced_here;
    result.runs.push_back(planned.run.id);
  }
  return replaced;
}

Interval span_of(const RunPlan& plan) {
  Interval out{plan.runs.front().times.front(), plan.runs.front().times.back() + 1};
  for (const PlannedRun& planned : plan.runs) {
    out.from = std::min(out.from, planned.times.front());
    out.to = std::max(out.to, planned.times.back() + 1);
  }
  return out;
}

}  // namespace

ImportResult import_text(std::string_view text, const ImportOptions& options, Historian& historian,
                         const ProgressFn& progress, const std::stop_token& stop) {
  check_options(options);
  LayoutRequest request{options.delimiter,   options.decimal,    options.columns,
                        options.time_column, options.run_column, options.period.has_value()};
  const TextTable table = read_table(text, request, progress, stop);

  ImportResult result;
  check_usable(table, options);
  const RunPlan plan = plan_runs(table, options, historian);

  for (const RejectedRow& row : table.rejected) {
    result.rejected_rows.push_back(row.message(table.layout.names.size()));
  }
  result.notes = table.layout.notes;
  result.notes.insert(result.notes.end(), plan.notes.begin(), plan.notes.end());
  for (const Column& column : table.columns) {
    result.tags.push_back({column.name, column.unit, 0, 0, 0, 0, {}, {}});
    if (column.bad.size() == table.rows())
      result.notes.push_back({"IMPORT_TAG_ALL_BAD", {{"tag", column.name}}});
  }
  // What follows is not interrupted: all of it is stored.
  check_stop(stop);
  const std::int64_t replaced = store(table, plan, result, historian, progress);
  result.rows_in = table.rows_in;
  result.rejected = static_cast<std::int64_t>(table.rejected.size());
  result.merged = plan.merged + replaced;
  result.stored = result.rows_in - result.rejected - result.merged;
  result.step = plan.step;
  result.times = span_of(plan);
  if (progress) progress({"import", 1.0, "done"});
  return result;
}

}  // namespace flyball::historian
