// The joined system against its own simulation, and models from a loop near its limit.
#include "diagnose/declared_loops.h"

#include <gtest/gtest.h>

#include <cmath>

#include "identify/identify.h"
#include "identify/loops.h"
#include "identify/records.h"

namespace flyball::diagnose {
namespace {

/// K = 2, pole 0.9, first answer after 3 steps: the plant of pi_loop.
model::LinearStateSpace plant() {
  model::LinearStateSpace m;
  m.A = Matrix{{0.9}};
  m.B = Matrix{{0.2}};
  m.C = Matrix{{1.0}};
  m.D = Matrix{{0.0}};
  m.K = Matrix{{0.0}};
  m.f = Vector::Zero(1);
  m.g = Vector::Zero(1);
  m.u0 = Vector::Zero(1);
  m.S = Matrix{{1.0}};
  m.channels = {{0, 2}};
  m.n_mv = 1;
  return m;
}

/// Growth per step of the loop after a push, by running it.
double growth(double gain, double reset, double direct, Index lag, Index steps) {
  std::vector<double> u(static_cast<std::size_t>(lag), 0.0);
  double x = 1, sum = 0, last = 0, early = 0, late = 0;
  for (Index t = 0; t < steps; ++t) {
    const double past = lag > 0 ? u[u.size() - static_cast<std::size_t>(lag)] : 0;
    const double now = direct == 0 ? 0 : last;  // a direct answer: the controller acts a step late
    const double y = x + direct * now;
    const double asked = gain * (sum / reset - y);
    sum -= y;
    x = 0.9 * x + 0.2 * (lag > 0 ? past : direct == 0 ? asked : now);
    last = asked;
    u.push_back(direct == 0 ? asked : now);
    const double size = std::abs(y) + 0.1 * std::abs(sum);
    if (t >= steps / 2 - 100 && t < steps / 2) early = std::max(early, size);
    if (t >= steps - 100) late = std::max(late, size);
  }
  return std::pow(late / early, 2.0 / static_cast<double>(steps));
}

TEST(DeclaredLoops, RadiusIsTheGrowthOfTheLoop) {
  for (const double gain : {0.05, 0.3, 0.9, 1.4, 2.0}) {
    for (const double reset : {4.0, 15.0}) {
      const double radius = closed_radius(plant(), {{0, 0, gain, reset}});
      EXPECT_NEAR(radius, growth(gain, reset, 0, 2, 1200), 3e-3) << gain << " " << reset;
    }
  }
}

TEST(DeclaredLoops, ADirectAnswerIsActedOnOneStepLater) {
  model::LinearStateSpace m = plant();
  m.channels = {{0, 0}};
  m.D = Matrix{{0.5}};
  for (const double gain : {0.2, 0.8, 1.6}) {
    EXPECT_NEAR(closed_radius(m, {{0, 0, gain, 5}}), growth(gain, 5, 0.5, 0, 1200), 3e-3) << gain;
  }
}

TEST(DeclaredLoops, AnIntegratedDisturbanceAndAnotherLevelDoNotCount) {
  model::LinearStateSpace m = plant();
  m.A = Matrix{{0.9, 0, 0.1}, {0, 1, 0}, {0, 0, 1}};  // plant, a level, a disturbance
  m.B = Matrix{{0.2}, {0.01}, {0}};
  m.C = Matrix{{1, 0, 0}, {0, 1, 0}};
  m.D = Matrix::Zero(2, 1);
  m.integrators = 1;
  m.disturbance_states = 1;
  const double alone = closed_radius(plant(), {{0, 0, 0.3, 15}});
  EXPECT_NEAR(closed_radius(m, {{0, 0, 0.3, 15}}, 1), alone, 1e-9);
  EXPECT_NEAR(closed_radius(m, {{0, 0, 0.3, 15}}, 0), 1, 1e-9);
}

TEST(DeclaredLoops, AControllerMovesWhatEntersThePipe) {
  dataset::Dataset data;
  data.spec = identify::spec_of("udy");
  data.spec.variables[0].transport = {"d1", 6 * data.spec.beat_ms, 10};
  identify::IdentifyResult found;
  found.model = plant();
  found.model.u0 = (Vector(2) << 0, 15).finished();  // four steps at the mean flow
  found.findings.cvs.resize(1);
  found.findings.cvs[0].cv = "y1";
  const std::vector<identify::PiLoop> declared{{"u1", "y1", 0.9, 15 * data.spec.beat_ms / 1000}};
  model::LinearStateSpace late = plant();
  late.channels[0].delay += 4;
  EXPECT_NEAR(judge_loops(data, found, declared).at(0).radius,
              closed_radius(late, {{0, 0, 0.9, 15}}), 1e-12);
  data.spec.variables[0].transport->delay_ms *= 100;
  EXPECT_TRUE(judge_loops(data, found, declared).empty()) << "400 steps";
}

/// field-notes 23: the record of a loop near its limit stays bounded. A model with the right gain
/// agrees; one with half the dead time and twice the gain does not.
TEST(DeclaredLoops, ARecordOfALoopNearItsLimitTellsAWrongModel) {
  // The loop runs at two thirds of the gain at which it would be at its limit.
  const identify::LoopSettings s{
      .rows = 3000, .kp = 2.2, .ki = 0.05, .noise_pole = 0.5, .noise = 0.05, .set_point_moves = 1};
  const Matrix loop = identify::pi_loop(s, 4);
  EXPECT_LT(loop.cwiseAbs().maxCoeff(), 10) << "bounded";
  Matrix x(loop.rows(), 3);
  x << loop.col(0), loop.col(2), loop.col(1);
  const dataset::Dataset data = identify::train_dataset({x}, "udy");
  identify::ArxOptions options;
  options.set_points = {{"u1", "d1"}};
  identify::IdentifyResult found = identify::identify_arx(data, options);
  const std::vector<identify::PiLoop> declared{{"u1", "y1", 2.25, 45}};
  const double truth = closed_radius(plant(), {{0, 0, 2.25, 45}});
  const auto right = judge_loops(data, found, declared);
  ASSERT_EQ(right.size(), 1U);
  EXPECT_TRUE(right[0].record_in_loop);
  EXPECT_LT(right[0].radius, 1);
  EXPECT_NEAR(right[0].radius, truth, 0.03);
  ASSERT_TRUE(right[0].gain_margin);
  double limit = 1;
  while (closed_radius(plant(), {{0, 0, 2.25 * limit, 45}}) < 1) limit += 1e-3;
  EXPECT_NEAR(*right[0].gain_margin / limit, 1, 0.1);
  found.model.B *= 2;
  found.model.D *= 2;
  const auto wrong = judge_loops(data, found, declared);
  EXPECT_GT(wrong[0].radius, 1);
  ASSERT_TRUE(wrong[0].gain_margin);
  EXPECT_LT(*wrong[0].gain_margin, 1);
}

}  // namespace
}  // namespace flyball::diagnose
