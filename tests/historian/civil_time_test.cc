#include "historian/civil_time.h"

#include <gtest/gtest.h>

#include "historian/time_pattern.h"
#include "historian/time_source.h"
#include "support/expect_error.h"

namespace flyball::historian {
namespace {

std::string civil(std::string_view text, DateOrder order = DateOrder::day_first) {
  CivilTime out;
  if (!read_civil(text, order, out)) return "no";
  const auto us = local_us(out);
  return us ? format_time(*us) : "not on the calendar";
}

TEST(ReadCivil, ReadsADateInEveryShape) {
  for (const char* text :
       {"2026-03-01 08:05:00", "2026-3-1 8:05", "2026/03/01T08:05", "1.3.2026 8:05:00",
        "01-Mar-26 08:05:00", "1 March 2026 08:05", "01/03/2026, 8:05 AM", "2026-03-01 08.05.00"}) {
    EXPECT_EQ(civil(text), "2026-03-01T08:05:00Z") << text;
  }
  EXPECT_EQ(civil("03/01/2026 08:05", DateOrder::month_first), "2026-03-01T08:05:00Z");
  EXPECT_EQ(civil("2026-03-01"), "2026-03-01T00:00:00Z");
  EXPECT_EQ(civil("2026-03-01 08:05:00,25"), "2026-03-01T08:05:00.250Z");
}

TEST(ReadCivil, RefusesWhatIsOnlyAlmostADate) {
  for (const char* text : {"", "2026", "2026-03", "01/02/03 10:00", "2026-03-01x", "2026-03/01",
                           "1.5.2", "2026-03-01 8", "2026-03-01 08:5", "2026-03-01 25:00",
                           "2026-03-01 08:00 xm", "2026-03-01 13:00 PM", "1-Foo-26", "12345-1-1"}) {
    EXPECT_EQ(civil(text), "no") << text;
  }
}

TEST(ReadCivil, KnowsTheCalendar) {
  EXPECT_EQ(civil("29.02.2024"), "2024-02-29T00:00:00Z");
  EXPECT_EQ(civil("29.02.2025"), "not on the calendar");
  EXPECT_EQ(civil("13/13/2025"), "not on the calendar");
  EXPECT_EQ(civil("2025-12-31 23:59:60"), "2026-01-01T00:00:00Z") << "a leap second";
}

TEST(DateLook, TellsWhetherTheOrderIsOpen) {
  EXPECT_EQ(date_look("2026-03-01").shape, DateShape::clear);
  EXPECT_EQ(date_look("01-Mar-2026").shape, DateShape::clear);
  EXPECT_EQ(date_look("01/02/03").shape, DateShape::short_year);
  EXPECT_EQ(date_look("18:00").shape, DateShape::none);
  const DateLook look = date_look("13.02.2026 10:00");
  EXPECT_EQ(look.shape, DateShape::numbers);
  EXPECT_EQ(look.first, 13);
  EXPECT_EQ(look.second, 2);
}

std::string by_pattern(const char* pattern, std::string_view text) {
  CivilTime out;
  if (!TimePattern(pattern).read(text, out)) return "no";
  const auto us = local_us(out);
  return us ? format_time(*us - out.offset_minutes.value_or(0) * 60 * kSecond) : "no";
}

TEST(TimePattern, ReadsEveryLetter) {
  EXPECT_EQ(by_pattern("%Y-%m-%d %H:%M:%S.%f", "2026-03-01 08:05:06.7"),
            "2026-03-01T08:05:06.700Z");
  EXPECT_EQ(by_pattern("%d.%m.%y", "1.3.68"), "2068-03-01T00:00:00Z");
  EXPECT_EQ(by_pattern("%d.%m.%y", "1.3.69"), "1969-03-01T00:00:00Z");
  EXPECT_EQ(by_pattern("%b %d, %Y %I%p", "Mar 1, 2026 12AM"), "2026-03-01T00:00:00Z");
  EXPECT_EQ(by_pattern("%d %b %Y %I:%M %p", "1 december 2026 11:59 pm"), "2026-12-01T23:59:00Z");
  EXPECT_EQ(by_pattern("%Y%j", "2025365"), "2025-12-31T00:00:00Z");
  EXPECT_EQ(by_pattern("%Y-%m-%dT%H%z", "2026-03-01T08-05:30"), "2026-03-01T13:30:00Z");
  EXPECT_EQ(by_pattern("%Y%%%m%%%d", "2026%3%1"), "2026-03-01T00:00:00Z");
}

TEST(TimePattern, TakesAllOfTheTextOrNothing) {
  for (const char* text :
       {"2026-03-01x", "2026-03-01 ", "26-03-01", "2026-03", "2026-03-32", "", " 2026-03-01"})
    EXPECT_EQ(by_pattern("%Y-%m-%d", text), "no") << text;
  EXPECT_EQ(by_pattern("%Y-%m-%d %I%p", "2026-03-01 13PM"), "no");
}

TEST(TimePattern, SaysWhatIsWrongWithIt) {
  for (const char* pattern :
       {"", "%H:%M", "%Y-%m", "%Y-%m-%d %Q", "%Y-%m-%d %", "%d.%m", "%Y-%m-%d %I:%M", "epoch"}) {
    EXPECT_ERROR(TimePattern{pattern}, "IMPORT_TIME_PATTERN");
  }
}

TEST(ReadEpoch, IsExactToTheMicrosecond) {
  EXPECT_EQ(read_epoch("1767225600", kSecond), 1'767'225'600 * kSecond);
  EXPECT_EQ(read_epoch("1767225600.000001", kSecond), 1'767'225'600 * kSecond + 1);
  EXPECT_EQ(read_epoch("1767225600,25", kSecond), 1'767'225'600 * kSecond + 250'000);
  EXPECT_EQ(read_epoch("-0.5", kSecond), -500'000);
  EXPECT_EQ(read_epoch("1767225600123456", 1), 1'767'225'600'123'456);
  EXPECT_EQ(read_epoch("1.5e3", kMillisecond), 1'500'000);
  for (const char* text : {"", "x", "1x", "1.2.3", "9e99", "nan", "inf", "999999999999999999"})
    EXPECT_EQ(read_epoch(text, kSecond), std::nullopt) << text;
}

}  // namespace
}  // namespace flyball::historian
