#include "evaluate/windows.h"

#include <gtest/gtest.h>

#include "evaluate/plant.h"

namespace flyball::evaluate {
namespace {

using dataset::Part;

dataset::Dataset small(Index rows) {
  testing::PlantOptions o;
  o.rows = rows;
  dataset::Dataset data = testing::make_dataset(testing::known_plant(), o);
  data.blocks.clear();
  return data;
}

std::vector<Index> starts(const dataset::Dataset& data, Index first, Index steps,
                          WindowShape shape) {
  dataset::Block block;
  block.first_step = first;
  block.steps = steps;
  return window_starts(data.runs[0], block, layout(data), shape);
}

TEST(Layout, PutsInputsInTheOrderMvsThenDvs) {
  const Layout columns = layout(small(50));
  EXPECT_EQ(columns.inputs, (std::vector<Index>{0, 1, 2}));
  EXPECT_EQ(columns.outputs, (std::vector<Index>{3, 4}));
  EXPECT_EQ(columns.n_mv, 2);
}

TEST(WindowStarts, StayInsideTheBlockAndReachItsLastRow) {
  const auto t = starts(small(50), 10, 20, {4, 6});
  ASSERT_EQ(t.size(), 20 - 4 - 6 + 1);
  EXPECT_EQ(t.front(), 14);
  EXPECT_EQ(t.back() + 6, 30);
}

TEST(WindowStarts, AreNoneWhenTheBlockIsOneRowTooShort) {
  EXPECT_EQ(starts(small(50), 0, 10, {4, 6}).size(), 1);
  EXPECT_TRUE(starts(small(50), 0, 9, {4, 6}).empty());
}

TEST(WindowStarts, SeeNoMissingValueInHistoryOrHorizon) {
  dataset::Dataset data = small(50);
  data.runs[0].values(20, 1) = std::nan("");
  const auto t = starts(data, 0, 50, {4, 6});
  for (const Index at : t) EXPECT_TRUE(at + 6 <= 20 || at - 4 > 20) << at;
  EXPECT_EQ(t.size(), (50 - 10 + 1) - 10);
}

TEST(WindowStarts, TakeAFilledInputAndAFewFilledTargets) {
  dataset::Dataset data = small(50);
  data.runs[0].mask(20, 0) = 2;
  EXPECT_EQ(starts(data, 0, 50, {4, 6}).size(), 41);
  data.runs[0].mask(30, 3) = 2;
  auto t = starts(data, 0, 50, {4, 6});
  EXPECT_EQ(std::ranges::count(t, 31), 0) << "a value filled in before the start knows row 31";
  EXPECT_EQ(t.size(), 41 - 1);
  data.runs[0].mask(31, 3) = 2;
  t = starts(data, 0, 50, {4, 6});
  for (const Index at : t) EXPECT_TRUE(at + 6 <= 31 || at > 32) << at << ": 4 of 6 are not enough";
  EXPECT_EQ(t.size(), 41 - 7);
  data.runs[0].mask(20, 0) = 0;
  EXPECT_EQ(starts(data, 0, 50, {4, 6}).size(), 41 - 17);
}

TEST(Stretches, SplitWhereAStartIsMissing) {
  const auto s = stretches({3, 4, 5, 9, 10, 20});
  ASSERT_EQ(s.size(), 3);
  EXPECT_EQ(s[0].first, 3);
  EXPECT_EQ(s[0].count, 3);
  EXPECT_EQ(s[2].count, 1);
}

}  // namespace
}  // namespace flyball::evaluate
