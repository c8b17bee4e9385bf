#include "dataset/assemble.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <ranges>

#include "dataset/grid.h"
#include "dataset/marks.h"
#include "dataset/split.h"

namespace flyball::dataset {
namespace {

constexpr double kLargestRunCells = 1e9;
constexpr Index kIdleSteps = 100;

DurationUs max_interp(const Spec& spec, const Variable& v) {
  if (v.max_interp_ms) return to_us(*v.max_interp_ms);
  return spec.cleaning.max_interp_ms ? to_us(*spec.cleaning.max_interp_ms) : 3 * beat_us(spec);
}

CleanRule rule_for(const Spec& spec, const Variable& v) {
  const bool filtered = !v.stepped && v.role != Role::mv;
  return {v.min, v.max, v.resolution, filtered ? spec.cleaning.hampel_k : 0,
          v.stepped ? std::vector<Interval>{} : bad_stretches(spec, v)};
}

/// The steps that all tags cover; `until` gets the end of the run's last bucket.
Grid common_grid(const Spec& spec, const std::vector<Cleaned>& tags, TimeUs& until) {
  TimeUs first = std::numeric_limits<TimeUs>::max(), newest = std::numeric_limits<TimeUs>::min();
  for (const Cleaned& tag : tags) {
    first = std::min(first, tag.t.front());
    newest = std::max(newest, tag.t.back());
  }
  const DurationUs beat = beat_us(spec);
  const TimeUs phase = grid_phase(first, beat);
  const auto bucket = [&](TimeUs t) { return bucket_start(t, phase, beat); };
  until = bucket(newest) + beat;
  TimeUs from = std::numeric_limits<TimeUs>::min(), to = std::numeric_limits<TimeUs>::max();
  for (std::size_t c = 0; c < tags.size(); ++c) {
    const Variable& v = spec.variables[c];
    from = std::max(from, bucket(tags[c].t.front()));
    const TimeUs last =
        v.stepped ? end_of_hold(tags[c], to_us(v.max_hold_ms), until) - 1 : tags[c].t.back();
    to = std::min(to, bucket(last));
  }
  return {from, beat, std::max<Index>(0, (to - from) / beat + 1)};
}

/// Steps of stretches of kIdleSteps or more in which no tag has a sample: the line stood still or
/// nothing was recorded. They part the run; they are not missing from it.
Index idle_steps(const std::vector<Cleaned>& tags, const Grid& grid) {
  std::vector<TimeUs> times;
  const auto size = [](const Cleaned& tag) { return std::ssize(tag.t); };
  if (grid.steps < std::ranges::max(tags | std::views::transform(size)) + kIdleSteps) return 0;
  for (const Cleaned& tag : tags) times.insert(times.end(), tag.t.begin(), tag.t.end());
  std::ranges::sort(times);
  Index idle = 0;
  for (std::size_t i = 1; i < times.size(); ++i) {
    const TimeUs steps =
        (std::min(times[i], grid.end()) - std::max(times[i - 1], grid.start)) / grid.beat - 1;
    if (steps >= kIdleSteps) idle += static_cast<Index>(steps);
  }
  return idle;
}

/// The least share of cells that stays missing whatever is filled in; needs no memory for the grid.
double least_missing(const Spec& spec, const std::vector<Cleaned>& tags, const Grid& grid,
                     Index idle) {
  double filled = 0;
  const auto steps = static_cast<double>(grid.steps - idle);
  for (std::size_t c = 0; c < tags.size(); ++c) {
    const Variable& v = spec.variables[c];
    const auto reach =
        v.stepped ? to_us(v.max_hold_ms).value_or(grid.end() - grid.start) : max_interp(spec, v);
    const double per_sample = 2 + static_cast<double>(reach) / static_cast<double>(grid.beat);
    filled += std::min(steps, per_sample * static_cast<double>(tags[c].t.size()));
  }
  return 1 - filled / (steps * static_cast<double>(tags.size()));
}

Message too_empty(const Spec& spec, double ratio) {
  return {"RUN_MISSING_RATIO",
          {{"value", 100 * ratio, "%"}, {"limit", 100 * spec.cleaning.max_drop_ratio, "%"}}};
}

/// Lets go of each tag once it is on the grid.
void to_series(const Spec& spec, std::vector<Cleaned>& tags, const Grid& grid, TimeUs until,
               AssembledRun& out) {
  const auto n = static_cast<Index>(tags.size());
  Series& s = out.series;
  s.values.resize(grid.steps, n);
  s.mask.resize(grid.steps, n);
  const std::vector<std::uint8_t> outside = outside_batches(spec, grid);
  for (Index c = 0; c < n; ++c) {
    const Variable& v = spec.variables[static_cast<std::size_t>(c)];
    const Cleaned tag = std::move(tags[static_cast<std::size_t>(c)]);
    double* const value = s.values.col(c).data();
    std::uint8_t* const mask = s.mask.col(c).data();
    const GridCounts counts =
        v.stepped ? stepped_to_grid(tag, grid, {to_us(v.max_hold_ms), max_interp(spec, v)}, until,
                                    value, mask)
                  : sloped_to_grid(tag, grid, max_interp(spec, v), value, mask);
    out.timing.push_back(v.stepped ? Timing{} : timing_of(tag.t, grid.start, grid.beat));
    CleanCounts& total = out.counts[static_cast<std::size_t>(c)];
    total.steps = grid.steps;
    total.interpolated = counts.interpolated;
    total.held = counts.held;
    total.missing = counts.missing;
    blank_marked(v, bad_stretches(spec, v), outside, grid, value, mask, total);
    if (*v.scale != 1 || *v.offset != 0)
      s.values.col(c) = (s.values.col(c).array() * *v.scale + *v.offset).matrix();
  }
  s.t.resize(static_cast<std::size_t>(grid.steps));
  for (Index i = 0; i < grid.steps; ++i) s.t[static_cast<std::size_t>(i)] = grid.at(i);
}

/// Why a grid is not worth filling in.
std::optional<Message> refuse(const Spec& spec, const std::vector<Cleaned>& tags,
                              const Grid& grid) {
  const Index needed = spec.window.history_steps + spec.window.horizon_steps + 2;
  if (grid.steps < needed) {
    return Message{
        "RUN_TOO_SHORT",
        {{"value", std::int64_t{grid.steps}, "steps"}, {"limit", std::int64_t{needed}, "steps"}}};
  }
  // What people marked is not missing, and how much that is shows on the grid only.
  const double limit = spec.cleaning.max_drop_ratio;
  if (spec.marks.empty() && least_missing(spec, tags, grid, 0) > limit) {
    const double ratio = least_missing(spec, tags, grid, idle_steps(tags, grid));
    if (ratio > limit) return too_empty(spec, ratio);
  }
  if (static_cast<double>(grid.steps) * static_cast<double>(tags.size()) > kLargestRunCells) {
    return Message{"RUN_TOO_LARGE",
                   {{"value", std::int64_t{grid.steps}, "steps"}, {"limit", kLargestRunCells}}};
  }
  return std::nullopt;
}

/// Why a filled grid gives nothing.
std::optional<Message> refuse(const Spec& spec, const AssembledRun& run, Index idle) {
  std::int64_t missing = 0, wanted = run.series.values.size();
  for (const CleanCounts& c : run.counts) {
    missing += c.missing;
    wanted -= c.marked;
  }
  const Index steps = run.series.values.rows();
  const auto ratio = [&](std::int64_t of, std::int64_t cells) {
    return cells <= 0
               ? 1
               : static_cast<double>(std::max<std::int64_t>(of, 0)) / static_cast<double>(cells);
  };
  const auto sloped = std::ranges::count_if(spec.variables, std::not_fn(&Variable::stepped));
  const double left = ratio(missing - idle * sloped, wanted - idle * std::ssize(spec.variables));
  if (left > spec.cleaning.max_drop_ratio) return too_empty(spec, left);
  if (count_windows(run.series, spec, 0, steps) > 0) return std::nullopt;
  return no_window(run.series, spec);
}

}  // namespace

Assembler::Assembler(const historian::Historian& historian, const Spec& spec)
    : historian_(historian), spec_(spec), modes_(kept_modes(spec, historian.tags(spec.line_id))) {}

std::vector<historian::Sample> Assembler::fetch(const plant::Run& run,
                                                const std::string& node_id) const {
  historian::PageRequest request;
  request.node_id = node_id;
  request.filter = {spec_.line_id, spec_.product_id, spec_.recipe_id, run.id};
  request.from = spec_.from_us.value_or(request.from);
  request.to = spec_.to_us.value_or(request.to);
  request.limit = 1'000'000;
  return historian::read_all(historian_, request);
}

bool Assembler::read_tags(const plant::Run& run, std::vector<Cleaned>& tags,
                          AssembledRun& out) const {
  out.used = {std::numeric_limits<TimeUs>::max(), std::numeric_limits<TimeUs>::min()};
  for (std::size_t c = 0; c < spec_.variables.size(); ++c) {
    const Variable& v = spec_.variables[c];
    const auto samples = fetch(run, v.node_id);
    if (samples.empty()) {
      out.dropped = Message{"RUN_TAG_EMPTY", {{"tag", v.id}}};
      return false;
    }
    out.newest.push_back(samples.back().at);
    out.used.from = std::min(out.used.from, samples.front().at);
    out.used.to = std::max(out.used.to, samples.back().at + 1);
    std::optional<ModeIntervals> mode;
    if (!v.mode_tag.empty())
      mode = intervals_in_mode(fetch(run, spec_.line_id + "/" + v.mode_tag), modes_[c]);
    Cleaned& tag = tags.emplace_back();
    clean(samples, rule_for(spec_, v), tag, mode ? &*mode : nullptr);
    out.counts.push_back(tag.counts);
    if (!tag.x.empty()) continue;
    const auto unfit = tag.counts.dropped() - tag.counts.dropped_mode;
    if (tag.counts.dropped_mode > 0) {
      out.dropped = Message{"RUN_TAG_OUT_OF_MODE",
                            {{"tag", v.id}, {"samples", tag.counts.dropped_mode}, {"bad", unfit}}};
    } else {
      out.dropped = Message{"RUN_TAG_ALL_BAD", {{"tag", v.id}, {"samples", samples.size()}}};
    }
    return false;
  }
  return true;
}

AssembledRun Assembler::run(const plant::Run& run) const {
  AssembledRun out;
  out.series.run_id = run.id;
  std::vector<Cleaned> tags;
  if (!read_tags(run, tags, out)) return out;
  TimeUs until = 0;
  const Grid grid = common_grid(spec_, tags, until);
  out.dropped = refuse(spec_, tags, grid);
  if (out.dropped) return out;
  const Index idle = spec_.marks.empty() ? idle_steps(tags, grid) : 0;  // to_series drops the tags
  to_series(spec_, tags, grid, until, out);
  out.transport = apply_transport(spec_, out.series);
  for (const auto& [column, delayed] : out.transport)
    out.counts[static_cast<std::size_t>(column)].missing += delayed.unknown;
  out.dropped = refuse(spec_, out, idle);
  if (out.dropped) out.series = {run.id, {}, {}, {}};
  return out;
}

}  // namespace flyball::dataset
