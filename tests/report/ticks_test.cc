#include "report/ticks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace flyball::report {
namespace {

TEST(NiceTicks, AreEvenlySpacedByOneTwoOrFiveAndInside) {
  for (const double low : {-3.7, 0.0, 0.12, 99.5, -1e6, 1e-7}) {
    for (const double span : {1e-6, 0.03, 1.0, 7.3, 450.0, 2e7}) {
      for (const int most : {2, 4, 9}) {
        const Range range{low, low + span};
        const auto t = nice_ticks(range, most).ticks;
        ASSERT_LE(t.size(), std::size_t(std::max(most, 3)));
        ASSERT_GE(t.size(), 1U) << low << " " << span << " " << most;
        for (const Tick& tick : t) {
          EXPECT_GE(tick.at, range.low - 1e-9 * span);
          EXPECT_LE(tick.at, range.high + 1e-9 * span);
        }
        if (t.size() < 2) continue;
        const double step = t[1].at - t[0].at;
        double mantissa = step / std::pow(10.0, std::floor(std::log10(step) + 1e-6));
        EXPECT_TRUE(std::abs(mantissa - 1) < 1e-3 || std::abs(mantissa - 2) < 1e-3 ||
                    std::abs(mantissa - 5) < 1e-3)
            << step;
      }
    }
  }
}

TEST(NiceTicks, LabelsDifferAndShareTheirDecimals) {
  const auto t = nice_ticks({99.5, 99.9}, 5).ticks;
  ASSERT_GE(t.size(), 3U);
  for (std::size_t i = 1; i < t.size(); ++i) {
    EXPECT_NE(t[i].label, t[i - 1].label);
    EXPECT_EQ(t[i].label.size() - t[i].label.find('.'), t[0].label.size() - t[0].label.find('.'));
  }
}

TEST(NiceTicks, TakeAFactorOutOfLargeNumbers) {
  const Ticks t = nice_ticks({0, 4.2e6}, 5);
  EXPECT_EQ(t.factor, "×10⁶");
  EXPECT_EQ(t.ticks.back().label, "4");
}

TEST(NiceTicks, OfWholeNumbersSkipNone) {
  for (const Tick& t : nice_ticks({0.2, 3.8}, 9, true).ticks) EXPECT_EQ(t.at, std::round(t.at));
}

TEST(NiceTicks, OfAnEmptyRangeAreNone) {
  EXPECT_TRUE(nice_ticks({1, 1}, 5).ticks.empty());
  EXPECT_TRUE(nice_ticks({0, INFINITY}, 5).ticks.empty());
}

TEST(Padded, GivesARangeToAConstant) {
  EXPECT_GT(padded({5, 5}, 0.05).span(), 0);
  EXPECT_GT(padded({0, 0}, 0.05).span(), 0);
  EXPECT_EQ(padded({0, 10}, 0.1).low, -1);
}

TEST(CalendarTicks, StandAtRoundTimesWithTheDateWhereItChanges) {
  const TimeUs origin = parse_time("2026-03-01T20:07:00Z");
  const auto t = calendar_ticks(origin, {0, 9 * 3600}, 6).ticks;
  ASSERT_GE(t.size(), 4U);
  ASSERT_LE(t.size(), 6U);
  EXPECT_EQ(t.front().label, "22:00");
  EXPECT_EQ(t.front().second, "2026-03-01");
  EXPECT_EQ(t[1].label, "00:00");
  EXPECT_EQ(t[1].second, "2026-03-02");
  EXPECT_EQ(t[2].second, "");
}

TEST(CalendarTicks, GoFromSecondsToDecades) {
  const TimeUs origin = parse_time("2019-12-30T23:59:58Z");
  for (double span = 10; span < 3e9; span *= 3) {
    const auto t = calendar_ticks(origin, {0, span}, 7).ticks;
    EXPECT_GE(t.size(), 1U) << span;
    EXPECT_LE(t.size(), 8U) << span;
    for (const Tick& tick : t) EXPECT_TRUE(tick.at >= 0 && tick.at <= span);
  }
}

TEST(TimeUnit, KeepsNumbersSmall) {
  EXPECT_STREQ(time_unit(0.5).name, "ms");
  EXPECT_STREQ(time_unit(80).name, "s");
  EXPECT_STREQ(time_unit(3600).name, "min");
  EXPECT_STREQ(time_unit(1e6).name, "d");
}

}  // namespace
}  // namespace flyball::report
