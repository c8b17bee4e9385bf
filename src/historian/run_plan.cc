#include "historian/run_plan.h"

#include <algorithm>
#include <numeric>

#include "historian/repeated_times.h"
#include "historian/run_names.h"

namespace flyball::historian {
namespace {

constexpr TimeUs kBeginOfTime = -62'135'596'800 * kSecond;  // 0001-01-01T00:00:00Z
constexpr TimeUs kEndOfTime = 253'402'300'800 * kSecond;    // 10000-01-01T00:00:00Z
constexpr DurationUs kHole = 5;                             // median steps

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

plant::Run new_run(const std::string& id, const ImportOptions& options) {
  plant::Run run;
  run.id = id;
  run.line_id = options.line;
  run.product_id = options.product;
  run.recipe_id = options.recipe;
  run.evidence = options.evidence;
  return run;
}

/// One series with the rows of all tags, or one per tag of a long table; rows in the order of the
/// file, per run.
std::vector<PlannedRun> split_by_run(const TextTable& table, const std::vector<TableTag>& tags,
                                     const std::vector<std::string>& ids,
                                     const ImportOptions& options) {
  const WordColumn* run_of = table.words_of(ColumnRole::run);
  const bool is_long = table.layout.is_long();
  const std::size_t count = is_long ? tags.size() : 1;
  std::vector<PlannedRun> runs(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    runs[i].run = new_run(ids[i], options);
    runs[i].series.resize(count);
  }
  const auto add = [&](std::size_t series, std::size_t row) {
    runs[run_of == nullptr ? 0 : run_of->ids[row]].series[series].rows.push_back(row);
  };
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::size_t> members(is_long ? 1 : tags.size(), i);
    if (!is_long) std::iota(members.begin(), members.end(), std::size_t{0});
    for (PlannedRun& planned : runs) planned.series[i].tags = members;
    if (is_long) {
      for (const std::size_t row : tags[i].rows) add(i, row);
    } else {
      if (run_of == nullptr) runs.front().series[i].rows.reserve(table.rows());
      for (std::size_t row = 0; row < table.rows(); ++row) add(i, row);
    }
  }
  return runs;
}

/// When a run without times begins that has samples already.
std::optional<TimeUs> known_start(const plant::Run& run, const std::vector<plant::Run>& known,
                                  const std::vector<std::string>& again) {
  const auto old = std::ranges::find(known, run.id, &plant::Run::id);
  if (old == known.end()) return std::nullopt;
  if (std::ranges::find(again, run.id) == again.end())
    throw Error("IMPORT_RUN_HAS_SAMPLES", {{"run", run.id}, {"line", run.line_id}}, "/start");
  return old->started_at;
}

void space_evenly(RunPlan& plan, const ImportOptions& options, std::optional<TimeUs> newest,
                  const std::vector<plant::Run>& known, const std::vector<std::string>& again) {
  const DurationUs period = *options.period;
  if (options.start && (*options.start < kBeginOfTime || *options.start >= kEndOfTime)) {
    throw Error("FIELD_RANGE", {{"value", *options.start, "us"}, {"limits", "the years 1 to 9999"}},
                "/start");
  }
  TimeUs next = options.start.value_or(newest ? midnight_after(*newest) : 0);
  TimeUs newest_at = newest.value_or(next);
  for (PlannedRun& planned : plan.runs) {
    Series& series = planned.series.front();
    const auto rows = static_cast<TimeUs>(series.rows.size());
    if (rows == 0) continue;
    if (!options.start) next = known_start(planned.run, known, again).value_or(next);
    if (next >= kEndOfTime || (kEndOfTime - next) / period < rows) {
      throw Error("FIELD_RANGE",
                  {{"value", format_duration(period) + " over " + std::to_string(rows) + " rows"},
                   {"limits", "what ends before the year 10000"}},
                  "/period");
    }
    series.times.reserve(series.rows.size());
    for (TimeUs i = 0; i < rows; ++i) series.times.push_back(next + i * period);
    newest_at = std::max(newest_at, series.times.back());
    next = midnight_after(newest_at);
  }
  plan.step = period;
  for (const PlannedRun& planned : plan.runs) {
    const Series& series = planned.series.front();
    if (series.rows.empty()) continue;
    plan.notes.push_back(
        {"IMPORT_EVENLY_SPACED",
         {{"start", format_time(series.times.front())}, {"period", format_duration(period)}}});
    break;
  }
}

/// Calls f(earlier, later) for neighbours of each series.
template <class F>
void for_each_step(const RunPlan& plan, F&& f) {
  for (const PlannedRun& planned : plan.runs) {
    for (const Series& series : planned.series) {
      for (std::size_t i = 1; i < series.times.size(); ++i) f(series.times[i - 1], series.times[i]);
    }
  }
}

void find_step(RunPlan& plan) {
  std::vector<DurationUs> steps;
  for_each_step(plan, [&](TimeUs a, TimeUs b) { steps.push_back(b - a); });
  if (steps.empty()) return;
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  plan.step = *middle;
}

/// Holes of whole rows stay in the run: whoever builds a dataset fills or cuts them by its own
/// rules.
void note_holes(RunPlan& plan) {
  if (!plan.step) return;
  std::int64_t count = 0;
  DurationUs longest = 0;
  TimeUs at = 0;
  for_each_step(plan, [&](TimeUs a, TimeUs b) {
    if ((b - a) / kHole < *plan.step) return;
    ++count;
    if (b - a > longest) at = a;
    longest = std::max(longest, b - a);
  });
  if (count == 0) return;
  plan.notes.push_back({"IMPORT_HOLES",
                        {{"count", count},
                         {"step", format_duration(*plan.step)},
                         {"longest", format_duration(longest)},
                         {"at", format_time(at)},
                         {"gap", format_duration(kHole * *plan.step)}}});
}

void note_repeated(RunPlan& plan, const RepeatedTimes& repeated, OnDuplicate policy) {
  plan.merged = repeated.merged;
  plan.conflicts = repeated.conflicts;
  if (repeated.merged == 0) return;
  std::vector<std::string> first;
  for (const TimeUs t : repeated.first) first.push_back(format_time(t));
  plan.notes.push_back({"IMPORT_TIMES_REPEATED",
                        {{"merged", repeated.merged},
                         {"conflicts", repeated.conflicts},
                         {"policy", enum_name(policy)},
                         {"first", joined(first)}}});
}

void sort_by_time(PlannedRun& planned, const TextTable& table, const RepeatedTimes& repeated,
                  std::vector<Message>& notes) {
  bool sorted = true;
  for (Series& series : planned.series) {
    if (!repeated.left_out.empty())
      std::erase_if(series.rows, [&](std::size_t row) { return repeated.left_out[row] != 0; });
    const auto time = [&](std::size_t row) { return table.times[row]; };
    if (!std::ranges::is_sorted(series.rows, {}, time)) {
      std::ranges::sort(series.rows, {}, time);
      sorted = false;
    }
    series.times.reserve(series.rows.size());
    for (const std::size_t row : series.rows) series.times.push_back(table.times[row]);
  }
  if (!sorted) notes.push_back({"IMPORT_ROWS_SORTED", {{"run", planned.run.id}}});
}

/// Times at which a piece of the run begins behind a gap, over all its series.
std::vector<TimeUs> cuts_of(const PlannedRun& planned, DurationUs gap) {
  std::vector<TimeUs> times;
  for (const Series& series : planned.series)
    times.insert(times.end(), series.times.begin(), series.times.end());
  std::ranges::sort(times);
  std::vector<TimeUs> out;
  for (std::size_t i = 1; i < times.size(); ++i) {
    if (times[i] - times[i - 1] > gap) out.push_back(times[i]);
  }
  return out;
}

/// The part of a series that lies in [from, to).
Series part_of(const Series& series, TimeUs from, TimeUs to) {
  const auto first = std::ranges::lower_bound(series.times, from);
  const auto last = std::ranges::lower_bound(series.times, to);
  const auto row = [&](auto at) { return series.rows.begin() + (at - series.times.begin()); };
  return {series.tags, {row(first), row(last)}, {first, last}};
}

void cut_at_gaps(RunPlan& plan, RunNames& names, const ImportOptions& options) {
  std::vector<PlannedRun> out;
  for (PlannedRun& planned : plan.runs) {
    std::vector<TimeUs> bounds = cuts_of(planned, *options.gap);
    if (bounds.empty()) {
      out.push_back(std::move(planned));
      continue;
    }
    bounds.insert(bounds.begin(), INT64_MIN);
    bounds.push_back(INT64_MAX);
    const auto ids = names.of_pieces(planned.run.id, bounds.size() - 1);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      PlannedRun& piece = out.emplace_back();
      piece.run = new_run(ids[i], options);
      for (const Series& series : planned.series)
        piece.series.push_back(part_of(series, bounds[i], bounds[i + 1]));
    }
    plan.notes.push_back({"IMPORT_RUN_CUT",
                          {{"run", planned.run.id},
                           {"pieces", ids.size()},
                           {"gap", format_duration(*options.gap)}}});
  }
  plan.runs = std::move(out);
}

