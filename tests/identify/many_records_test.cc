// Claims about frequencies, over many simulated records.
#include <gtest/gtest.h>

#include "identify/identify.h"
#include "identify/plants.h"
#include "identify/records.h"

namespace flyball::identify {
namespace {

TEST(ManyRecords, BandsCoverTheTruthAsOftenAsTheySay) {
  int covered = 0, all = 0;
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    math::Random random(seed);
    const Vector u = random_steps(500, 4, random);
    Vector y = Vector::Zero(500);
    for (Index t = 2; t < 500; ++t) {
      y(t) = 0.8 * y(t - 1) + 0.4 * u(t - 2) + 0.2 * random.normal();
    }
    Matrix x(500, 2);
    x << u, y;
    const IdentifyResult r = identify_arx(train_dataset({x}, "uy"));
    const StepResponse& s = r.findings.step_responses.at(0);
    for (Index k = 3; k < 12; k += 4) {
      const auto i = static_cast<std::size_t>(k);
      const double truth = 2 * (1 - std::pow(0.8, static_cast<double>(k - 1)));
      covered += std::abs(s.values[i] - truth) <= 1.96 * s.standard_errors[i] ? 1 : 0;
      ++all;
    }
  }
  EXPECT_GT(covered, 0.80 * all);
}

TEST(ManyRecords, AnyNumberOfInputsWithUnequalLags) {
  for (Index nu = 1; nu <= 8; ++nu) {
    math::Random random(static_cast<std::uint32_t>(nu));
    Matrix x(1600, nu + 1);
    Vector y = Vector::Zero(1600);
    for (Index m = 0; m < nu; ++m) {
      x.col(m) = random_steps(1600, 3, random);
      y += first_order(x.col(m), 1 + static_cast<double>(m), 0.8, 1 + m % 4);
    }
    add_noise(y, 30, random);
    x.col(nu) = y;
    const IdentifyResult r =
        identify_arx(train_dataset({x}, std::string(static_cast<std::size_t>(nu), 'u') + "y"));
    for (Index m = 0; m < nu; ++m) {
      EXPECT_EQ(r.findings.dead_times.at(static_cast<std::size_t>(m)).steps, 1 + m % 4) << nu;
      EXPECT_NEAR(model::dc_gain(r.model)(0, m), 1 + static_cast<double>(m), 0.35) << nu;
    }
  }
}

TEST(ManyRecords, UnrelatedAutocorrelatedRecordsRarelyAlarm) {
  int alarms = 0;
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    math::Random random(seed);
    Matrix x(500, 2);
    x.col(0) = random_steps(500, 8, random);
    double w = 0, v = 0;
    for (Index t = 0; t < 500; ++t) {
      w = 0.95 * w + random.normal();
      v = 0.7 * v + w;
      x(t, 1) = v;
    }
    const IdentifyResult r = identify_arx(train_dataset({x}, "uy"));
    alarms += r.findings.dead_times.at(0).active ? 1 : 0;
  }
  EXPECT_LE(alarms, 4) << "1 % is expected";
}

}  // namespace
}  // namespace flyball::identify
