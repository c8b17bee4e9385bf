#include "dataset/assemble.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dataset/grid.h"
#include "dataset/split.h"

namespace flyball::dataset {
namespace {

constexpr double kLargestRunCells = 5e8;

DurationUs to_us(double ms) {
  return std::llround(std::min(ms, 1e15) * 1000);
}

std::optional<DurationUs> to_us(const std::optional<double>& ms) {
  return ms ? std::optional(to_us(*ms)) : std::nullopt;
}

DurationUs max_interp(const Spec& spec, const Variable& v) {
  if (v.max_interp_ms) return to_us(*v.max_interp_ms);
  return spec.cleaning.max_interp_ms ? to_us(*spec.cleaning.max_interp_ms) : 3 * beat_us(spec);
}

CleanRule rule_for(const Spec& spec, const Variable& v) {
  const bool filtered = !v.stepped && v.role != Role::mv;
  return {v.min, v.max, v.resolution, filtered ? spec.cleaning.hampel_k : 0};
}

std::vector<historian::Sample> fetch(const historian::Historian& historian, const Spec& spec,
                                     const plant::Run& run, const Variable& v) {
  historian::PageRequest request;
  request.node_id = v.node_id;
  request.filter = {spec.line_id, spec.product_id, spec.recipe_id, run.id};
  request.from = spec.from_us.value_or(request.from);
  request.to = spec.to_us.value_or(request.to);
  request.limit = 1'000'000;
  return historian::read_all(historian, request);
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

/// The least share of cells that stays missing whatever is filled in; needs no memory for the grid.
double least_missing(const Spec& spec, const std::vector<Cleaned>& tags, const Grid& grid) {
  double filled = 0;
  const auto steps = static_cast<double>(grid.steps);
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

void to_series(const Spec& spec, const std::vector<Cleaned>& tags, const Grid& grid, TimeUs until,
               AssembledRun& out) {
  const auto n = static_cast<Index>(tags.size());
  Series& s = out.series;
  s.values.resize(grid.steps, n);
  s.mask.resize(grid.steps, n);
  for (Index c = 0; c < n; ++c) {
    const Variable& v = spec.variables[static_cast<std::size_t>(c)];
    const Cleaned& tag = tags[static_cast<std::size_t>(c)];
    double* const value = s.values.col(c).data();
    std::uint8_t* const mask = s.mask.col(c).data();
    const GridCounts counts =
        v.stepped ? stepped_to_grid(tag, grid, to_us(v.max_hold_ms), until, value, mask)
                  : sloped_to_grid(tag, grid, max_interp(spec, v), value, mask);
    CleanCounts& total = out.counts[static_cast<std::size_t>(c)];
    total.steps = grid.steps;
    total.interpolated = counts.interpolated;
    total.held = counts.held;
    total.missing = counts.missing;
    if (*v.scale != 1 || *v.offset != 0)
      s.values.col(c) = (s.values.col(c).array() * *v.scale + *v.offset).matrix();
  }
  s.t.resize(static_cast<std::size_t>(grid.steps));
  for (Index i = 0; i < grid.steps; ++i) s.t[static_cast<std::size_t>(i)] = grid.at(i);
}

}  // namespace

AssembledRun assemble_run(const historian::Historian& historian, const Spec& spec,
                          const plant::Run& run) {
  AssembledRun out;
  out.series.run_id = run.id;
  out.newest = std::numeric_limits<TimeUs>::min();
  out.complete_to = std::numeric_limits<TimeUs>::max();
  std::vector<Cleaned> tags;
  for (const Variable& v : spec.variables) {
    const auto samples = fetch(historian, spec, run, v);
    if (samples.empty()) {
      out.dropped = Message{"RUN_TAG_EMPTY", {{"tag", v.id}}};
      return out;
    }
    out.newest = std::max(out.newest, samples.back().at);
    if (!v.stepped) out.complete_to = std::min(out.complete_to, samples.back().at);
    tags.push_back(clean(samples, rule_for(spec, v)));
    out.counts.push_back(tags.back().counts);
    if (tags.back().x.empty()) {
      out.dropped = Message{"RUN_TAG_ALL_BAD", {{"tag", v.id}, {"samples", samples.size()}}};
      return out;
    }
  }
  out.complete_to = std::min(out.complete_to, out.newest);
  TimeUs until = 0;
  const Grid grid = common_grid(spec, tags, until);
  const Index needed = spec.window.history_steps + spec.window.horizon_steps + 2;
  if (grid.steps < needed) {
    out.dropped = Message{
        "RUN_TOO_SHORT",
        {{"value", std::int64_t{grid.steps}, "steps"}, {"limit", std::int64_t{needed}, "steps"}}};
    return out;
  }
  if (const double ratio = least_missing(spec, tags, grid); ratio > spec.cleaning.max_drop_ratio) {
    out.dropped = too_empty(spec, ratio);
    return out;
  }
  if (static_cast<double>(grid.steps) * static_cast<double>(tags.size()) > kLargestRunCells) {
    out.dropped =
        Message{"RUN_TOO_LARGE",
                {{"value", std::int64_t{grid.steps}, "steps"}, {"limit", kLargestRunCells}}};
    return out;
  }
  to_series(spec, tags, grid, until, out);
  std::int64_t missing = 0;
  for (const CleanCounts& c : out.counts) missing += c.missing;
  const double ratio = static_cast<double>(missing) / static_cast<double>(out.series.values.size());
  if (ratio > spec.cleaning.max_drop_ratio) {
    out.dropped = too_empty(spec, ratio);
  } else if (count_windows(out.series, spec, 0, grid.steps) == 0) {
    out.dropped = Message{"RUN_NO_WINDOW", {{"needed", std::int64_t{needed - 2}, "steps"}}};
  }
  if (out.dropped) out.series = {run.id, {}, {}, {}};
  return out;
}

}  // namespace flyball::dataset
