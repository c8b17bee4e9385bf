#include "dataset/split.h"

#include <gtest/gtest.h>

#include <set>

#include "dataset/fixtures.h"

namespace flyball::dataset {
namespace {

using namespace fixtures;

/// A run of n rows with everything observed but what `spoil` takes away.
template <class Spoil>
Series series(const std::string& id, Index n, const Spoil& spoil) {
  Series s;
  s.run_id = id;
  s.values = Matrix::Random(n, 3);
  s.mask = Mask::Ones(n, 3);
  spoil(s.mask);
  for (Index i = 0; i < n; ++i) s.t.push_back(i * kSecond);
  return s;
}
TEST(Split, ShufflesRunsAsTheReferenceDoes) {
  // mulberry32(42) begins 0.6011, 0.4483, 0.8525, 0.6697: of 0 1 2 3 4 the places 4 and 3, then 3
  // and 1 are swapped, 2 and 1 stay: 0 4 2 1 3.
  const auto parts = parts_by_run(5, {0.2, 0.2, 42});
  EXPECT_EQ(parts, (std::vector{Part::test, Part::train, Part::train, Part::train, Part::val}));
}

TEST(Split, GivesEachPartItsShareAndTrainAtLeastOneRun) {
  for (std::size_t n = 1; n < 30; ++n) {
    const auto parts = parts_by_run(n, {0.25, 0.25, 7});
    EXPECT_GE(std::ranges::count(parts, Part::train), 1);
    if (n >= 3) {
      EXPECT_GE(std::ranges::count(parts, Part::val), 1);
      EXPECT_GE(std::ranges::count(parts, Part::test), 1);
    }
  }
  EXPECT_EQ(std::ranges::count(parts_by_run(8, {0.25, 0, 7}), Part::test), 0);
}

TEST(Split, CutsOneRecordByUsableRows) {
  std::vector<std::uint8_t> usable(100, 1);
  std::fill_n(usable.begin() + 10, 20, std::uint8_t{0});
  const Borders b = borders_in_time(usable, {0.25, 0.25, 1});
  EXPECT_EQ(b.val, 60);  // 40 usable rows before it
  EXPECT_EQ(b.test, 80);
  EXPECT_EQ(borders_in_time(usable, {0, 0.5, 1}).val, borders_in_time(usable, {0, 0.5, 1}).test);
  EXPECT_EQ(borders_in_time(usable, {0, 0, 1}).val, 100);
}

std::int64_t whole(const Message& m, const std::string& name) {
  return std::get<std::int64_t>(std::ranges::find(m.params, name, &Param::name)->value);
}

TEST(Split, ARunWithoutAWindowSaysWhatItHolds) {
  Spec spec = small_spec();
  spec.window = {20, 30};
  const Series cut = series("r", 120, [](Mask& m) {
    for (Index t = 0; t < 120; t += 26) m(t, 0) = 0;
  });
  const Message why = no_window(cut, spec);
  EXPECT_EQ(why.code, "RUN_NO_WINDOW");
  EXPECT_EQ(whole(why, "longest"), 25);
  spec.window = {whole(why, "history"), whole(why, "horizon")};
  EXPECT_GT(count_windows(cut, spec, 0, 120), 0) << "what it proposes fits";

  spec.window = {20, 30};
  const Series slow = series("r", 120, [](Mask& m) {
    for (Index t = 0; t < 120; t += 2) m(t, 2) = 2;  // CV filled in at every second step
  });
  ASSERT_EQ(count_windows(slow, spec, 0, 120), 0);
  EXPECT_EQ(no_window(slow, spec).code, "RUN_CV_UNSEEN");
}

TEST(Split, CutsBlocksWhereAnInputIsMissingOnly) {
  const Spec spec = small_spec();
  const auto run = series("r", 60, [](Mask& m) {
    m(12, 0) = 0;  // MV
    m(20, 2) = 2;  // CV filled: not usable, no cut
    m(21, 2) = 0;
  });
  Spec whole = spec;
  whole.split = {0, 0, 1};
  const std::vector runs{run};
  const auto blocks = split_blocks(in_memory(runs), whole).blocks;
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_EQ(blocks[0].steps, 12);
  EXPECT_EQ(blocks[1].first_step, 13);
  EXPECT_EQ(blocks[1].unique_steps, 47 - 2);
  EXPECT_EQ(blocks[1].block_id, "r#1");
}

TEST(Split, NoWindowCrossesARunAPartOrAPurge) {
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    math::Random random(seed);
    Spec spec = small_spec();
    spec.window = {1 + random.index(6), 1 + random.index(6)};
    spec.split = {random.uniform(0, 0.45), random.uniform(0, 0.45), random.index(1000)};
    std::vector<Series> runs;
    for (std::int64_t r = 0, n = 1 + random.index(5); r < n; ++r) {
      runs.push_back(series("r" + std::to_string(r), 20 + random.index(80), [&](Mask& m) {
        for (Index i = 0; i < m.size(); ++i)
          m(i) = random.uniform() < 0.01 ? 0 : random.uniform() < 0.02 ? 2 : 1;
      }));
    }
    const auto blocks = split_blocks(in_memory(runs), spec).blocks;
    const Index purge = spec.window.history_steps + spec.window.horizon_steps;
    std::map<std::string, std::vector<int>> owner;  // part of each row, -1 none
    for (const Series& s : runs)
      owner[s.run_id].assign(static_cast<std::size_t>(s.values.rows()), -1);
    std::set<std::string> ids;
    for (const Block& b : blocks) {
      EXPECT_TRUE(ids.insert(b.block_id).second);
      auto& rows = owner.at(b.run_id);
      ASSERT_GE(b.first_step, 0);
      ASSERT_LE(b.first_step + b.steps, static_cast<Index>(rows.size()));
      for (Index i = b.first_step; i < b.first_step + b.steps; ++i) {
        EXPECT_EQ(rows[static_cast<std::size_t>(i)], -1) << "a row belongs to one block";
        rows[static_cast<std::size_t>(i)] = static_cast<int>(b.split);
      }
    }
    for (const auto& [id, rows] : owner) {
      int last = -1;
      Index last_row = 0;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i] < 0) continue;
        if (last >= 0 && rows[i] != last) {
          EXPECT_GT(rows[i], last) << "train, val and test follow each other in time";
          EXPECT_GT(static_cast<Index>(i) - last_row, purge) << "seed " << seed;
        }
        last = rows[i];
        last_row = static_cast<Index>(i);
      }
    }
    EXPECT_TRUE(std::ranges::is_sorted(blocks, {}, &Block::split));
  }
}

