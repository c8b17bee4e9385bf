#include "historian/run_plan.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <set>

#include "plant/names.h"

namespace flyball::historian {
namespace {

constexpr TimeUs kBeginOfTime = -62'135'596'800 * kSecond;  // 0001-01-01T00:00:00Z
constexpr TimeUs kEndOfTime = 253'402'300'800 * kSecond;    // 10000-01-01T00:00:00Z

TimeUs midnight_after(TimeUs t) {
  return ((t >= 0 ? t : t - kDay + 1) / kDay + 1) * kDay;
}

std::optional<TimeUs> newest_of_line(const Historian& historian, const std::string& line) {
  std::optional<TimeUs> newest;
  for (const std::string& node : historian.nodes(line)) {
    if (const auto sample = historian.latest(node))
      newest = std::max(newest.value_or(sample->at), sample->at);
  }
  return newest;
}

/// A slug for what stands in a run column: what a slug cannot hold becomes '-'.
std::string slug_of(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (!plant::is_slug({&c, 1}) && c != '.' && static_cast<unsigned char>(c) < 0x80) c = '-';
  }
  if (!out.empty() && out.front() == '.') out.front() = '-';
  plant::check_slug("run", out);
  return out;
}

std::vector<std::string> run_ids(const TextTable& table, const ImportOptions& options,
                                 const Historian& historian, std::vector<Message>& notes) {
  if (table.layout.run_column) {
    std::vector<std::string> ids;
    std::map<std::string, std::string> text_of_id;
    for (const std::string& text : table.run_names) {
      ids.push_back(slug_of(text));
      const auto [known, fresh] = text_of_id.emplace(ids.back(), text);
      if (!fresh)
        throw Error(
            "IMPORT_RUN_NAMES_CLASH",
            {{"first", readable(known->second)}, {"second", readable(text)}, {"run", ids.back()}});
      if (ids.back() != text)
        notes.push_back({"IMPORT_RUN_RENAMED", {{"text", readable(text)}, {"run", ids.back()}}});
    }
    return ids;
  }
  if (options.run) {
    plant::check_slug("run", *options.run);
    return {*options.run};
  }
  std::set<std::string> taken;
  for (const plant::Run& run : historian.runs({.line_id = options.line})) taken.insert(run.id);
  int n = 1;
  while (taken.contains("run-" + std::to_string(n))) ++n;
  return {"run-" + std::to_string(n)};
}

/// Rows of each run in the order of the file.
std::vector<PlannedRun> split_by_run(const TextTable& table, const std::vector<std::string>& ids,
                                     const ImportOptions& options) {
  std::vector<PlannedRun> runs(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    runs[i].run.id = ids[i];
    runs[i].run.line_id = options.line;
    runs[i].run.product_id = options.product;
    runs[i].run.recipe_id = options.recipe;
    runs[i].run.evidence = options.evidence;
  }
  if (!table.layout.run_column) {
    runs[0].rows.resize(table.rows());
    std::iota(runs[0].rows.begin(), runs[0].rows.end(), std::size_t{0});
  } else {
    for (std::size_t row = 0; row < table.rows(); ++row) runs[table.runs[row]].rows.push_back(row);
  }
  return runs;
}

void space_evenly(RunPlan& plan, const ImportOptions& options, std::optional<TimeUs> newest) {
  const DurationUs period = *options.period;
  if (options.start && (*options.start < kBeginOfTime || *options.start >= kEndOfTime)) {
    throw Error("FIELD_RANGE", {{"value", *options.start, "us"}, {"limits", "the years 1 to 9999"}},
                "/start");
  }
  TimeUs next = options.start.value_or(newest ? midnight_after(*newest) : 0);
  TimeUs newest_at = newest.value_or(next);
  for (PlannedRun& planned : plan.runs) {
    if (planned.rows.empty()) continue;
    const auto rows = static_cast<TimeUs>(planned.rows.size());
    if (next >= kEndOfTime || (kEndOfTime - next) / period < rows) {
      throw Error("FIELD_RANGE",
                  {{"value", format_duration(period) + " over " + std::to_string(rows) + " rows"},
                   {"limits", "what ends before the year 10000"}},
                  "/period");
    }
    planned.times.reserve(planned.rows.size());
    for (TimeUs i = 0; i < rows; ++i) planned.times.push_back(next + i * period);
    newest_at = std::max(newest_at, planned.times.back());
    next = midnight_after(newest_at);
  }
  plan.step = period;
  for (const PlannedRun& planned : plan.runs) {
    if (planned.rows.empty()) continue;
    plan.notes.push_back(
        {"IMPORT_EVENLY_SPACED",
         {{"start", format_time(planned.times.front())}, {"period", format_duration(period)}}});
    break;
  }
}

bool same_values(const TextTable& table, std::size_t a, std::size_t b) {
  return std::ranges::all_of(table.columns, [&](const Column& c) {
    return std::bit_cast<std::uint64_t>(c.values[a]) == std::bit_cast<std::uint64_t>(c.values[b]);
  });
}

/// Marks the rows that a later row of the same time replaces: a tag has one value at one time,
/// whatever the run.
std::vector<char> replaced_rows(const TextTable& table, RunPlan& plan) {
  const std::vector<TimeUs>& times = table.times;
  std::vector<char> replaced(times.size(), 0);
  const auto stalls = [](TimeUs a, TimeUs b) { return a >= b; };
  if (std::adjacent_find(times.begin(), times.end(), stalls) == times.end()) return replaced;

  std::vector<std::size_t> order(times.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return times[a] < times[b]; });
  std::int64_t conflicts = 0;
  std::optional<TimeUs> first;
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    if (times[order[i]] != times[order[i + 1]]) continue;
    replaced[order[i]] = 1;
    ++plan.merged;
    if (!same_values(table, order[i], order[i + 1])) ++conflicts;
    if (!first) first = times[order[i]];
  }
  if (first) {
    plan.notes.push_back(
        {"IMPORT_TIMES_REPEATED",
         {{"merged", plan.merged}, {"conflicts", conflicts}, {"first", format_time(*first)}}});
  }
  return replaced;
}

