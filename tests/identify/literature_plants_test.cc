// Plants of the literature at 20 dB, by definition: dead times are those of the plant, the bands of
// the gains hold the truth. `bench_recovery` does it over many seeds.
#include <gtest/gtest.h>

#include <cmath>

#include "identify/identify_auto.h"
#include "identify/records.h"
#include "testbed/plants.h"

namespace flyball::identify {
namespace {

constexpr Index kSteps = 2000;
constexpr double kSnr = 20;          ///< dB
constexpr std::uint32_t kSeeds = 4;  ///< times 4 pairs
/// Standard errors. P(|z| > 4) = 6e-5, so one of the 16 gains is outside once in 1 000 choices of
/// the seeds.
constexpr double kFarthest = 4;
constexpr double kBand = 1.959963984540054;  ///< of 95 %

TEST(LiteraturePlants, WoodBerryAtTwentyDecibel) {
  const auto tests = testbed::literature_tests();
  const auto found = std::ranges::find(tests, "wood_berry", &testbed::PlantTest::name);
  ASSERT_NE(found, tests.end());
  const testbed::PlantTest& test = *found;
  const auto steps = test.plant.dead_steps(test.period);
  const Matrix gains = test.plant.gains();
  for (std::uint32_t seed = 1; seed <= kSeeds; ++seed) {
    const auto record = simulate(test, kSteps, kSnr, seed);
    Matrix values(kSteps, record.u.cols() + record.y.cols());
    values << record.u, record.y;
    dataset::Dataset d = train_dataset({values}, "uuyy");
    d.spec.beat_ms = test.period * 1000;
    const AutoResult r = identify_auto(d);
    for (Index m = 0; m < gains.cols(); ++m) {
      for (Index j = 0; j < gains.rows(); ++j) {
        SCOPED_TRACE(testing::Message() << "seed " << seed << " u" << m + 1 << " y" << j + 1);
        const auto pair = static_cast<std::size_t>(m * gains.rows() + j);
        const DeadTime& dead = r.result.findings.dead_times.at(pair);
        EXPECT_TRUE(dead.active);
        EXPECT_EQ(dead.steps, steps(j, m));
        const auto answer = std::ranges::find_if(
            r.result.findings.step_responses,
            [&](const StepResponse& s) { return s.input == dead.input && s.cv == dead.cv; });
        ASSERT_NE(answer, r.result.findings.step_responses.end());
        ASSERT_TRUE(answer->gain && answer->gain_std_error);
        EXPECT_LT(std::abs(*answer->gain - gains(j, m)), kFarthest * *answer->gain_std_error);
        EXPECT_LT(kBand * *answer->gain_std_error, std::abs(gains(j, m))) << "the sign is told";
      }
    }
  }
}

}  // namespace
}  // namespace flyball::identify
