// Faults that people met in tools of this field, as inputs with the right behaviour.
#include <gtest/gtest.h>

#include "identify/identify.h"
#include "identify/loops.h"
#include "identify/plants.h"
#include "identify/records.h"

namespace flyball::identify {
namespace {

/// Lags of the model of the first CV.
Index lags_of(const IdentifyResult& r) {
  const CvFinding& f = r.findings.cvs.at(0);
  Index deepest = f.na;
  for (const DeadTime& d : r.findings.dead_times) {
    if (d.active) deepest = std::max<Index>(deepest, d.steps + f.nb - 1);
  }
  return deepest;
}

/// Rows that a regression has in stretches of these lengths, none of them across a border.
Index rows_in(const std::vector<Index>& lengths, Index lags) {
  Index rows = 0;
  for (const Index n : lengths) rows += std::max<Index>(n - lags, 0);
  return rows;
}

/// equinor TSA #196: gaps of any length cut a record; the number of rows proves it.
TEST(FieldFaults, GapsAreNotBridged) {
  math::Random random(1);
  const Vector u = random_steps(900, 6, random);
  Vector y = first_order(u, 2, 0.8, 3);
  add_noise(y, 26, random);
  Matrix x(900, 2);
  x << u, y;
  // Between the runs 2, 47 and 600 minutes are missing.
  const std::vector<Index> lengths{300, 200, 250, 148};
  std::vector<Matrix> runs;
  Index from = 0;
  for (const Index n : lengths) {
    runs.push_back(x.middleRows(from, n));
    from += n;
  }
  const IdentifyResult r = identify_arx(train_dataset(runs, "uy"));
  EXPECT_EQ(r.findings.cvs.at(0).rows, rows_in(lengths, lags_of(r)));
  EXPECT_NEAR(model::dc_gain(r.model)(0, 0), 2, 0.1);
}

/// Samples of the wrong loop mode are missing to the identification: no row holds one.
TEST(FieldFaults, SamplesLeftOutForTheModeCutTheRecord) {
  math::Random random(2);
  const Vector u = random_steps(900, 6, random);
  Vector y = first_order(u, 2, 0.8, 3);
  add_noise(y, 26, random);
  Matrix x(900, 2);
  x << u, y;
  for (Index t = 400; t < 460; ++t) x(t, 1) = 1000;  // in manual, the transmitter under test
  dataset::Dataset d = train_dataset({x}, "uy");
  for (Index t = 400; t < 460; ++t) d.runs[0].mask(t, 0) = d.runs[0].mask(t, 1) = 0;
  const IdentifyResult r = identify_arx(d);
  EXPECT_EQ(r.findings.cvs.at(0).rows, rows_in({400, 440}, lags_of(r)));
  EXPECT_NEAR(model::dc_gain(r.model)(0, 0), 2, 0.1);
  EXPECT_EQ(r.findings.dead_times.at(0).steps, 3);
}

/// CSI.jl #165: a third-order plant with a dead time of 20 samples.
TEST(FieldFaults, ALongDeadTimeIsFoundBeforeTheOrders) {
  math::Random random(3);
  const Vector u = random_steps(2000, 10, random);
  Vector y = first_order(u, 1, 0.7, 21);
  y = first_order(y, 1, 0.6, 0);
  y = first_order(y, 3, 0.5, 0);
  add_noise(y, 26, random);
  Matrix x(2000, 2);
  x << u, y;
  const IdentifyResult r = identify_arx(train_dataset({x}, "uy"));
  const DeadTime& d = r.findings.dead_times.at(0);
  EXPECT_TRUE(d.found);
  EXPECT_LE(d.low, 21);
  EXPECT_GE(d.high, 21);
  EXPECT_NEAR(model::dc_gain(r.model)(0, 0), 3, 0.15);
}

/// "Instability of identified model": high orders on 200 noisy samples of a second-order plant.
TEST(FieldFaults, AModelOfAStablePlantIsStable) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    math::Random random(seed);
    const Vector u = random_steps(200, 4, random);
    Vector y = first_order(first_order(u, 1, 0.8, 1), 1, 0.7, 0);
    add_noise(y, 6, random);
    Matrix x(200, 2);
    x << u, y;
    const IdentifyResult r = identify_arx(train_dataset({x}, "uy"));
    EXPECT_LT(r.findings.cvs.at(0).radius, 1) << seed;
    for (const OrderScore& o : r.findings.cvs.at(0).orders) {
      EXPECT_TRUE(o.reason != "chosen" || o.score.has_value()) << seed;
    }
  }
}

/// comp.dsp 2008: τ = 2 000 samples; the poles stand next to 1, which is said.
TEST(FieldFaults, OversampledRecordsAreSaidToBe) {
  math::Random random(5);
  const Vector u = random_steps(20000, 400, random);
  Vector y = first_order(u, 2, std::exp(-1.0 / 2000), 1);
  add_noise(y, 40, random);
  Matrix x(20000, 2);
  x << u, y;
  const IdentifyResult r = identify_arx(train_dataset({x}, "uy"));
  const bool said = std::ranges::any_of(
      r.findings.warnings, [](const Message& m) { return m.code == "POLE_OVERSAMPLED"; });
  EXPECT_TRUE(said);
  const auto& s = r.findings.step_responses;
  if (!s.empty() && s.front().gain && s.front().gain_std_error) {
    EXPECT_LE(std::abs(*s.front().gain - 2), 3 * *s.front().gain_std_error + 0.2);
  }
}

/// sysidentpy #88: integers in, five steps ahead by brute force, the same answer twice.
TEST(FieldFaults, FiveStepsAheadAreFiveStepsAhead) {
  math::Random random(6);
  Matrix x(600, 2);
  Vector y = Vector::Zero(600);
  const Vector u = random_steps(600, 4, random, 10);
  for (Index t = 1; t < 600; ++t)
    y(t) = std::round(0.8 * y(t - 1) + 2 * u(t - 1) + random.normal());
  x << u, y;
  const dataset::Dataset d = train_dataset({x}, "uy");
  const IdentifyResult r = identify_arx(d);
  const model::Record record = record_of(d, d.blocks.front());
  const Index start = 300;
  Matrix all(5, 1), again(5, 1);
  model::Simulator simulator(r.model);
  simulator.start(record, start, r.history);
  simulator.rollout(record, start, r.history, 5, model::Future::measured, all);
  simulator.start(record, start, r.history);
  simulator.rollout(record, start, r.history, 5, model::Future::measured, again);
  EXPECT_EQ((all - again).norm(), 0);
  // One step at a time, each answer put in the place of the measured value.
  model::Record fed = record;
  for (Index k = 0; k < 5; ++k) {
    Matrix one(1, 1);
    simulator.start(fed, start + k, r.history);
    simulator.rollout(fed, start + k, r.history, 1, model::Future::measured, one);
    EXPECT_NEAR(one(0, 0), all(k, 0), 1e-6) << k;
    fed.y(start + k, 0) = one(0, 0);
  }
}

}  // namespace
}  // namespace flyball::identify
