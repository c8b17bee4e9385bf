// Each fault of field records, put into a signal of known kind, is found and told with its numbers.
#include <gtest/gtest.h>

#include "support/expect_error.h"
#include "survey/line.h"

namespace flyball::survey {
namespace {

Column temperature(std::size_t n, math::Random& random) {
  Column x(n);
  for (double& v : x) v = std::round(10 * random.uniform(85, 90)) / 10;
  return x;
}

TEST(BadValue, EightTimesMinus9999AmongTemperaturesIsFoundAndLeftOutOfTheMean) {
  for (std::uint32_t seed = 1; seed <= 50; ++seed) {
    math::Random random(seed);
    Column x = temperature(60, random);
    for (std::size_t i = 0; i < 8; ++i) x[5 + 6 * i] = -9999;
    const TagSurvey s = survey_of(x);
    const Proposal* p = find_code(s.proposals, "SURVEY_BAD_VALUE");
    ASSERT_NE(p, nullptr) << seed;
    EXPECT_EQ(p->field, "--bad-value");
    EXPECT_EQ(p->value, "-9999");
    const TagFacts& f = s.tags[0];
    ASSERT_EQ(f.bad_values.size(), 1u);
    EXPECT_EQ(f.bad_values[0].count, 8);
    EXPECT_GE(*f.values.min, 85);
    EXPECT_GE(*f.values.mean, 85);
    EXPECT_EQ(f.values.count, 52);
    EXPECT_EQ(f.samples.usable(), 60) << "nothing is taken away from the samples";
  }
}

TEST(BadValue, ZeroAmong85To90AndSeveralAtOnceAreFound) {
  math::Random random(1);
  Column x = temperature(300, random);
  for (std::size_t i = 40; i < 45; ++i) x[i] = 0;
  EXPECT_EQ(survey_of(x).tags[0].bad_values.at(0).value, 0);
  for (std::size_t i = 100; i < 103; ++i) x[i] = -999;
  for (std::size_t i = 200; i < 204; ++i) x[i] = 9999;
  const auto found = survey_of(x).tags[0].bad_values;
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].value, -999);
  EXPECT_EQ(found[1].value, 0);
  EXPECT_EQ(found[2].value, 9999);
}

TEST(BadValue, OneProposalNamesAllTagsThatHaveTheNumber) {
  math::Random random(2);
  Line line;
  for (const char* name : {"a", "b", "c"}) {
    Column x = temperature(200, random);
    for (std::size_t i = 10; i < 200; i += 20) x[i] = -200;
    line.add(tag_named(name), x);
  }
  const TagSurvey s = line.survey();
  EXPECT_EQ(std::ranges::count(codes(s.proposals), "SURVEY_BAD_VALUE"), 1);
  EXPECT_EQ(find_code(s.proposals, "SURVEY_BAD_VALUE")->tags,
            (std::vector<std::string>{"a", "b", "c"}));
}

TEST(BadValue, ASensorThatStartsAtRestOrHasCoarseLevelsHasNone) {
  math::Random random(3);
  Column step(400, 0.0);
  for (std::size_t i = 100; i < 400; ++i)
    step[i] = 5 * (1 - std::exp(-static_cast<double>(i - 100)));
  EXPECT_TRUE(survey_of(step).tags[0].bad_values.empty());
  Column levels;
  for (const double v : {0.0, 10.0, 20.0, 30.0, 100.0, 20.0, 0.0, 30.0, 10.0})
    levels.insert(levels.end(), 30, v);
  EXPECT_TRUE(survey_of(levels).tags[0].bad_values.empty());
}

TEST(BadValue, ATagOfNothingElseIsConstant) {
  const TagSurvey s = survey_of(Column(50, -9999));
  EXPECT_TRUE(s.tags[0].bad_values.empty());
  EXPECT_EQ(codes(s.proposals), std::vector<std::string>{"SURVEY_CONSTANT"});
}

TEST(Samples, ATagWithoutAnyUsableSampleIsAnAnswer) {
  const TagSurvey s = survey_of(Column(50, NAN));
  EXPECT_EQ(codes(s.proposals), std::vector<std::string>{"SURVEY_NOTHING_USABLE"});
  EXPECT_EQ(s.tags[0].samples.bad_by_reason.at("BadNoData"), 50);
  EXPECT_FALSE(s.tags[0].values.mean);
}