/// Holes of whole rows stay in the run: whoever builds a dataset fills or cuts them by its own rules.
void note_holes(RunPlan& plan) {
  constexpr DurationUs kHole = 5;  ///< median steps
  std::int64_t count = 0;
  DurationUs longest = 0;
  TimeUs at = 0;
  for (const PlannedRun& planned : plan.runs) {
    for (std::size_t i = 1; i < planned.times.size(); ++i) {
      const DurationUs gap = planned.times[i] - planned.times[i - 1];
      if (gap / kHole < *plan.step) continue;
      ++count;
      if (gap > longest) at = planned.times[i - 1];
      longest = std::max(longest, gap);
    }
  }
  if (count == 0) return;
  plan.notes.push_back({"IMPORT_HOLES", {{"count", count}, {"step", format_duration(*plan.step)}, {"longest", format_duration(longest)}, {"at", format_time(at)}}});
}

void take_times(RunPlan& plan, const TextTable& table) {
  const std::vector<char> replaced = replaced_rows(table, plan);
  std::vector<DurationUs> steps;
  for (PlannedRun& planned : plan.runs) {
    std::erase_if(planned.rows, [&](std::size_t row) { return replaced[row] != 0; });
    const auto by_time = [&](std::size_t a, std::size_t b) {
      return table.times[a] < table.times[b];
    };
    if (!std::is_sorted(planned.rows.begin(), planned.rows.end(), by_time)) {
      std::sort(planned.rows.begin(), planned.rows.end(), by_time);
      plan.notes.push_back({"IMPORT_ROWS_SORTED", {{"run", planned.run.id}}});
    }
    planned.times.reserve(planned.rows.size());
    for (const std::size_t row : planned.rows) {
      if (!planned.times.empty()) steps.push_back(table.times[row] - planned.times.back());
      planned.times.push_back(table.times[row]);
    }
  }
  if (steps.empty()) return;
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  plan.step = *middle;
  note_holes(plan);
}

/// Start and end, and for a run that is known its old ones too.
void set_bounds(PlannedRun& planned, const std::vector<plant::Run>& known, DurationUs last_step) {
  plant::Run& run = planned.run;
  run.started_at = planned.times.front();
  run.ended_at = planned.times.back() + last_step;
  for (const plant::Run& old : known) {
    if (old.id != run.id) continue;
    if (old.product_id != run.product_id || old.recipe_id != run.recipe_id) {
      throw Error("RUN_MISMATCH", {{"run", run.id},
                                   {"line", run.line_id},
                                   {"product", old.product_id},
                                   {"recipe", old.recipe_id}});
    }
    run.started_at = std::min(run.started_at, old.started_at);
    if (old.ended_at) run.ended_at = std::max(*run.ended_at, *old.ended_at);
  }
}

}  // namespace

RunPlan plan_runs(const TextTable& table, const ImportOptions& options,
                  const Historian& historian) {
  RunPlan plan;
  plan.runs = split_by_run(table, run_ids(table, options, historian, plan.notes), options);
  if (options.period) {
    space_evenly(plan, options, newest_of_line(historian, options.line));
  } else {
    take_times(plan, table);
  }
  std::erase_if(plan.runs, [](const PlannedRun& planned) { return planned.rows.empty(); });
  const auto known = historian.runs({.line_id = options.line});
  for (PlannedRun& planned : plan.runs) set_bounds(planned, known, options.period.value_or(1));
  return plan;
}

}  // namespace flyball::historian
