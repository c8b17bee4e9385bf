#include "dataset/split.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "math/random.h"

namespace flyball::dataset {
namespace {

/// Half rounds up, as in the reference system.
std::int64_t rounded(double x) {
  return static_cast<std::int64_t>(std::floor(x + 0.5));
}

constexpr Index kGapFactor = 10;

struct Stretch {
  Index first, steps;
};

/// Stretches of [first, end) without a broken row.
std::vector<Stretch> unbroken(const std::vector<std::uint8_t>& broken, Index first, Index end) {
  std::vector<Stretch> out;
  const auto begin = broken.begin();
  for (Index row = first; row < end;) {
    const auto from = std::find(begin + row, begin + end, std::uint8_t{0}) - begin;
    const auto to = std::find(begin + from, begin + end, std::uint8_t{1}) - begin;
    if (to > from) out.push_back({from, to - from});
    row = to;
  }
  return out;
}

/// Cuts runs into blocks, part by part.
class Cutter {
 public:
  Cutter(const Spec& spec, Splitting& out) : spec_(spec), out_(out) {}

  void cut(const Series& run, const Rows& rows, Part part, Index first, Index end, Index purge) {
    const Index begin = std::min(end, first + purge);
    for (const Stretch& s : unbroken(rows.broken, begin, end)) {
      Block b;
      b.run_id = run.run_id;
      b.split = part;
      b.first_step = s.first;
      b.steps = s.steps;
      b.purge_before_steps = s.first == begin ? purge : 0;
      const auto from = rows.usable.begin() + s.first;
      b.unique_steps = std::count(from, from + s.steps, std::uint8_t{1});
      if (b.unique_steps == 0) continue;
      out_.windows.of(part) += count_windows(run, spec_, s.first, s.steps);
      out_.blocks.push_back(std::move(b));
    }
  }

 private:
  const Spec& spec_;
  Splitting& out_;
};

/// Numbers the blocks of each run by time.
void number_blocks(std::vector<Block>& blocks) {
  std::map<std::string, std::vector<Block*>> by_run;
  for (Block& b : blocks) by_run[b.run_id].push_back(&b);
  for (auto& [run, of_run] : by_run) {
    std::ranges::sort(of_run, {}, &Block::first_step);
    for (std::size_t i = 0; i < of_run.size(); ++i)
      of_run[i]->block_id = run + "#" + std::to_string(i);
  }
}

/// Rows that have a sample of any tag, ascending.
std::vector<Index> rows_with_samples(const Mask& mask) {
  std::vector<std::uint8_t> seen(static_cast<std::size_t>(mask.rows()), 0);
  for (Index c = 0; c < mask.cols(); ++c) {
    const std::uint8_t* const m = mask.col(c).data();
    for (std::size_t i = 0; i < seen.size(); ++i) seen[i] |= m[i] == 1 ? 1 : 0;
  }
  std::vector<Index> out;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen[i] != 0) out.push_back(static_cast<Index>(i));
  }
  return out;
}

/// The longest distance of two rows with samples that is no hole, in steps.
Index longest_gap(const std::vector<Index>& rows, const Spec& spec) {
  if (const auto given = to_us(spec.cleaning.max_gap_ms))
    return static_cast<Index>(*given / beat_us(spec)) + 1;
  std::vector<Index> distance;
  for (std::size_t i = 1; i < rows.size(); ++i) distance.push_back(rows[i] - rows[i - 1]);
  const auto middle = distance.begin() + std::ssize(distance) / 2;
  std::nth_element(distance.begin(), middle, distance.end());
  return kGapFactor * *middle;
}

void find_holes(const Series& series, const Spec& spec, Rows& out) {
  const std::vector<Index> rows = rows_with_samples(series.mask);
  if (rows.size() < 2) return;
  const Index longest = longest_gap(rows, spec);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i] - rows[i - 1] <= longest) continue;
    std::fill(out.broken.begin() + rows[i - 1] + 1, out.broken.begin() + rows[i], std::uint8_t{1});
    ++out.holes;
    out.longest_hole = std::max<std::int64_t>(out.longest_hole, rows[i] - rows[i - 1] - 1);
  }
}

}  // namespace