TEST(Samples, QualitiesAreCountedByReasonAndUncertainOnesAreUsed) {
  historian::MemoryHistorian h;
  std::vector<historian::Sample> samples;
  for (int i = 0; i < 40; ++i) {
    const auto quality = i % 4 == 0   ? historian::kUncertain
                         : i % 4 == 1 ? historian::kBadNotANumber
                         : i % 4 == 2 ? historian::Quality{0x808D0000}
                                      : historian::kGood;
    samples.push_back({kStart + i * kSecond, static_cast<double>(i % 7), quality});
  }
  h.append({"r", "L", "P", "R", kStart, {}, {}}, "L/x", samples);
  TagSurveyRequest request;
  request.filter.line_id = "L";
  const TagSurvey s = survey_tags(h, request);
  const SampleCounts& n = s.tags[0].samples;
  EXPECT_EQ(n.good + n.uncertain + n.bad, n.total);
  EXPECT_EQ(n.usable(), 20);
  EXPECT_EQ(n.bad_by_reason,
            (std::map<std::string, std::int64_t>{{"0x808D0000", 10}, {"BadTypeMismatch", 10}}));
  EXPECT_TRUE(has_code(s.proposals, "SURVEY_MUCH_BAD"));
}

TEST(Samples, AnUnknownTagIsRefusedWithTheNearestName) {
  Line line;
  line.add(tag_named("flow"), {1, 2, 3});
  TagSurveyRequest request;
  request.filter.line_id = "L";
  request.tags = {"flwo"};
  EXPECT_ERROR(survey_tags(line.historian(), request), "NODE_MISSING");
}

TEST(Constant, ExactlyAndNearlyConstantSignalsAreNamed) {
  math::Random random(4);
  Column near(100);
  for (double& v : near) v = 100 + (random.uniform() < 0.5 ? -1e-12 : 1e-12);
  for (const Column& x : {Column(100, 100.0), near, Column(100, 0.0)}) {
    const TagSurvey s = survey_of(x);
    EXPECT_EQ(codes(s.proposals), std::vector<std::string>{"SURVEY_CONSTANT"});
    EXPECT_TRUE(s.tags[0].values.constant);
  }
}

TEST(Hold, ASignalOf60SecondsExportedEvery10IsFoundWithItsBeat) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    math::Random random(seed);
    const Column u = binary(400, 15, 40, 45, random);
    const Column y = first_order(u, 5, 0.05, random);
    Line line;
    line.add(tag_named("u"), repeated(u, 6), 10 * kSecond);
    line.add(tag_named("y"), repeated(y, 6), 10 * kSecond);
    const TagSurvey s = line.survey();
    EXPECT_EQ(s.tags[1].shape.hold_steps, 6);
    EXPECT_TRUE(s.tags[0].shape.looks_stepped);
    const Proposal* p = find_code(s.proposals, "SURVEY_OVERSAMPLED");
    ASSERT_NE(p, nullptr) << seed;
    EXPECT_EQ(p->field, "--beat");
    EXPECT_EQ(p->value, "1min");
  }
}

/// Changes 4, 5, 6, ... samples apart, never one alone: no change comes after the hold itself.
TEST(Hold, TheHoldIsFoundWhereNoStayIsAsShort) {
  math::Random random(7);
  Column u;
  for (bool up = false; u.size() < 600; up = !up) {
    const auto stay = 4 + static_cast<std::size_t>(6 * random.uniform());
    u.insert(u.end(), stay, up ? 45.0 : 9.0);
  }
  Line line;
  line.add(tag_named("u"), repeated(u, 10), 10 * kSecond);
  line.add(tag_named("y"), repeated(first_order(u, 5, 0.05, random), 10), 10 * kSecond);
  const TagSurvey s = line.survey();
  EXPECT_EQ(s.tags[0].shape.hold_steps, 10);
  EXPECT_NE(find_code(s.proposals, "SURVEY_OVERSAMPLED"), nullptr);
}

TEST(Hold, AnAnalyserBesideFastTagsIsHeldAndProposesNoBeatForAll) {
  math::Random random(5);
  const Column u = binary(1200, 30, 40, 45, random);
  const Column y = first_order(u, 20, 0.05, random);
  Column slow;
  for (std::size_t i = 0; i < y.size(); ++i) slow.push_back(y[i - i % 12]);
  const TagSurvey s = Line().add(tag_named("y"), y).add(tag_named("lab"), slow).survey();
  EXPECT_FALSE(has_code(s.proposals, "SURVEY_OVERSAMPLED"));
  const Proposal* p = find_code(s.proposals, "SURVEY_HELD");
  ASSERT_NE(p, nullptr);
  EXPECT_EQ(p->tags, std::vector<std::string>{"lab"});
  EXPECT_EQ(s.tags[1].shape.hold_steps, 12);
}

