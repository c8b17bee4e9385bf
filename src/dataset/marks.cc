#include "dataset/marks.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace flyball::dataset {
namespace {

/// Calls f(i) for the rows whose buckets touch the interval.
template <class F>
void for_each_row(const Grid& grid, const Interval& part, const F& f) {
  if (grid.steps == 0 || part.to <= grid.start || part.from >= grid.end()) return;
  const Index first = part.from <= grid.start ? 0 : (part.from - grid.start) / grid.beat;
  const Index last =
      part.to >= grid.end() ? grid.steps - 1 : (part.to - 1 - grid.start) / grid.beat;
  for (Index i = first; i <= last; ++i) f(i);
}

void blank(double& value, std::uint8_t& mask, std::int64_t& filled, CleanCounts& counts) {
  if (std::isnan(value)) {
    --counts.missing;
  } else if (mask == 2) {
    --filled;
  }
  value = std::numeric_limits<double>::quiet_NaN();
  mask = 0;
  ++counts.marked;
}

}  // namespace

std::vector<Interval> stretches(const Spec& spec, plant::MarkKind kind) {
  std::vector<Interval> out;
  for (const MarkedStretch& m : spec.marks) {
    if (m.kind == kind) out.push_back({m.from_us, m.to_us});
  }
  std::ranges::sort(out, {}, &Interval::from);
  return out;
}

std::vector<Interval> bad_stretches(const Spec& spec, const Variable& variable) {
  std::vector<Interval> all, out;
  for (const MarkedStretch& m : spec.marks) {
    if (m.kind == plant::MarkKind::bad && (m.variable.empty() || m.variable == variable.id))
      all.push_back({m.from_us, m.to_us});
  }
  std::ranges::sort(all, {}, &Interval::from);
  for (const Interval& part : all) {
    if (!out.empty() && part.from <= out.back().to) {
      out.back().to = std::max(out.back().to, part.to);
    } else {
      out.push_back(part);
    }
  }
  return out;
}

std::vector<std::uint8_t> outside_batches(const Spec& spec, const Grid& grid) {
  std::vector<std::uint8_t> out(static_cast<std::size_t>(grid.steps), 1);
  bool any = false;
  for (const Interval& batch : stretches(spec, plant::MarkKind::batch)) {
    for_each_row(grid, batch, [&](Index i) {
      any = true;
      const bool whole = grid.at(i) >= batch.from && grid.at(i + 1) <= batch.to;
      const bool begins = i > 0 && grid.at(i) <= batch.from;
      std::uint8_t& row = out[static_cast<std::size_t>(i)];
      // The first row of a batch that follows another one without a gap parts the two.
      const bool follows = begins && out[static_cast<std::size_t>(i - 1)] == 0;
      if (whole && !follows) row = 0;
    });
  }
  if (!any) out.clear();
  return out;
}

void blank_marked(const Variable& variable, const std::vector<Interval>& bad,
                  const std::vector<std::uint8_t>& outside, const Grid& grid, double* value,
                  std::uint8_t* mask, CleanCounts& counts) {
  std::vector<std::uint8_t> marked = outside;
  marked.resize(static_cast<std::size_t>(grid.steps), 0);
  for (const Interval& part : bad) {
    for_each_row(grid, part, [&](Index i) {
      // What good samples of the bucket, or interpolation, gave a sloped tag is good.
      if (variable.stepped || std::isnan(value[i])) marked[static_cast<std::size_t>(i)] = 1;
    });
  }
  for (Index i = 0; i < grid.steps; ++i) {
    if (marked[static_cast<std::size_t>(i)] == 0) continue;
    blank(value[i], mask[i], variable.stepped ? counts.held : counts.interpolated, counts);
  }
}

}  // namespace flyball::dataset