Rows classify(const Series& series, const Spec& spec) {
  const auto steps = static_cast<std::size_t>(series.values.rows());
  Rows out{std::vector<std::uint8_t>(steps, 1), std::vector<std::uint8_t>(steps, 0)};
  for (std::size_t c = 0; c < spec.variables.size(); ++c) {
    const bool is_target = spec.variables[c].role == Role::cv;
    const auto mask = series.mask.col(static_cast<Index>(c));
    for (std::size_t i = 0; i < steps; ++i) {
      const std::uint8_t m = mask(static_cast<Index>(i));
      if (m == 0 || (is_target && m != 1)) out.usable[i] = 0;
      if (m == 0 && !is_target) out.broken[i] = 1;
    }
  }
  find_holes(series, spec, out);
  return out;
}

RowFlags row_flags(const Series& series, const Spec& spec, Index first, Index steps) {
  const auto n = static_cast<std::size_t>(steps);
  RowFlags out{std::vector<std::uint8_t>(n, 0), std::vector<std::uint8_t>(n, 0)};
  for (std::size_t c = 0; c < spec.variables.size(); ++c) {
    const std::uint8_t* const mask = series.mask.col(static_cast<Index>(c)).data() + first;
    const bool is_target = spec.variables[c].role == Role::cv;
    for (std::size_t i = 0; i < n; ++i) {
      out.missing[i] |= mask[i] == 0 ? 1 : 0;
      if (is_target) out.unobserved[i] |= mask[i] != 1 ? 1 : 0;
    }
  }
  return out;
}

std::vector<Index> judged_windows(const Series& series, const std::vector<Index>& inputs,
                                  const std::vector<Index>& outputs, Index first, Index steps,
                                  Window window) {
  const Index history = window.history_steps, horizon = window.horizon_steps;
  std::vector<Index> starts;
  if (steps < history + horizon) return starts;
  const auto absent = [&](Index row, Index c) {
    return series.mask(row, c) == 0 || std::isnan(series.values(row, c));
  };
  // Rows so far without a value, and per CV those not observed.
  using Sums = std::vector<Index>;
  const auto rows = static_cast<std::size_t>(steps);
  Sums missing(rows + 1, 0);
  std::vector<Sums> unobserved(outputs.size(), Sums(rows + 1, 0));
  for (std::size_t i = 0; i < rows; ++i) {
    const Index row = first + static_cast<Index>(i);
    const auto none = [&](Index c) { return absent(row, c); };
    missing[i + 1] =
        missing[i] + (std::ranges::any_of(inputs, none) || std::ranges::any_of(outputs, none));
    for (std::size_t j = 0; j < outputs.size(); ++j)
      unobserved[j][i + 1] = unobserved[j][i] + (series.mask(row, outputs[j]) != 1);
  }
  const auto count = [](const Sums& sums, Index from, Index to) {
    return sums[static_cast<std::size_t>(to)] - sums[static_cast<std::size_t>(from)];
  };
  const auto unseen = static_cast<Index>((1 - kJudgedShare) * static_cast<double>(horizon));
  for (Index t = history; t + horizon <= steps; ++t) {
    if (count(missing, t - history, t + horizon) > 0) continue;
    const auto judged = [&](const Sums& sums) {
      return (t == 0 || count(sums, t - 1, t) == 0) && count(sums, t, t + horizon) <= unseen;
    };
    if (std::ranges::all_of(unobserved, judged)) starts.push_back(first + t);
  }
  return starts;
}

std::int64_t count_windows(const Series& series, const Spec& spec, Index first, Index steps) {
  if (spec.materialize == Materialize::windows) {
    std::int64_t count = 0;
    for_each_window(series, spec, first, steps, [&](Index) { ++count; });
    return count;
  }
  std::vector<Index> inputs, outputs;
  for (std::size_t c = 0; c < spec.variables.size(); ++c)
    (spec.variables[c].role == Role::cv ? outputs : inputs).push_back(static_cast<Index>(c));
  return std::ssize(judged_windows(series, inputs, outputs, first, steps, spec.window));
}

Message no_window(Index longest, Window window) {
  const Index needed = window.history_steps + window.horizon_steps;
  const Index history = longest * window.history_steps / std::max<Index>(needed, 1);
  return {"RUN_NO_WINDOW",
          {{"needed", std::int64_t{needed}, "steps"},
           {"longest", std::int64_t{longest}, "steps"},
           {"history", std::int64_t{std::max<Index>(history, 1)}},
           {"horizon", std::int64_t{std::max<Index>(longest - history, 1)}}}};
}

