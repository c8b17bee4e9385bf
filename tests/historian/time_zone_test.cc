#include "historian/time_zone.h"

#include <gtest/gtest.h>

#include "historian/doubled_hour.h"
#include "support/expect_error.h"

namespace flyball::historian {
namespace {

constexpr DurationUs kHour = 3600 * kSecond;

TimeUs local(const char* text) {
  TimeUs t = 0;
  EXPECT_TRUE(try_parse_time(text, t, false)) << text;
  return t;
}

std::string utc(Zone& zone, const char* text) {
  const WallTime wall = zone.resolve(local(text));
  if (wall.readings == 0) return "none";
  return format_time(wall.first) + (wall.readings == 2 ? " or " + format_time(wall.second) : "");
}

TEST(Zone, FollowsSummerTimeOnBothSidesOfItsChanges) {
  Zone berlin("Europe/Berlin");
  EXPECT_EQ(utc(berlin, "2026-03-29 01:59:59"), "2026-03-29T00:59:59Z");
  EXPECT_EQ(utc(berlin, "2026-03-29 02:00:00"), "none");
  EXPECT_EQ(utc(berlin, "2026-03-29 02:59:59"), "none");
  EXPECT_EQ(utc(berlin, "2026-03-29 03:00:00"), "2026-03-29T01:00:00Z");
  EXPECT_EQ(utc(berlin, "2026-10-25 01:59:59"), "2026-10-24T23:59:59Z");
  EXPECT_EQ(utc(berlin, "2026-10-25 02:00:00"), "2026-10-25T00:00:00Z or 2026-10-25T01:00:00Z");
  EXPECT_EQ(utc(berlin, "2026-10-25 02:59:59.5"),
            "2026-10-25T00:59:59.500Z or 2026-10-25T01:59:59.500Z");
  EXPECT_EQ(utc(berlin, "2026-10-25 03:00:00"), "2026-10-25T02:00:00Z");
}

TEST(Zone, ADayOfSpringHas23HoursAndOneOfAutumn25) {
  Zone berlin("Europe/Berlin");
  const auto day = [&](const char* from, const char* to) {
    return (berlin.resolve(local(to)).first - berlin.resolve(local(from)).first) / kHour;
  };
  EXPECT_EQ(day("2026-03-29 00:00:00", "2026-03-30 00:00:00"), 23);
  EXPECT_EQ(day("2026-10-25 00:00:00", "2026-10-26 00:00:00"), 25);
  EXPECT_EQ(day("2026-07-01 00:00:00", "2026-07-02 00:00:00"), 24);
}

TEST(Zone, WhatItRemembersIsWhatItWouldFind) {
  Zone walked("America/Chicago");
  for (TimeUs t = local("2025-01-01 00:30:00"); t < local("2027-01-01 00:00:00"); t += 7 * kHour) {
    Zone fresh("America/Chicago");
    const WallTime a = walked.resolve(t), b = fresh.resolve(t);
    ASSERT_EQ(a.readings, b.readings) << format_time(t);
    ASSERT_EQ(a.first, b.first) << format_time(t);
  }
}

TEST(Zone, HasNoGapsInUtcAndAnswersAtTheEndsOfTime) {
  Zone zone("UTC");
  for (const char* text : {"0001-01-01 00:00:00", "1970-01-01 00:00:00", "9999-12-31 23:59:59"})
    EXPECT_EQ(zone.resolve(local(text)).first, local(text)) << text;
  Zone berlin("Europe/Berlin");
  EXPECT_EQ(berlin.resolve(local("9999-12-31 23:59:59")).readings, 1);
  EXPECT_EQ(berlin.resolve(local("0001-01-01 00:00:00")).readings, 1);
}

TEST(Zone, AnUnknownNameIsRefused) {
  EXPECT_ERROR(Zone("Europe/Berlim"), "TIME_ZONE_UNKNOWN");
  EXPECT_ERROR(Zone(""), "TIME_ZONE_UNKNOWN");
}

/// Times of one night as the minutes of the wall, 0 the beginning of the doubled hour; what comes
/// out is in minutes since the first pass began.
std::vector<std::int64_t> resolved(const std::vector<int>& minutes,
                                   DoubledHour choice = DoubledHour::refuse) {
  std::vector<TimeUs> times;
  std::vector<DoubledTime> doubled;
  for (const int m : minutes) {
    const TimeUs t = (m < 60 ? m : m + 60) * 60 * kSecond;
    if (m >= 0 && m < 60) doubled.push_back({times.size(), t + kHour, 1, "cell"});
    times.push_back(t);
  }
  std::vector<Message> notes;
  resolve_doubled(times, doubled, {}, choice, "zone", notes);
  std::vector<std::int64_t> out;
  for (const TimeUs t : times) out.push_back(t / 60 / kSecond);
  return out;
}

using Minutes = std::vector<std::int64_t>;

TEST(DoubledHour, TheStepBackBeginsTheSecondPass) {
  EXPECT_EQ(resolved({-30, 0, 30, 0, 30, 60}), (Minutes{-30, 0, 30, 60, 90, 120}));
  EXPECT_EQ(resolved({-30, 10, 50, 20, 60}), (Minutes{-30, 10, 50, 80, 120}));
  EXPECT_EQ(resolved({60, 30, 0, 30, 0, -30}), (Minutes{120, 90, 60, 30, 0, -30})) << "backward";
  EXPECT_EQ(resolved({-60, 0, 0, 60}), (Minutes{-60, 0, 60, 120}));
}

TEST(DoubledHour, IsAskedForWhenTheOrderDoesNotTell) {
  EXPECT_ERROR(resolved({-30, 0, 30, 60}), "IMPORT_TIME_DOUBLED");
  EXPECT_ERROR(resolved({-30, 0, 30, 10, 0, 60}), "IMPORT_TIME_DOUBLED");
  EXPECT_EQ(resolved({-30, 0, 30, 60}, DoubledHour::first), (Minutes{-30, 0, 30, 120}));
  EXPECT_EQ(resolved({-30, 0, 30, 60}, DoubledHour::second), (Minutes{-30, 60, 90, 120}));
}

}  // namespace
}  // namespace flyball::historian
