// The clock of a tag: gaps, jitter, slip, and tags against each other.
#include <gtest/gtest.h>

#include "survey/line.h"

namespace flyball::survey {
namespace {

TEST(Clock, GapsOf2And47And600MinutesAreCountedAndTheLongestIsTold) {
  math::Random random(1);
  std::vector<TimeUs> t;
  TimeUs at = kStart;
  for (int i = 0; i < 1000; ++i) {
    t.push_back(at);
    at += 60 * kSecond * (i == 99 ? 2 : i == 499 ? 47 : i == 699 ? 600 : 1);
  }
  const TagSurvey s = Line().add(tag_named("x"), noise(1000, random), t).survey();
  const Sampling& c = s.tags[0].sampling;
  EXPECT_EQ(c.step, 60 * kSecond);
  EXPECT_TRUE(c.regular);
  EXPECT_EQ(c.gaps, 3);
  EXPECT_EQ(c.longest_gap->to - c.longest_gap->from, 600 * 60 * kSecond);
  EXPECT_EQ(c.longest_gap->from, t[699]);
  EXPECT_EQ(c.covered, (999 - 3) * 60 * kSecond);
  EXPECT_EQ(codes(s.proposals), std::vector<std::string>{"SURVEY_GAPS"});
}

TEST(Clock, TheTimeBetweenRunsIsNoGap) {
  math::Random random(2);
  Line line;
  line.add(tag_named("x"), noise(100, random), kSecond, kStart, "a");
  line.add(tag_named("x"), noise(100, random), kSecond, kStart + kDay, "b");
  const TagSurvey s = line.survey();
  EXPECT_EQ(s.tags[0].sampling.runs, 2);
  EXPECT_EQ(s.tags[0].sampling.gaps, 0);
  EXPECT_EQ(s.tags[0].sampling.covered, 2 * 99 * kSecond);
}

TEST(Clock, RunsThatOverlapInTimeAreReadApart) {
  math::Random random(3);
  Line line;
  line.add(tag_named("x"), noise(100, random), 2 * kSecond, kStart, "a");
  line.add(tag_named("x"), noise(100, random), 2 * kSecond, kStart + kSecond, "b");
  const TagSurvey s = line.survey();
  EXPECT_EQ(s.tags[0].sampling.step, 2 * kSecond);
  EXPECT_EQ(s.tags[0].samples.total, 200);
}

TEST(Clock, TagsOneSecondApartAreTold) {
  math::Random random(4);
  const TagSurvey s = Line()
                          .add(tag_named("a"), noise(500, random), 60 * kSecond)
                          .add(tag_named("b"), noise(500, random), 60 * kSecond, kStart + kSecond)
                          .survey();
  ASSERT_EQ(codes(s.proposals), std::vector<std::string>{"SURVEY_CLOCKS_APART"});
  EXPECT_EQ(s.proposals[0].params["by"]["value"], "1s");
  EXPECT_EQ(s.proposals[0].tags, (std::vector<std::string>{"b", "a"}));
}

TEST(Clock, AClockThatSlipsIsTold) {
  math::Random random(5);
  std::vector<TimeUs> t;
  for (int i = 0; i < 1000; ++i) t.push_back(kStart + i * 60 * kSecond + (i / 10) * kSecond);
  const TagSurvey s = Line().add(tag_named("x"), noise(1000, random), t).survey();
  EXPECT_NEAR(s.tags[0].sampling.clock_slip, 99.0 / 60, 0.02);
  EXPECT_EQ(codes(s.proposals), std::vector<std::string>{"SURVEY_CLOCK_SLIPS"});
}

TEST(Clock, JitterAroundAFixedGridIsNoSlip) {
  int told = 0;
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    math::Random random(seed);
    std::vector<TimeUs> t;
    for (int i = 0; i < 1000; ++i) {
      t.push_back(kStart + i * kSecond + static_cast<TimeUs>(50'000 * random.uniform()));
    }
    told += static_cast<int>(
        Line().add(tag_named("x"), noise(1000, random), t).survey().proposals.size());
  }
  EXPECT_EQ(told, 0);
}

TEST(Clock, ALoggerWithoutARhythmIsIrregular) {
  math::Random random(6);
  std::vector<TimeUs> t;
  TimeUs at = kStart;
  for (int i = 0; i < 500; ++i) {
    t.push_back(at);
    at += static_cast<TimeUs>(1e6 * std::exp(1.5 * random.normal()));
  }
  const TagSurvey s = Line().add(tag_named("x"), noise(500, random), t).survey();
  EXPECT_FALSE(s.tags[0].sampling.regular);
  EXPECT_TRUE(has_code(s.proposals, "SURVEY_IRREGULAR"));
}

}  // namespace
}  // namespace flyball::survey