Message no_window(const Series& series, const Spec& spec) {
  const RowFlags rows = row_flags(series, spec, 0, series.values.rows());
  Index longest = 0, now = 0;
  for (const std::uint8_t missing : rows.missing)
    longest = std::max(longest, now = missing != 0 ? 0 : now + 1);
  if (longest < spec.window.history_steps + spec.window.horizon_steps)
    return no_window(longest, spec.window);
  Index worst = 0;
  double least = 1;
  for (std::size_t c = 0; c < spec.variables.size(); ++c) {
    if (spec.variables[c].role != Role::cv) continue;
    const auto column = series.mask.col(static_cast<Index>(c));
    const double share = (column.array() == 1).cast<double>().mean();
    if (!(share < least)) continue;
    least = share;
    worst = static_cast<Index>(c);
  }
  return {"RUN_CV_UNSEEN",
          {{"cv", spec.variables[static_cast<std::size_t>(worst)].id},
           {"share", 100 * least, "%"},
           {"limit", 100 * kJudgedShare, "%"}}};
}

std::vector<Part> parts_by_run(std::size_t n, const Split& split) {
  const auto total = static_cast<std::int64_t>(n);
  const auto share = [&](double ratio, std::int64_t most) {
    if (!(ratio > 0)) return std::int64_t{0};
    return std::min(std::max<std::int64_t>(1, rounded(static_cast<double>(total) * ratio)), most);
  };
  const std::int64_t tests = share(split.test_ratio, total - 1);
  const std::int64_t vals = share(split.val_ratio, total - 1 - tests);
  std::vector<Part> out(n, Part::train);
  std::vector<std::int64_t> order(n);
  std::iota(order.begin(), order.end(), std::int64_t{0});
  math::Random random(static_cast<std::uint32_t>(split.seed));
  math::shuffle(order, random);
  for (std::int64_t i = 0; i < tests + vals; ++i) {
    out[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])] =
        i < tests ? Part::test : Part::val;
  }
  return out;
}

Borders borders_in_time(const std::vector<std::uint8_t>& usable, const Split& split) {
  const auto rows = static_cast<Index>(usable.size());
  const auto n = std::count(usable.begin(), usable.end(), std::uint8_t{1});
  const auto vals = rounded(static_cast<double>(n) * split.val_ratio);
  const auto tests = rounded(static_cast<double>(n) * split.test_ratio);
  const auto row_after = [&](std::int64_t count) {  // the row where usable row `count` stands
    for (Index row = 0; row < rows; ++row) {
      if (usable[static_cast<std::size_t>(row)] != 0 && count-- == 0) return row;
    }
    return rows;
  };
  const std::int64_t trains = std::max<std::int64_t>(0, n - vals - tests);
  return {row_after(trains), tests > 0 ? row_after(trains + vals) : rows};
}

Splitting split_blocks(const RunSource& runs, const Spec& spec) {
  Splitting out;
  Cutter cutter(spec, out);
  const std::size_t n = runs.ids.size();
  const bool by_run = n >= kRunsToSplitByRun;
  const auto parts = parts_by_run(n, spec.split);
  const Index purge = spec.window.history_steps + spec.window.horizon_steps;
  for (std::size_t i = 0; i < n; ++i) {
    const Series& run = runs.at(i);
    const Rows rows = classify(run, spec);
    const Index end = run.values.rows();
    out.shapes.push_back({run.run_id, end, rows.holes + 1, rows.holes, rows.longest_hole});
    if (by_run) {
      cutter.cut(run, rows, parts[i], 0, end, 0);
    } else {
      const auto [val, test] = borders_in_time(rows.usable, spec.split);
      cutter.cut(run, rows, Part::train, 0, val, 0);
      cutter.cut(run, rows, Part::val, val, test, purge);
      cutter.cut(run, rows, Part::test, test, end, purge);
    }
  }
  std::ranges::stable_sort(out.blocks, {}, &Block::split);
  number_blocks(out.blocks);
  return out;
}

}  // namespace flyball::dataset
