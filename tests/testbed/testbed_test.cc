#include "testbed/testbed.h"

#include <gtest/gtest.h>

#include <cmath>

#include "historian/import.h"
#include "historian/memory_historian.h"

namespace flyball::testbed {
namespace {

TEST(Simulate, FirstOrderPlantObeysItsDifferenceEquation) {
  const auto r = simulate(fopdt(), {.steps = 400});
  const double a = std::exp(-1.0 / 10);
  const auto d = r.plant.dead_steps(1)(0, 0);
  EXPECT_EQ(d, 4);
  for (Index t = d; t < 400; ++t) {
    const double expected = 120 + a * (r.y(t - 1, 0) - 120) + 2 * (1 - a) * (r.u(t - d, 0) - 50);
    ASSERT_NEAR(r.y(t, 0), expected, 1e-10) << t;
  }
}

TEST(Simulate, OutputsOfSeveralInputsAddUp) {
  const RecordOptions options{.steps = 300, .signal = Signal::prbs};
  const auto both = simulate(two_by_two(), options);
  Plant second_only = two_by_two();
  second_only.channels[0][0].gain = 0;
  Plant first_only = two_by_two();
  first_only.channels[0][1].gain = 0;
  const Matrix sum = simulate(first_only, options).y + simulate(second_only, options).y;
  for (Index t = 0; t < 300; ++t) ASSERT_NEAR(both.y(t, 0), sum(t, 0) - 200, 1e-9);
  EXPECT_EQ(both.plant.dead_steps(1)(1, 0), 0) << "there is no path";
  EXPECT_EQ(both.plant.gains()(0, 1), -0.8);
}

TEST(Simulate, RestsAtTheOperatingPointUntilTheDeadTimeIsOver) {
  const auto r = simulate(second_order(), {.steps = 10});
  for (Index t = 0; t < 3; ++t) EXPECT_EQ(r.y(t, 0), 75);
  EXPECT_NE(r.y(3, 0), 75);
}

TEST(Simulate, NoiseIsBesideTheCleanOutputAndSeeded) {
  const RecordOptions options{.steps = 5000, .snr_db = 10, .seed = 9};
  const auto r = simulate(fopdt(), options);
  EXPECT_EQ(r.y, simulate(fopdt(), options).y);
  EXPECT_EQ(r.y_clean, simulate(fopdt(), {.steps = 5000, .seed = 9}).y);
  EXPECT_GT((r.y - r.y_clean).norm(), 0);
}

TEST(Simulate, ALevelIntegratesItsInput) {
  const auto r = simulate(level(), {.steps = 200});
  double sum = 50;
  for (Index t = 2; t < 200; ++t) {
    sum += 0.02 * (r.u(t - 2, 0) - 30);
    ASSERT_NEAR(r.y(t, 0), sum, 1e-10);
  }
}

TEST(PiLoop, BringsTheOutputToTheSetpoint) {
  const RecordOptions options{.steps = 2000, .signal = Signal::staircase, .switch_steps = 200};
  const auto loop = simulate_pi_loop(fopdt(), {}, options);
  for (Index t = 199; t < 2000; t += 200) EXPECT_NEAR(loop.record.y(t, 0), loop.setpoint(t), 1e-3);
}

TEST(PiLoop, ComputesItsOutputFromTheMeasuredError) {
  const PiSettings pi{.gain = 0.5, .integral_time = 20};
  const auto loop = simulate_pi_loop(fopdt(), pi, {.steps = 100, .snr_db = 20});
  double sum = 0;
  for (Index t = 0; t < 100; ++t) {
    const double error = loop.setpoint(t) - loop.record.y(t, 0);
    sum += error / pi.integral_time;
    ASSERT_NEAR(loop.record.u(t, 0), 50 + pi.gain * (error + sum), 1e-10);
  }
}

TEST(ToCsv, IsImportedToTheSameBits) {
  for (const bool with_time : {false, true}) {
    auto record = simulate(two_by_two(), {.steps = 500, .period = 0.08, .snr_db = 20});
    historian::ImportOptions options;
    if (!with_time) options.period = 80'000;
    const std::string text = to_csv(
        record, with_time ? std::optional<std::int64_t>(1'700'000'000'000'000) : std::nullopt);
    historian::MemoryHistorian store;
    const auto result = historian::import_text(text, options, store);
    EXPECT_EQ(result.stored, 500);
    EXPECT_EQ(result.step, 80'000);
    for (Index i = 0; i < 2; ++i) {
      historian::PageRequest request;
      request.node_id = "default/y" + std::to_string(i + 1);
      const auto samples = historian::read_all(store, request);
      ASSERT_EQ(samples.size(), 500u);
      for (Index t = 0; t < 500; ++t)
        ASSERT_EQ(samples[static_cast<std::size_t>(t)].value, record.y(t, i));
    }
  }
}

}  // namespace
}  // namespace flyball::testbed
