#include "core/time.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace flyball {
namespace {

TEST(Time, FormatsAndParsesBack) {
  EXPECT_EQ(format_time(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(parse_time("2026-03-01T08:00:00+02:00"), parse_time("2026-03-01T06:00:00Z"));
  EXPECT_EQ(format_time(parse_time("2026-03-01T08:00:00.25Z")), "2026-03-01T08:00:00.250Z");
  for (const TimeUs t : {TimeUs{-1}, TimeUs{1}, TimeUs{1'767'225'600'123'456}}) EXPECT_EQ(parse_time(format_time(t)), t);
}

TEST(Time, RefusesWhatIsAmbiguousOrDoesNotExist) {
  for (const char* bad : {"", "2026-03-01", "2026-03-01T08:00:00", "2026-02-30T00:00:00Z", "01/02/2026 10:00Z",
                          "2026-03-01T25:00:00Z", "2026-03-01T08:00:00Zx", "2026-03-01T08:00:00+99:00"}) {
    EXPECT_THROW(parse_time(bad), Error) << bad;
  }
}

TEST(Duration, ParsesUnitsAndRoundTrips) {
  EXPECT_EQ(parse_duration("80ms"), 80'000);
  EXPECT_EQ(parse_duration("1228.8s"), 1'228'800'000);
  EXPECT_EQ(parse_duration("15 min"), 900 * kSecond);
  EXPECT_EQ(format_duration(80'000), "80ms");
  EXPECT_EQ(parse_duration(format_duration(1'228'800'000)), 1'228'800'000);
  for (const char* bad : {"", "80", "ms", "-1s", "0s", "1 fortnight", "nan s", "1e400s"}) {
    EXPECT_THROW(parse_duration(bad), Error) << bad;
  }
}

}  // namespace
}  // namespace flyball
