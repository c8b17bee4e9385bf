// A gain that changes during train is told with both values; a plant that stays is not accused.
#include "diagnose/time_change.h"

#include <gtest/gtest.h>

#include "identify/identify.h"
#include "identify/plants.h"
#include "identify/records.h"

namespace flyball::diagnose {
namespace {

using identify::first_order;
using identify::identify_arx;
using identify::random_steps;
using identify::train_dataset;

/// y answers u1 with `before`, from `share` of the rows on with `after`; u2 always with 1.
Matrix record(Index rows, double before, double after, double share, double decibel,
              std::uint32_t seed) {
  math::Random random(seed);
  Matrix x(rows, 3);
  x.col(0) = random_steps(rows, 8, random);
  x.col(1) = random_steps(rows, 6, random);
  const auto border = static_cast<Index>(share * static_cast<double>(rows));
  Vector changing = before * x.col(0);
  changing.tail(rows - border) = after * x.col(0).tail(rows - border);
  Vector y = first_order(changing, 1, 0.85, 3) + first_order(x.col(1), 1, 0.85, 5);
  identify::add_noise(y, decibel, random);
  x.col(2) = y;
  return x;
}

std::vector<TimeChange> changes_of(const Matrix& x) {
  const auto data = train_dataset({x}, "uuy");
  return time_changes_of(data, identify_arx(data).findings);
}

TEST(TimeChange, AGainThatChangesItsSignHalfwayIsTold) {
  for (const double decibel : {20.0, 30.0}) {
    const auto list = changes_of(record(2000, 2, -2, 0.5, decibel, 1));
    ASSERT_EQ(list.size(), 1u) << decibel;
    EXPECT_EQ(list[0].input, "u1");
    EXPECT_NEAR(list[0].share, 0.5, 0.01);
    EXPECT_NEAR(list[0].before, 2, 4 * list[0].before_std_error);
    EXPECT_NEAR(list[0].after, -2, 4 * list[0].after_std_error);
    EXPECT_LT(list[0].before_std_error, 0.3);
  }
}

TEST(TimeChange, AGainThatHalvesIsToldWithItsBorder) {
  const auto list = changes_of(record(3000, 2, 1, 0.3, 25, 2));
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].input, "u1");
  EXPECT_NEAR(list[0].share, 0.3, 0.11);
  EXPECT_GT(list[0].before, 1.3 * list[0].after);
}

TEST(TimeChange, APlantThatStaysIsNotAccused) {
  int alarms = 0;
  for (std::uint32_t seed = 1; seed <= 60; ++seed)
    alarms += changes_of(record(1200, 2, 2, 0.5, seed % 2 == 0 ? 10 : 25, seed)).empty() ? 0 : 1;
  EXPECT_LE(alarms, 2);
}

TEST(TimeChange, NoiseThatGrowsIsNoChangeOfAGain) {
  int alarms = 0;
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    Matrix x = record(1500, 2, 2, 0.5, 30, seed);
    math::Random random(100 + seed);
    for (Index t = 750; t < 1500; ++t) x(t, 2) += 0.4 * random.normal();
    alarms += changes_of(x).empty() ? 0 : 1;
  }
  EXPECT_LE(alarms, 1);
}

}  // namespace
}  // namespace flyball::diagnose
