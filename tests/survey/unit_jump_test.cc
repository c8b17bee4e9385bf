// Two units in one stream.
#include "survey/unit_jump.h"

#include <gtest/gtest.h>

#include "survey/line.h"

namespace flyball::survey {
namespace {

Column room_temperature(std::size_t n, math::Random& random) {
  Column x(n);
  for (double& v : x) v = std::round(10 * (18.1 + 0.08 * random.normal())) / 10;
  return x;
}

TEST(UnitJump, OneSampleInFahrenheitAmongCelsiusIsFound) {
  math::Random random(1);
  Column x = room_temperature(40, random);
  x[20] = 18.0;
  x[21] = 18.1;
  x[22] = 64.4;
  x[23] = 18.2;
  const TagSurvey s = survey_of(x);
  ASSERT_TRUE(has_code(s.proposals, "SURVEY_UNIT_JUMP"));
  EXPECT_EQ(s.tags[0].unit_jump->units, "degC and degF");
  EXPECT_EQ(s.tags[0].unit_jump->samples, 1);
  EXPECT_EQ(s.tags[0].unit_jump->at, kStart + 22 * kSecond);
}

TEST(UnitJump, SingleSamplesInAnotherUnitAgainAndAgainAreFound) {
  Column x;
  for (int i = 0; i < 100; ++i) x.insert(x.end(), {18.0, 18.1, 64.4, 18.2});
  const auto jump = survey_of(x).tags[0].unit_jump;
  ASSERT_TRUE(jump);
  EXPECT_EQ(jump->units, "degC and degF");
  EXPECT_EQ(jump->samples, 100);
}

TEST(UnitJump, UnitsOfAnotherDimensionThanTheDeclaredOneAreNotTried) {
  Column x;
  for (int i = 0; i < 100; ++i) x.insert(x.end(), {18.0, 18.1, 64.4, 18.2});
  Signal signal;
  for (std::size_t i = 0; i < x.size(); ++i)
    signal.t.push_back(kStart + static_cast<TimeUs>(i) * kSecond);
  signal.x = x;
  signal.runs.push_back({"r", 0, x.size()});
  EXPECT_TRUE(find_unit_jump(signal, 0.1, "degC"));
  EXPECT_TRUE(find_unit_jump(signal, 0.1, "no unit at all"));
  EXPECT_EQ(find_unit_jump(signal, 0.1, "degC")->units, "degC and degF");
  const auto other = find_unit_jump(signal, 0.1, "l/min");
  EXPECT_TRUE(!other || other->units != "degC and degF");
}

TEST(UnitJump, APartAndTheRestOfARecordInAnotherUnitAreFound) {
  struct Case {
    double scale, offset, level, sigma;
  };
  int found_parts = 0, found_rests = 0, all = 0, rests = 0;
  for (const Case& c : {Case{1.8, 32, 80, 0.2},
                        {1, 273.15, 80, 0.2},
                        {6.894757, 0, 30, 0.1},
                        {1000, 0, 2, 0.01},
                        {100, 0, 0.5, 0.005},
                        {1, 101.325, 250, 0.5}}) {
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
      math::Random random(seed);
      Column part = noise(1000, random, c.sigma, c.level);
      Column rest = part;
      for (std::size_t i = 300; i < 1000; ++i) {
        if (i < 500) part[i] = c.scale * part[i] + c.offset;
        rest[i] = c.scale * rest[i] + c.offset;
      }
      const auto jump = survey_of(part).tags[0].unit_jump;
      ++all;
      found_parts += jump && std::abs(jump->samples - 200) <= 2 && jump->scale == c.scale ? 1 : 0;
      if (c.scale == 1) continue;
      ++rests;
      const auto change = survey_of(rest).tags[0].unit_jump;
      found_rests +=
          change && std::abs(change->samples - 700) <= 2 && change->scale == c.scale ? 1 : 0;
    }
  }
  EXPECT_GE(found_parts, all * 95 / 100) << "of " << all;
  EXPECT_GE(found_rests, rests * 90 / 100) << "of " << rests;
}

TEST(UnitJump, StepsAndSpikesOfRandomSizeAreSeldomTakenForOne) {
  int steps = 0, pulses = 0, spikes = 0;
  constexpr int kSeeds = 300;
  for (std::uint32_t seed = 1; seed <= kSeeds; ++seed) {
    math::Random random(seed);
    Column x = noise(1000, random, 0.2, random.uniform(5, 100));
    const double size = random.uniform(-100, 200);
    Column pulse = x, spike = x;
    for (std::size_t i = 400; i < 1000; ++i) x[i] += size;
    for (std::size_t i = 400; i < 600; ++i) pulse[i] += size;
    spike[500] += size;
    steps += survey_of(x).tags[0].unit_jump ? 1 : 0;
    pulses += survey_of(pulse).tags[0].unit_jump ? 1 : 0;
    spikes += survey_of(spike).tags[0].unit_jump ? 1 : 0;
  }
  std::cout << "of " << kSeeds << ": steps " << steps << ", pulses " << pulses << ", spikes "
            << spikes << "\n";
  RecordProperty("steps", steps);
  RecordProperty("pulses", pulses);
  RecordProperty("spikes", spikes);
  EXPECT_EQ(steps, 0);
  EXPECT_LE(pulses, kSeeds * 3 / 100);
  EXPECT_LE(spikes, kSeeds * 6 / 100) << "a single sample is weak evidence";
}

}  // namespace
}  // namespace flyball::survey