TEST(Frozen, AStuckSensorIsFoundWithItsPlace) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    math::Random random(seed);
    Column x = quantised(noise(2000, random), 0.1);
    std::fill_n(x.begin() + 700, 150, x[700]);
    const TagSurvey s = survey_of(x);
    ASSERT_TRUE(has_code(s.proposals, "SURVEY_FROZEN")) << seed;
    const TagFacts& f = s.tags[0];
    EXPECT_EQ(f.frozen_count, 1);
    EXPECT_GE(f.frozen[0].samples, 150);
    EXPECT_NEAR(static_cast<double>(f.frozen[0].from - kStart) / kSecond, 700, 5);
  }
}

TEST(Frozen, ALevelAtItsEndIsToldApart) {
  math::Random random(6);
  Column x = noise(2000, random, 0.5, 50);
  for (std::size_t i = 900; i < 1100; ++i) x[i] = 100;
  const TagSurvey s = survey_of(x);
  EXPECT_FALSE(has_code(s.proposals, "SURVEY_FROZEN"));
  EXPECT_TRUE(has_code(s.proposals, "SURVEY_AT_LIMIT") ||
              has_code(s.proposals, "SURVEY_BAD_VALUE"));
}

TEST(Straight, AnArchiveThatInterpolatedIsFound) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    math::Random random(seed);
    Column x;
    double from = 20;
    while (x.size() < 2000) {
      const std::size_t steps = 5 + static_cast<std::size_t>(random.index(10));
      const double to = from + random.normal();
      for (std::size_t i = 0; i < steps; ++i) {
        x.push_back(from + (to - from) * static_cast<double>(i) / static_cast<double>(steps));
      }
      from = to;
    }
    const TagSurvey s = survey_of(x);
    ASSERT_TRUE(has_code(s.proposals, "SURVEY_INTERPOLATED")) << seed;
    EXPECT_NEAR(static_cast<double>(s.tags[0].straight->median_steps), 9.5, 2);
    EXPECT_GT(s.tags[0].straight->share, 0.8);
  }
}

TEST(Spikes, AreCountedByTheCleaningsRuleAndNeverOnSteppedTags) {
  math::Random random(7);
  Column x = noise(2000, random);
  for (std::size_t i = 100; i < 2000; i += 190) x[i] += 40 + random.normal();
  const TagSurvey s = survey_of(x);
  EXPECT_EQ(s.tags[0].spikes, 10);
  EXPECT_TRUE(has_code(s.proposals, "SURVEY_SPIKES"));
  plant::Tag mv = tag_named("u");
  mv.role = plant::Role::mv;
  EXPECT_EQ(Line().add(mv, x).survey().tags[0].spikes, 0);
}

TEST(Range, SamplesOutsideTheDeclaredRangeAreCounted) {
  math::Random random(8);
  plant::Tag tag = tag_named("x");
  tag.min = 17.5;
  tag.max = 30;
  const TagSurvey s = Line().add(tag, noise(1000, random)).survey();
  const Proposal* p = find_code(s.proposals, "SURVEY_OUTSIDE_RANGE");
  ASSERT_NE(p, nullptr);
  EXPECT_EQ(p->field, "tag.min");
  EXPECT_GT(s.tags[0].outside_range, 0);
  EXPECT_LT(s.tags[0].outside_range, 20);
}

TEST(Declared, SteppedAndSlopedAreComparedWithTheSamples) {
  math::Random random(9);
  plant::Tag sloped = tag_named("a"), stepped = tag_named("b");
  sloped.stepped = false;
  stepped.stepped = true;
  const TagSurvey s =
      Line().add(sloped, binary(1000, 20, 1, 2, random)).add(stepped, noise(1000, random)).survey();
  EXPECT_EQ(find_code(s.proposals, "SURVEY_LOOKS_STEPPED")->tags[0], "a");
  EXPECT_EQ(find_code(s.proposals, "SURVEY_LOOKS_SLOPED")->tags[0], "b");
}

}  // namespace
}  // namespace flyball::survey