void take_times(RunPlan& plan, TextTable& table, const std::vector<TableTag>& tags,
                const ImportOptions& options, RunNames& names) {
  const RepeatedTimes repeated = merge_repeated(table, tags, options.on_duplicate);
  note_repeated(plan, repeated, options.on_duplicate.value_or(OnDuplicate::last));
  for (PlannedRun& planned : plan.runs) sort_by_time(planned, table, repeated, plan.notes);
  find_step(plan);
  if (options.gap) {
    cut_at_gaps(plan, names, options);
  } else if (!table.layout.is_long()) {
    note_holes(plan);
  }
}

void drop_empty(RunPlan& plan) {
  for (PlannedRun& planned : plan.runs)
    std::erase_if(planned.series, [](const Series& s) { return s.rows.empty(); });
  std::erase_if(plan.runs, [](const PlannedRun& planned) { return planned.series.empty(); });
}

/// Start and end, and for a run that is known its old ones too.
void set_bounds(PlannedRun& planned, const std::vector<plant::Run>& known, DurationUs last_step) {
  plant::Run& run = planned.run;
  run.started_at = INT64_MAX;
  run.ended_at = INT64_MIN;
  for (const Series& series : planned.series) {
    run.started_at = std::min(run.started_at, series.times.front());
    run.ended_at = std::max(*run.ended_at, series.times.back() + last_step);
  }
  for (const plant::Run& old : known) {
    if (old.id != run.id) continue;
    if (old.product_id != run.product_id || old.recipe_id != run.recipe_id) {
      throw Error("RUN_MISMATCH", {{"run", run.id},
                                   {"line", run.line_id},
                                   {"product", old.product_id},
                                   {"recipe", old.recipe_id}});
    }
    if (run.evidence == plant::EvidenceSource::unassessed) run.evidence = old.evidence;
    if (old.evidence != plant::EvidenceSource::unassessed && run.evidence != old.evidence) {
      throw Error("RUN_EVIDENCE", {{"run", run.id},
                                   {"known", enum_name(old.evidence)},
                                   {"given", enum_name(run.evidence)}});
    }
    run.started_at = std::min(run.started_at, old.started_at);
    if (old.ended_at) run.ended_at = std::max(*run.ended_at, *old.ended_at);
  }
}

}  // namespace

RunPlan plan_runs(TextTable& table, const std::vector<TableTag>& tags, const ImportOptions& options,
                  const Historian& historian, const std::vector<std::string>& again) {
  const std::vector<plant::Run> known = historian.runs({.line_id = options.line}, false);
  std::set<std::string> taken;
  for (const plant::Run& run : known) taken.insert(run.id);
  RunNames names(options, std::move(taken), again);
  RunPlan plan;
  plan.runs = split_by_run(table, tags, names.of_table(table, plan.notes), options);
  if (options.period) {
    space_evenly(plan, options, newest_of_line(historian, options.line), known, again);
  } else {
    take_times(plan, table, tags, options, names);
  }
  drop_empty(plan);
  for (PlannedRun& planned : plan.runs) set_bounds(planned, known, options.period.value_or(1));
  return plan;
}

}  // namespace flyball::historian
