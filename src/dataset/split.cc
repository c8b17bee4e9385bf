#include "dataset/split.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "math/random.h"

namespace flyball::dataset {
namespace {

/// Half rounds up, as in the reference system.
std::int64_t rounded(double x) {
  return static_cast<std::int64_t>(std::floor(x + 0.5));
}

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

/// Cuts runs into numbered blocks, part by part.
class Cutter {
 public:
  explicit Cutter(std::vector<Block>& blocks) : blocks_(blocks) {}

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
      if (b.unique_steps > 0) blocks_.push_back(std::move(b));
    }
  }

 private:
  std::vector<Block>& blocks_;
};

void number_blocks(const std::vector<Series>& runs, std::vector<Block>& blocks) {
  for (const Series& run : runs) {
    std::vector<Block*> of_run;
    for (Block& b : blocks) {
      if (b.run_id == run.run_id) of_run.push_back(&b);
    }
    std::ranges::sort(of_run, {}, &Block::first_step);
    for (std::size_t i = 0; i < of_run.size(); ++i) {
      of_run[i]->block_id = run.run_id + "#" + std::to_string(i);
    }
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
  return out;
}

std::int64_t count_windows(const Series& series, const Spec& spec, Index first, Index steps) {
  const Index history = spec.window.history_steps, horizon = spec.window.horizon_steps;
  Index since_missing = 0, since_unobserved = 0;  // rows in a row without one
  std::int64_t count = 0;
  for (Index row = first; row < first + steps; ++row) {
    bool missing = false, unobserved = false;
    for (std::size_t c = 0; c < spec.variables.size(); ++c) {
      const std::uint8_t m = series.mask(row, static_cast<Index>(c));
      missing = missing || m == 0;
      unobserved = unobserved || (m != 1 && spec.variables[c].role == Role::cv);
    }
    since_missing = missing ? 0 : since_missing + 1;
    since_unobserved = unobserved ? 0 : since_unobserved + 1;
    if (since_missing >= history + horizon && since_unobserved >= horizon) ++count;
  }
  return count;
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

std::vector<Block> split_blocks(const std::vector<Series>& runs, const Spec& spec) {
  std::vector<Block> blocks;
  Cutter cutter(blocks);
  std::vector<Rows> rows;
  for (const Series& run : runs) rows.push_back(classify(run, spec));
  if (runs.size() >= kRunsToSplitByRun) {
    const auto parts = parts_by_run(runs.size(), spec.split);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      cutter.cut(runs[i], rows[i], parts[i], 0, runs[i].values.rows(), 0);
    }
  } else {
    const Index purge = spec.window.history_steps + spec.window.horizon_steps;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const auto [val, test] = borders_in_time(rows[i].usable, spec.split);
      cutter.cut(runs[i], rows[i], Part::train, 0, val, 0);
      cutter.cut(runs[i], rows[i], Part::val, val, test, purge);
      cutter.cut(runs[i], rows[i], Part::test, test, runs[i].values.rows(), purge);
    }
  }
  std::ranges::stable_sort(blocks, {}, &Block::split);
  number_blocks(runs, blocks);
  return blocks;
}

}  // namespace flyball::dataset