TEST(Split, CountsWindowsByTheirDefinition) {
  for (std::uint32_t seed = 1; seed <= 50; ++seed) {
    math::Random random(seed);
    Spec spec = small_spec();
    spec.window = {1 + random.index(5), 1 + random.index(9)};
    const Index n = 60;
    const Series s = series("r", n, [&](Mask& m) {
      for (Index i = 0; i < m.size(); ++i)
        m(i) = random.uniform() < 0.02 ? 0 : random.uniform() < 0.05 ? 2 : 1;
    });
    std::int64_t expected = 0;
    for (Index t = 10 + spec.window.history_steps; t + spec.window.horizon_steps <= n - 5; ++t) {
      bool good = true;
      for (Index i = t - spec.window.history_steps; i < t + spec.window.horizon_steps; ++i) {
        good = good && s.mask.row(i).minCoeff() > 0;
      }
      double seen = 0;
      for (Index k = 0; k < spec.window.horizon_steps; ++k) seen += s.mask(t + k, 2) == 1 ? 1 : 0;
      good = good && s.mask(t - 1, 2) == 1 &&
             seen >= 0.75 * static_cast<double>(spec.window.horizon_steps);
      expected += good ? 1 : 0;
    }
    EXPECT_EQ(count_windows(s, spec, 10, n - 15), expected) << seed;
  }
}

}  // namespace
}  // namespace flyball::dataset
